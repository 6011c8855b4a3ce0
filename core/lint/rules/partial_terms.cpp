#include <algorithm>

#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// A requirement that leads to accelerator nodes, by a label of the device or by machine type.
bool leads_to_accelerator(const RequirementView& requirement) {
  if (requirement.op == "DoesNotExist" || requirement.op == "NotIn") return false;
  return chooses_accelerator(requirement.key) || label_kind(requirement.key) == "instance-type";
}

void check(const PodView& pod, Report& report) {
  // Daemons list the ways in which a node may be recognised; they ask for no accelerator.
  if (pod.terms.size() < 2 || !pod.asks_accelerator()) return;
  if (std::any_of(pod.node_selector.begin(), pod.node_selector.end(), leads_to_accelerator)) return;
  const TermView* with = nullptr;
  for (const TermView& term : pod.terms)
    if (!with &&
        std::any_of(term.expressions.begin(), term.expressions.end(), leads_to_accelerator))
      with = &term;
  if (!with) return;
  const auto leader =
      std::find_if(with->expressions.begin(), with->expressions.end(), leads_to_accelerator);
  for (const TermView& term : pod.terms) {
    if (term.empty() || !term.fields.empty()) continue;  // GPU209; a node by its name
    if (std::any_of(term.expressions.begin(), term.expressions.end(), leads_to_accelerator))
      continue;
    report.add({
        .node = term.node,
        .field = term.path,
        .message = "this term does not require " + leader->key +
                   " as another one does: terms are "
                   "alternatives, so the pod may land on any node that this one matches",
    });
  }
}

}  // namespace

constinit const Rule partial_terms{
    .code = "GPU208",
    .name = "partial-terms",
    .severity = Severity::warning,
    .summary = "Only some of the required terms carry the accelerator requirement",
    .why =
        R"(The items of nodeSelectorTerms are alternatives: a node that matches any one of them will
do. People read them as a list of conditions and add the device as a term of its own, beside the
zone or the node pool. The requirement then holds for that term only, and the pod may start on a node
of the other term with another device, or stay Pending there for want of one.)",
    .remedy = "Put the requirement into the matchExpressions of every term.",
    .source = "Kubernetes, Assigning Pods to Nodes, \"Node affinity\"",
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
          - key: topology.kubernetes.io/zone
            operator: In
            values:
            - us-central1-a
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
          - key: topology.kubernetes.io/zone
            operator: In
            values:
            - us-central1-a
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
