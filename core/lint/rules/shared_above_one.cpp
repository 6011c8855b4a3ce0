#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// Why GKE gives a container only one of nvidia.com/gpu; empty when it gives more.
std::string gke_reason(const PodView& pod) {
  for (const RequirementView* requirement : pod.requirements()) {
    if (requirement->op != "In") continue;
    if (requirement->key == "cloud.google.com/gke-gpu-partition-size") return "with GPU partitions";
    if (requirement->key == "cloud.google.com/gke-gpu-sharing-strategy" &&
        requirement->values == std::vector<std::string>{"time-sharing"})
      return "with time-sharing";
  }
  return {};
}

void check(const PodView& pod, Report& report) {
  const std::string reason = gke_reason(pod);
  for (const ContainerView& container : pod.containers) {
    for (const ResourceEntry& entry : container.limits) {
      if (!entry.quantity || entry.quantity->value() <= 1) continue;
      const bool shared = entry.key.starts_with("nvidia.com/") && entry.key.ends_with(".shared");
      const bool gke = entry.key == "nvidia.com/gpu" && !reason.empty();
      if (!shared && !gke) continue;
      report.add({
          .node = entry.value_node,
          .field = container.path() + ".resources.limits[" + entry.key + "]",
          .message =
              gke ? "GKE gives a container one " + entry.key + " " + reason + ", not " + entry.text
                  : entry.text + " shares of a device are no larger part of it than one",
          .container = container.at->name,
          .severity = gke ? std::optional(Severity::error) : std::nullopt,
      });
    }
  }
}

}  // namespace

constinit const Rule shared_above_one{
    .code = "GPU304",
    .name = "shared-above-one",
    .severity = Severity::warning,
    .summary = "More than one share of a shared device is asked for",
    .why =
        R"(A share (nvidia.com/gpu.shared, a time-sliced nvidia.com/gpu, a GKE partition) is an entry
ticket, not a size: two of them give the container the same device no larger and no faster, and may
even be two shares of one device. NVIDIA's device plugin can be set to refuse such pods
(failRequestsGreaterThanOne), and then they end with UnexpectedAdmissionError; GKE always refuses
them, which makes it an error there.)",
    .remedy = "Ask for 1. For more of a device take a larger MIG profile or a whole one.",
    .source = "NVIDIA k8s-device-plugin, time-slicing; GKE, GPU time-sharing, \"requests\"",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu.shared: 2
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu.shared: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
