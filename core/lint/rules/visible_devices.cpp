#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (pod.daemon_set()) return;  // device plugins, exporters and validators need to see everything
  for (const ContainerView& container : pod.containers) {
    for (const Entry& variable : container.env) {
      if (variable.key != "NVIDIA_VISIBLE_DEVICES") continue;
      const bool asks = container.asks_any(pod);
      const bool hides =
          variable.text == "void" || variable.text == "none" || variable.text.empty();
      if (hides && !asks) continue;  // the way to keep devices from a pod on a GPU node
      report.add({
          .node = variable.value_node,
          .field = container.path() + ".env[NVIDIA_VISIBLE_DEVICES]",
          .message =
              asks ? "NVIDIA_VISIBLE_DEVICES is the device plugin's to set; " + variable.text +
                         " written here may hide the device that was handed out, or show others"
                   : "NVIDIA_VISIBLE_DEVICES=" + variable.text +
                         " takes devices behind the scheduler's back",
          .container = container.at->name,
      });
    }
  }
}

}  // namespace

constinit const Rule visible_devices{
    .code = "GPU402",
    .name = "visible-devices",
    .severity = Severity::warning,
    .summary = "NVIDIA_VISIBLE_DEVICES is set by hand",
    .why =
        R"(The NVIDIA runtime puts into a container the devices that this variable names. The device
plugin sets it to the ones that the scheduler reserved. A manifest that sets it itself, mostly to
"all", reaches into devices that belong to other pods: both run out of memory at random, and no
accounting shows why. On a pod without a request the values void and none are right: they keep an
image that says "all" from seeing any device.)",
    .remedy =
        "Remove the variable and ask for nvidia.com/gpu. On a CPU pod on a GPU node use void.",
    .source = "NVIDIA k8s-device-plugin issues 87 and 203; Ray, GPU multi-tenancy",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
    env:
    - name: NVIDIA_VISIBLE_DEVICES
      value: all
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
  name: infer
spec:
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
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
