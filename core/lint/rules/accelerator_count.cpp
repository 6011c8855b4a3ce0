#include <algorithm>
#include <charconv>

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::string_view device_label = "cloud.google.com/gke-accelerator";
constexpr std::string_view count_label = "cloud.google.com/gke-accelerator-count";

std::string list(std::span<const int> counts) {
  std::string text;
  for (int count : counts) text += (text.empty() ? "" : ", ") + std::to_string(count);
  return text;
}

/// The numbers of GPUs that a GKE node with this device can have.
std::span<const int> counts_of(const std::string& value) {
  const accelerator::Platform* gke = accelerator::find_platform("gke");
  const accelerator::Device* device = gke ? accelerator::device_with_value(*gke, value) : nullptr;
  if (device)
    for (const accelerator::PlatformCounts& entry : gke->counts)
      if (entry.device == device->name) return entry.counts;
  return {};
}

const RequirementView* find(const std::vector<const RequirementView*>& requirements,
                            std::string_view key) {
  for (const RequirementView* requirement : requirements)
    if (requirement->key == key && requirement->op == "In" && requirement->values.size() == 1)
      return requirement;
  return nullptr;
}

void check(const PodView& pod, Report& report) {
  for (const auto& alternative : pod.alternatives()) {
    const RequirementView* device = find(alternative, device_label);
    if (!device) continue;
    const std::span<const int> counts = counts_of(device->values[0]);
    if (counts.empty()) continue;
    const int most = *std::max_element(counts.begin(), counts.end());
    if (const RequirementView* wanted = find(alternative, count_label)) {
      int number = 0;
      const std::string& text = wanted->values[0];
      const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
      if (error != std::errc() || std::find(counts.begin(), counts.end(), number) == counts.end())
        report.add({.node = wanted->node,
                    .field = wanted->path,
                    .message = "no GKE node has " + text + " of " + device->values[0] +
                               ": there are nodes with " + list(counts)});
      (void)rest;
    }
    for (const AskView& ask : pod.asks)
      if (ask.resource == "nvidia.com/gpu" && ask.count > most)
        report.add({.node = ask.node,
                    .field = ask.field,
                    .message = "asks for " + std::to_string(ask.count) + " of " + ask.resource +
                               ", but GKE nodes with " + device->values[0] + " have " +
                               list(counts),
                    .container = ask.container});
    return;
  }
}

}  // namespace

constinit const Rule accelerator_count{
    .code = "GPU212",
    .name = "accelerator-count",
    .severity = Severity::warning,
    .summary = "A number of GPUs that no GKE node with this device has",
    .why =
        R"(GKE offers each device in fixed numbers: H200 and B200 come eight to a node, GB200 four,
T4 one, two or four. A pod that asks for more than the largest node has waits for good, and so does
one that selects gke-accelerator-count with a number that is not offered; on Autopilot it is refused
at once.)",
    .remedy =
        "Ask for a number that a node has. For more devices use several pods (a Job with "
        "parallelism, a JobSet, an MPIJob).",
    .source = "GKE Cluster Autoscaler, GPU limits of machine types",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-l4
    cloud.google.com/gke-accelerator-count: "3"
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
    resources:
      requests:
        memory: 16Gi
      limits:
        nvidia.com/gpu: 1
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-l4
    cloud.google.com/gke-accelerator-count: "2"
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
