#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!pod.full || pod.daemon_set()) return;
  for (const ContainerView& container : pod.containers) {
    // A pod takes all TPU chips of its machine, so there are no others to see.
    if (!container.asks_any(pod) || container.ask("google.com/tpu")) continue;
    const yaml::NodeId node =
        yaml::get(pod.tree, container.at->node, {"securityContext", "privileged"});
    if (node == yaml::no_node || yaml::type_of(pod.tree, node) != yaml::Type::boolean ||
        yaml::scalar_text(pod.tree, node) != "true")
      continue;
    report.add({
        .node = node,
        .field = container.path() + ".securityContext.privileged",
        .message =
            "a privileged container sees every device of the node, not only those it was given",
        .container = container.at->name,
    });
  }
}

}  // namespace

constinit const Rule privileged{
    .code = "GPU403",
    .name = "privileged",
    .severity = Severity::warning,
    .summary = "A container that asks for an accelerator is privileged",
    .why =
        R"(A privileged container gets all of /dev. It asked for one GPU, was given one, and sees eight:
a framework that takes all visible devices (they all do) then trains on those of other pods, which
fail with out-of-memory. Accelerators need no privileges when they come from a device plugin.)",
    .remedy =
        "Remove privileged: true. For RDMA add the capability IPC_LOCK and ask for the network "
        "device as a resource.",
    .source = "kubernetes/kubernetes issue 81256; NVIDIA k8s-device-plugin issue 336",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    securityContext:
      privileged: true
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
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
