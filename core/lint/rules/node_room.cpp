#include <algorithm>
#include <map>

#include "core/lint/node_fit.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!judged_by_nodes(pod) || !pod.full) return;
  std::vector<const kube::Node*> nodes = large_enough(pod, matching_nodes(pod));
  std::erase_if(nodes, [&](const kube::Node* node) { return untolerated(pod, *node).has_value(); });
  if (nodes.empty()) return;  // GPU701, GPU702 or GPU703 says so
  kube::RequestOptions options;
  options.limits_default = true;
  const kube::ResourceList requests =
      kube::pod_requests(pod.tree, pod.pod.spec, yaml::no_node, options);
  std::map<std::string, std::size_t> lacking;
  for (const kube::Node* node : nodes) {
    // A list of nodes that leaves out CPU and memory says nothing about them.
    std::vector<kube::Shortage> missing = kube::find_shortages(requests, *node);
    std::erase_if(missing, [&](const kube::Shortage& shortage) {
      return !node->allocatable.contains(shortage.resource);
    });
    if (missing.empty()) return;
    for (const kube::Shortage& shortage : missing) ++lacking[shortage.resource];
  }
  std::string text;
  for (const auto& [resource, count] : lacking)
    text += (text.empty() ? "" : ", ") + std::to_string(count) + " Insufficient " + resource;
  const AskView& ask = pod.asks[0];
  report.add({
      .node = ask.node,
      .field = ask.field,
      .message = "the nodes with the accelerator are too small for the rest of the pod: 0/" +
                 std::to_string(nodes.size()) + " nodes are available: " + text,
      .container = ask.container,
  });
}

}  // namespace

constinit const Rule node_room{
    .code = "GPU704",
    .name = "node-room",
    .severity = Severity::error,
    .summary = "No accelerator node is large enough for the pod's CPU and memory",
    .why =
        R"(There are nodes with enough accelerators, the right labels and no taint in the way, but what
the pod requests beside the accelerator is more than any of them can give (status.allocatable, which
is less than the machine has: the system and the kubelet keep a part). The scheduler says
"Insufficient memory" or "Insufficient cpu". Requests written for the size on the price list (16 GiB
of a g4dn.xlarge) fail this way.)",
    .remedy = "Request at most what a node has left after its daemons.",
    .source = "Kubernetes scheduler, plugin NodeResourcesFit; 2i2c, resource allocation",
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
        memory: 64Gi
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
        memory: 56Gi
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
