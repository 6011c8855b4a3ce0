#include <array>

#include "core/accelerator/resources.h"
#include "core/kube/names.h"
#include "core/lint/rules/rules.h"
#include "core/text/suggest.h"

namespace gpuspec::lint::rules {
namespace {

/// Names that people ask for, which a slip of a letter or two is held against.
constexpr std::array<std::string_view, 8> usual = {
    "nvidia.com/gpu",     "amd.com/gpu",           "habana.ai/gaudi",
    "google.com/tpu",     "aws.amazon.com/neuron", "aws.amazon.com/neuroncore",
    "gpu.intel.com/i915", "nvidia.com/gpu.shared"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return out;
}

/// The name that was probably meant; empty when the name may well be right.
std::string_view meant(const PodView& pod, const std::string& name) {
  if (!kube::is_extended_resource(name)) return {};
  if (pod.settings.nodes)
    for (const kube::Node& node : *pod.settings.nodes)
      if (node.allocatable.contains(name)) return {};
  // nvidia.com/gpus fits a pattern of the table for renamed resources; it is a slip all the same.
  const accelerator::Resource* known = accelerator::find_resource(name);
  const bool by_pattern = known && known->name.find('*') != std::string_view::npos;
  if (known && !by_pattern) return {};
  for (std::string_view candidate : usual) {
    if (name == candidate) return {};
    if (lower(name) == candidate || name == std::string(candidate) + "s") return candidate;
    if (!known && text::edit_distance(name, candidate) <= 2) return candidate;
  }
  return {};
}

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        const std::string_view instead = meant(pod, entry.key);
        if (instead.empty()) continue;
        report.add({
            .node = entry.key_node,
            .field = container.path() + ".resources." + list + "[" + entry.key + "]",
            .message = "no device plugin offers " + entry.key + "; did you mean " +
                       std::string(instead) + "?",
            .container = container.at->name,
        });
      }
    }
  }
}

}  // namespace

constinit const Rule misspelled_resource{
    .code = "GPU013",
    .name = "misspelled-resource",
    .severity = Severity::warning,
    .summary = "A resource name that is nearly the name of an accelerator",
    .why =
        R"(Any name with a domain is a legal extended resource, so nvidia.com/gpus or nvdia.com/gpu
passes every validation. As no node offers it the pod stays Pending with "Insufficient
nvidia.com/gpus", and rules, quotas and tolerations that go by the name do not see that it asks for a
GPU.)",
    .remedy =
        "Write the name that the message suggests. A cluster that really has such a resource "
        "proves it with --nodes.",
    .source = "Kubernetes, Extended Resources; names registered by device plugins",
    .example = {.bad = R"(apiVersion: v1
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
        nvdia.com/gpu: 1
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
