#include <algorithm>

#include "core/lint/node_fit.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!judged_by_nodes(pod)) return;
  std::vector<const kube::Node*> nodes = matching_nodes(pod);
  const bool narrowed = !nodes.empty() && nodes.size() < pod.settings.nodes->size();
  if (nodes.empty())  // GPU701 says so
    for (const kube::Node& node : *pod.settings.nodes) nodes.push_back(&node);
  for (const AskView& ask : pod.asks) {
    const kube::Node* best = nullptr;
    long long most = 0;
    for (const kube::Node* node : nodes) {
      const auto has = node->allocatable.find(ask.resource);
      if (has != node->allocatable.end() && has->second.value() > most) {
        best = node;
        most = has->second.value();
      }
    }
    if (most >= ask.count) continue;
    const std::string which = narrowed ? " that the pod may use" : "";
    report.add({
        .node = ask.node,
        .field = ask.field,
        .message = best ? "no node" + which + " has " + std::to_string(ask.count) + " of " +
                              ask.resource + ": the most is " + std::to_string(most) + ", on " +
                              best->name
                        : "no node" + which + " offers " + ask.resource,
        .container = ask.container,
        // A DRA driver may provide it without the node saying so (Kubernetes 1.36).
        .severity = best ? std::nullopt : std::optional(Severity::warning),
    });
  }
}

}  // namespace

constinit const Rule node_capacity{
    .code = "GPU702",
    .name = "node-capacity",
    .severity = Severity::error,
    .summary = "No node of the cluster has that many accelerators",
    .why =
        R"(A pod gets all its devices from one node. With --nodes gpuspec compares what the pod asks
for with what each node that it may use offers (status.allocatable). When none has enough the
scheduler says "Insufficient nvidia.com/gpu", preemption does not help, and the pod waits for good. A
resource that no node offers at all is reported as a warning: since Kubernetes 1.36 a DRA driver can
provide an extended resource without the nodes listing it. The accelerators that other pods hold at
the moment are not counted.)",
    .remedy = "Ask for what a node has, or spread the work over several pods.",
    .source = "Kubernetes scheduler, plugin NodeResourcesFit",
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
        nvidia.com/gpu: 8
    volumeMounts:
    - name: dshm
      mountPath: /dev/shm
  volumes:
  - name: dshm
    emptyDir:
      medium: Memory
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
        nvidia.com/gpu: 4
    volumeMounts:
    - name: dshm
      mountPath: /dev/shm
  volumes:
  - name: dshm
    emptyDir:
      medium: Memory
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
