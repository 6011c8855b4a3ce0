#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const AskView& ask : pod.asks) {
    const ContainerView* second = nullptr;
    int containers = 0;
    for (const ContainerView& container : pod.containers) {
      if (container.at->init && !container.at->sidecar) continue;
      const ResourceEntry* entry = container.ask(ask.resource);
      if (!entry || entry->is_zero()) continue;
      if (++containers == 2) second = &container;
    }
    if (!second) continue;
    report.add({
        .node = second->ask(ask.resource)->key_node,
        .field = second->path() + ".resources.limits[" + ask.resource + "]",
        .message = std::to_string(containers) + " containers ask for " + ask.resource +
                   "; devices are not shared between them, so the pod needs " +
                   std::to_string(ask.count) + " on one node",
        .container = second->at->name,
    });
  }
}

}  // namespace

constinit const Rule several_containers{
    .code = "GPU010",
    .name = "several-containers",
    .severity = Severity::info,
    .summary = "Several containers of a pod ask for accelerators, and each gets its own",
    .why =
        R"(Containers of one pod share the network and the volumes, not the devices: each container
that asks for nvidia.com/gpu: 1 gets a device of its own, and the scheduler looks for a node with
the sum. Two containers that were meant to use the same GPU (a server and its exporter, a trainer and
its monitor) then wait for a node with two.)",
    .remedy = "Let one container ask, and run what needs the same device in it; or accept the sum.",
    .source = "NVIDIA k8s-device-plugin issue 1690; Kubernetes, Schedule GPUs",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  containers:
  - name: server
    image: vllm/vllm-openai:v0.7.2
    resources:
      requests:
        memory: 32Gi
      limits:
        nvidia.com/gpu: 1
  - name: metrics
    image: nvcr.io/nvidia/k8s/dcgm-exporter:4.1.0-4.0.1-ubuntu22.04
    resources:
      requests:
        memory: 1Gi
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
  name: serve
spec:
  containers:
  - name: server
    image: vllm/vllm-openai:v0.7.2
    resources:
      requests:
        memory: 32Gi
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
