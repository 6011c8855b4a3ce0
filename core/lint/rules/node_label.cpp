#include <algorithm>
#include <set>

#include "core/lint/node_fit.h"
#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"
#include "core/lint/satisfiable.h"

namespace gpuspec::lint::rules {
namespace {

/// The values that nodes have for a label: `; nodes have a, b`.
std::string values_of(const std::vector<kube::Node>& nodes, const std::string& key) {
  std::set<std::string> values;
  for (const kube::Node& node : nodes)
    if (const auto label = node.labels.find(key); label != node.labels.end())
      values.insert(label->second);
  if (values.empty()) return "; no node has that label";
  std::string text;
  std::size_t shown = 0;
  for (const std::string& value : values) {
    if (++shown > 5) {
      text += " …";
      break;
    }
    text += (text.empty() ? "; nodes have " : ", ") + value;
  }
  return text;
}

void check(const PodView& pod, Report& report) {
  const std::vector<kube::Node>* nodes = pod.settings.nodes;
  if (!nodes || nodes->empty() || pod.live()) return;
  if (!pod.asks_accelerator() &&
      std::none_of(pod.node_selector.begin(), pod.node_selector.end(),
                   [](const RequirementView& entry) { return chooses_accelerator(entry.key); }))
    return;
  if (!matching_nodes(pod).empty()) return;
  bool found = false;
  const RequirementView* last = nullptr;
  for (const auto& alternative : pod.alternatives()) {
    for (const RequirementView* requirement : alternative) {
      last = requirement;
      if (std::any_of(nodes->begin(), nodes->end(),
                      [&](const kube::Node& node) { return satisfies(node, *requirement); }))
        continue;
      found = true;
      report.add({.node = requirement->key_node,
                  .field = requirement->path,
                  .message = "no node satisfies " + describe(*requirement) +
                             values_of(*nodes, requirement->key)});
      break;
    }
  }
  if (!found && last)
    report.add({.node = last->key_node,
                .field = last->path,
                .message =
                    "no single node satisfies everything that nodeSelector and node affinity "
                    "require"});
}

}  // namespace

constinit const Rule node_label{
    .code = "GPU701",
    .name = "node-label",
    .severity = Severity::error,
    .summary = "No node of the cluster has the labels that the pod requires",
    .why =
        R"(With --nodes gpuspec knows the labels of the nodes. This pod requires one, or a combination,
that none of them has: the scheduler says "node(s) didn't match Pod's node affinity/selector" and the
pod waits. The message lists what the nodes have instead. Nodes that an autoscaler has not made yet
are not in the file; where node groups scale from zero, add one node of each to it.)",
    .remedy = "Use a value that the nodes have, or label the nodes.",
    .source = "Kubernetes scheduler, plugin NodeAffinity",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    nvidia.com/gpu.product: NVIDIA-A10G
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
  nodeSelector:
    nvidia.com/gpu.product: Tesla-T4
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
                .nodes = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: gpu-1
    labels:
      nvidia.com/gpu.product: Tesla-T4
  spec:
    taints:
    - key: nvidia.com/gpu
      value: present
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
