#include <algorithm>

#include "core/lint/mend.h"
#include "core/lint/node_fit.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!judged_by_nodes(pod)) return;
  const std::vector<const kube::Node*> nodes = large_enough(pod, matching_nodes(pod));
  if (nodes.empty()) return;  // GPU701 or GPU702 says so
  std::optional<kube::Taint> first;
  bool alike = true;
  for (const kube::Node* node : nodes) {
    const std::optional<kube::Taint> taint = untolerated(pod, *node);
    if (!taint) return;
    if (!first) first = taint;
    alike = alike && taint->key == first->key && taint->effect == first->effect;
  }
  const AskView& ask = pod.asks[0];
  Problem problem{
      .node = ask.node,
      .field = ask.field,
      .message = (nodes.size() == 1
                      ? "the only node that would do, " + nodes[0]->name + ","
                      : "each of the " + std::to_string(nodes.size()) + " nodes that would do") +
                 " has a taint that the pod does not tolerate: " + describe(*first),
      .container = ask.container,
  };
  if (alike)
    mend_by_toleration(pod, {first->key, "Exists", "", first->effect, std::nullopt}, "node-taint",
                       problem);
  report.add(std::move(problem));
}

}  // namespace

constinit const Rule node_taint{
    .code = "GPU703",
    .name = "node-taint",
    .severity = Severity::error,
    .summary = "All nodes that would do have a taint that the pod does not tolerate",
    .why =
        R"(Every node with enough accelerators and the right labels carries a taint (NoSchedule or
NoExecute) that this pod does not tolerate, so the pod stays Pending with "had untolerated taint".
Often there are two: the one of the accelerator and one of the team or the node pool. Taints that
come and go with the state of a node (node.kubernetes.io/not-ready, cordoned) do not count. Where the
cluster adds tolerations by itself, set resourceTolerationsAdded in .gpuspec.yaml.)",
    .remedy = "Add a toleration for each taint.",
    .source = "Kubernetes scheduler, plugin TaintToleration",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
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
  - key: team
    operator: Exists
    effect: NoSchedule
)",
                .nodes = R"(apiVersion: v1
kind: Node
metadata:
  name: gpu-1
spec:
  taints:
  - key: nvidia.com/gpu
    value: present
    effect: NoSchedule
  - key: team
    value: vision
    effect: NoSchedule
status:
  allocatable:
    cpu: "15"
    memory: 60Gi
    nvidia.com/gpu: "4"
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
