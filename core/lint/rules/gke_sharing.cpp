#include <charconv>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::string_view strategy_label = "cloud.google.com/gke-gpu-sharing-strategy";
constexpr std::string_view clients_label = "cloud.google.com/gke-max-shared-clients-per-gpu";

void check_values(const RequirementView& requirement, Report& report) {
  if (requirement.op != "In") return;
  for (std::size_t i = 0; i < requirement.values.size(); ++i) {
    const std::string& value = requirement.values[i];
    std::string message;
    if (requirement.key == strategy_label) {
      if (value == "time-sharing" || value == "mps") continue;
      message = "no sharing strategy is called " + value + ": time-sharing or mps, in lower case";
    } else {
      int number = 0;
      const auto [rest, error] = std::from_chars(value.data(), value.data() + value.size(), number);
      if (error == std::errc() && rest == value.data() + value.size() && number >= 2 &&
          number <= 48)
        continue;
      message = "2 to 48 clients can share a GPU, not " + value;
    }
    report.add({.node = requirement.value_nodes[i], .field = requirement.path, .message = message});
  }
}

void check(const PodView& pod, Report& report) {
  for (const auto& alternative : pod.alternatives()) {
    const RequirementView* strategy = nullptr;
    const RequirementView* clients = nullptr;
    for (const RequirementView* requirement : alternative) {
      if (requirement->key == strategy_label) strategy = requirement;
      if (requirement->key == clients_label) clients = requirement;
    }
    if (strategy) check_values(*strategy, report);
    if (clients) check_values(*clients, report);
    if (!strategy != !clients) {
      const RequirementView& one = strategy ? *strategy : *clients;
      report.add({
          .node = one.key_node,
          .field = one.path,
          .message = one.key + " without " +
                     std::string(strategy ? clients_label : strategy_label) +
                     ": Autopilot refuses a pod that says only one of them",
      });
    }
    if (strategy || clients) return;
  }
}

}  // namespace

constinit const Rule gke_sharing{
    .code = "GPU306",
    .name = "gke-sharing",
    .severity = Severity::warning,
    .summary =
        "GKE's two GPU sharing labels do not come together, or have values that it does not know",
    .why =
        R"(On GKE a pod that takes a share of a GPU selects two labels: gke-gpu-sharing-strategy
(time-sharing or mps) and gke-max-shared-clients-per-gpu (2 to 48). Autopilot and node auto-provisioning
build a node from them and refuse a pod that says only one. The values are written in lower case on
nodes, though some pages print the API's TIME_SHARING.)",
    .remedy = "Select both labels.",
    .source = "GKE, GPU time-sharing and NVIDIA MPS; GKE Cluster Autoscaler",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-t4
    cloud.google.com/gke-gpu-sharing-strategy: time-sharing
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu: 1
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-t4
    cloud.google.com/gke-gpu-sharing-strategy: time-sharing
    cloud.google.com/gke-max-shared-clients-per-gpu: "2"
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu: 1
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
