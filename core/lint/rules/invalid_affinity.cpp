#include "core/kube/validation.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  kube::Violations violations;
  if (pod.pod.affinity) {
    const yaml::NodeId affinity = pod.pod.affinity.get(pod.tree);
    const yaml::NodeId node = yaml::get(pod.tree, affinity, "nodeAffinity");
    violations =
        kube::validate_node_affinity(pod.tree, node, pod.path("affinity") + ".nodeAffinity");
  } else if (pod.pod.node_selector_terms) {
    violations = kube::validate_node_selector_terms(
        pod.tree, pod.pod.node_selector_terms.get(pod.tree), pod.path("nodeSelectorTerms"));
  }
  if (pod.full)
    for (kube::Violation& violation : kube::validate_scheduling_gates(
             pod.tree, pod.field("schedulingGates"), pod.path("schedulingGates")))
      violations.push_back(std::move(violation));
  for (const kube::Violation& violation : violations)
    report.add({.node = violation.node, .field = violation.path, .message = violation.message()});
}

}  // namespace

constinit const Rule invalid_affinity{
    .code = "GPU202",
    .name = "invalid-affinity",
    .severity = Severity::error,
    .summary = "Node affinity that the API server refuses",
    .why =
        R"(Required node affinity needs at least one term; In and NotIn need values, Exists and
DoesNotExist must have none, Gt and Lt take exactly one; matchFields knows metadata.name only;
weights of preferred terms run from 1 to 100; values in required terms must be label values (since
Kubernetes 1.33). The API server refuses everything else, with the message shown, and in a pod
template nobody hears of it until the controller's events are read. Scheduling gates are checked
here, too.)",
    .remedy = "Mend what the message names.",
    .source = "Kubernetes API validation, node affinity",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - key: nvidia.com/gpu.product
            operator: In
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 16Gi
      limits:
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - key: nvidia.com/gpu.product
            operator: In
            values:
            - Tesla-T4
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 16Gi
      limits:
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
