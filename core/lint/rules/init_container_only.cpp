#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const AskView& ask : pod.asks) {
    const ContainerView* init = nullptr;
    bool worker = false;
    for (const ContainerView& container : pod.containers) {
      const ResourceEntry* entry = container.ask(ask.resource);
      if (!entry || entry->is_zero()) continue;
      if (container.at->init && !container.at->sidecar)
        init = &container;
      else
        worker = true;
    }
    if (!init || worker) continue;
    report.add({
        .node = init->ask(ask.resource)->key_node,
        .field = init->path() + ".resources.limits[" + ask.resource + "]",
        .message = "only an init container asks for " + ask.resource +
                   ": it stays reserved for the life of the pod, and no container may use it",
        .container = init->at->name,
    });
  }
}

}  // namespace

constinit const Rule init_container_only{
    .code = "GPU011",
    .name = "init-container-only",
    .severity = Severity::warning,
    .summary = "Only an init container asks for the accelerator",
    .why =
        R"(The scheduler counts for a pod the larger of its init containers and the sum of the others,
and holds that much for as long as the pod lives. An accelerator that only an init container asks for
(to convert a model, to warm a cache) is thus kept from everybody until the pod ends, while the
containers that do the work do not get it. Mostly the request was written one container too high.)",
    .remedy =
        "Ask in the container that uses the device. For preparation alone use a Job of its own.",
    .source = "Kubernetes, Init Containers, \"Resource sharing within containers\"",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: serve
spec:
  initContainers:
  - name: convert
    image: nvcr.io/nvidia/tensorrt:25.01-py3
    resources:
      limits:
        nvidia.com/gpu: 1
  containers:
  - name: server
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 16Gi
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
  initContainers:
  - name: convert
    image: nvcr.io/nvidia/tensorrt:25.01-py3
    resources:
      limits:
        nvidia.com/gpu: 1
  containers:
  - name: server
    image: nvcr.io/nvidia/tritonserver:25.01-py3
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
