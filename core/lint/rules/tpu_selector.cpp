#include <algorithm>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  const auto ask = std::find_if(pod.asks.begin(), pod.asks.end(),
                                [](const AskView& a) { return a.resource == "google.com/tpu"; });
  if (ask == pod.asks.end() || pod.live()) return;
  bool device = false;
  bool topology = false;
  for (const RequirementView* requirement : pod.requirements()) {
    if (requirement->key == "cloud.google.com/gke-tpu-accelerator") device = true;
    if (requirement->key == "cloud.google.com/gke-tpu-topology") topology = true;
    // A node pool or a compute class by its name says it, too.
    if (requirement->key == "cloud.google.com/gke-nodepool" ||
        requirement->key == "cloud.google.com/compute-class" ||
        requirement->key == "node.kubernetes.io/instance-type" ||
        requirement->key.starts_with("cloud.google.com/gke-tpu-slice"))
      return;
  }
  if (device && topology) return;
  // Dynamic slicing says the shape in an annotation.
  if (!pod.annotation("cloud.google.com/gke-tpu-slice-topology").empty()) return;
  report.add({
      .node = ask->node,
      .field = ask->field,
      .message = std::string("asks for google.com/tpu without selecting ") +
                 (device     ? "cloud.google.com/gke-tpu-topology"
                  : topology ? "cloud.google.com/gke-tpu-accelerator"
                             : "cloud.google.com/gke-tpu-accelerator and "
                               "cloud.google.com/gke-tpu-topology"),
      .container = ask->container,
  });
}

}  // namespace

constinit const Rule tpu_selector{
    .code = "GPU505",
    .name = "tpu-selector",
    .severity = Severity::info,
    .summary = "A TPU is asked for without saying which one in which topology",
    .why =
        R"(google.com/tpu counts chips of any kind. Which TPU and which slice is said by two node
selectors, and Autopilot, node auto-provisioning and the Ray autoscaler need both to make a node. On
a Standard cluster with one TPU node pool it works without; on the day of the second one pods of a
slice land in different slices.)",
    .remedy = "Select cloud.google.com/gke-tpu-accelerator and cloud.google.com/gke-tpu-topology.",
    .source = "GKE, TPUs in GKE; Ray autoscaler on GKE",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
  containers:
  - name: infer
    image: vllm/vllm-tpu:v0.7.2
    resources:
      requests:
        memory: 16Gi
      limits:
        google.com/tpu: 4
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
    cloud.google.com/gke-tpu-topology: 2x2
  containers:
  - name: infer
    image: vllm/vllm-tpu:v0.7.2
    resources:
      requests:
        memory: 16Gi
      limits:
        google.com/tpu: 4
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
