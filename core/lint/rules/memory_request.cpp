#include <algorithm>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (yaml::get(pod.tree, pod.field("resources"), {"requests", "memory"}) != yaml::no_node ||
      yaml::get(pod.tree, pod.field("resources"), {"limits", "memory"}) != yaml::no_node)
    return;
  for (const ContainerView& container : pod.containers) {
    if (container.at->init && !container.at->sidecar) continue;
    if (container.ask("memory")) continue;
    const auto asks = std::find_if(pod.asks.begin(), pod.asks.end(), [&](const AskView& ask) {
      return container.ask(ask.resource) && !container.ask(ask.resource)->is_zero();
    });
    if (asks == pod.asks.end()) continue;
    report.add({
        .node = container.ask(asks->resource)->key_node,
        .field = container.path() + ".resources.requests.memory",
        .message = "asks for " + asks->resource + " but guarantees itself no memory",
        .container = container.at->name,
    });
  }
}

}  // namespace

constinit const Rule memory_request{
    .code = "GPU009",
    .name = "memory-request",
    .severity = Severity::info,
    .summary = "A container with an accelerator requests no memory",
    .why =
        R"(Accelerator work moves its data through main memory, and frameworks take gigabytes of it
before the first batch. Without a memory request the scheduler counts nothing for the pod: it may
land on a node whose memory is taken, and it is among the first that the kernel's OOM killer and the
kubelet's eviction choose. As the pod holds the device, losing it loses the most expensive part of
the node.)",
    .remedy =
        "Request what the work needs, at most what the node has left after its daemons. For one "
        "pod per node (the usual size for training) take nearly the whole node, limit equal to "
        "request.",
    .source =
        "2i2c infrastructure guide, GPU profiles (mem_guarantee); NVIDIA aicr policy wish list",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
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
        memory: 14G
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
