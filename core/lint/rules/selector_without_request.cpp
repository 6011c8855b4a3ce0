#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// The requirement wants a node of this kind, rather than to keep away from it.
bool wants(const RequirementView& requirement) {
  if (requirement.op == "In")
    return !(requirement.values.size() == 1 && requirement.values[0] == "false");
  return requirement.op == "Exists" || requirement.op == "Gt";
}

void check(const PodView& pod, Report& report) {
  // Daemons select accelerator nodes to serve them, not to use the devices.
  if (pod.asks_accelerator() || pod.asks_otherwise() || pod.daemon_set() || pod.live()) return;
  for (const RequirementView* requirement : pod.requirements()) {
    const std::string_view kind = label_kind(requirement->key);
    if (kind != "model" && kind != "partition" && kind != "topology") continue;
    if (!wants(*requirement)) continue;
    report.add({
        .node = requirement->key_node,
        .field = requirement->path,
        .message = "selects nodes by " + requirement->key + " but asks for no accelerator",
    });
    return;  // one word about it is enough
  }
}

}  // namespace

constinit const Rule selector_without_request{
    .code = "GPU204",
    .name = "selector-without-request",
    .severity = Severity::warning,
    .summary = "A pod selects a device or partition but asks for no accelerator",
    .why =
        R"(A node selector brings the pod to the node; only a limit (nvidia.com/gpu: 1) gets it the
device. Without one the device plugin hands out nothing: the program sees no device, or, where the
image sets NVIDIA_VISIBLE_DEVICES=all and the runtime obeys, all devices of the node, those of other
pods too. Either way the scheduler does not know, and gives the devices to others.)",
    .remedy =
        "Add the accelerator to the limits of the container that uses it, or drop the selector. "
        "DaemonSets are left alone.",
    .source = "Kubernetes, Schedule GPUs; NVIDIA k8s-device-plugin issue 87",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-l4
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
    resources:
      requests:
        memory: 16Gi
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-l4
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
    resources:
      requests:
        memory: 16Gi
      limits:
        nvidia.com/gpu: 1
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
