#include <algorithm>

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/kube/names.h"
#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"
#include "core/text/suggest.h"

namespace gpuspec::lint::rules {
namespace {

using accelerator::Platform;

/// The platform whose words a device label takes; nullptr where anything may stand there.
const Platform* platform_of(const PodView& pod, std::string_view label) {
  // A label that several platforms share: the one the user names.
  for (const std::string& name : {pod.settings.platform, std::string()}) {
    for (const Platform& platform : accelerator::platforms()) {
      if (!name.empty() && platform.name != name) continue;
      for (const accelerator::PlatformClass& entry : platform.classes)
        if (entry.device_label == label) return &platform;
    }
  }
  return nullptr;
}

/// A value without what GPU Feature Discovery appends for MIG and sharing.
std::string_view product(const Platform& platform, std::string_view value) {
  if (platform.name != "gfd") return value;
  for (std::string_view suffix : {"-MIG-", "-SHARED"})
    if (const std::size_t at = value.find(suffix); at != value.npos) value = value.substr(0, at);
  return value;
}

bool known_to_cluster(const PodView& pod, const std::string& label, const std::string& value) {
  return pod.settings.nodes && std::any_of(pod.settings.nodes->begin(), pod.settings.nodes->end(),
                                           [&](const kube::Node& node) {
                                             const auto found = node.labels.find(label);
                                             return found != node.labels.end() &&
                                                    found->second == value;
                                           });
}

void check_value(const PodView& pod, const RequirementView& requirement, std::size_t i,
                 Report& report) {
  const Platform* platform = platform_of(pod, requirement.key);
  const std::string& value = requirement.values[i];
  // What is no label value is said by GPU201 and GPU202.
  if (!platform || value.empty() || !kube::check_label_value(value).empty() ||
      !platform->value_prefix.empty())
    return;
  const std::string_view name = product(*platform, value);
  const bool gfd = platform->name == "gfd";
  if (accelerator::device_with_value(*platform, name)) return;
  // Drivers before R470 did not say NVIDIA- in front.
  if (gfd && accelerator::device_with_value(*platform, "NVIDIA-" + std::string(name))) return;
  if (known_to_cluster(pod, requirement.key, value)) return;
  // Any value is legal where people label their nodes themselves.
  const bool by_hand = platform->name == "flyte" || platform->name == "eks";

  const accelerator::Device* device = accelerator::find_device(name);
  const accelerator::DeviceValue* entry =
      device ? accelerator::value_of(*platform, *device) : nullptr;
  const yaml::NodeId node =
      i < requirement.value_nodes.size() ? requirement.value_nodes[i] : requirement.node;
  Problem problem{.node = node, .field = requirement.path};
  if (entry) {
    const std::string instead(accelerator::value_for_name(*entry, name));
    problem.message = "no " + std::string(platform->title) + " node has " + requirement.key + "=" +
                      value + ": the value for this device is " + instead;
    if (by_hand) {
      problem.message =
          requirement.key + "=" + value + ": the usual value for this device is " + instead;
      problem.severity = Severity::info;
    } else if (entry->values.size() == 1 && name == value) {
      problem.fix = "write " + instead;
      problem.apply = [requirement, i, instead](yaml::Changes& changes) {
        const yaml::Why why{"unknown-device", "the platform's name of the device"};
        if (requirement.selector)
          changes.set(requirement.place, requirement.key, yaml::Value::string(instead), why);
        else
          changes.set(requirement.place / "values", "[" + std::to_string(i) + "]",
                      yaml::Value::string(instead), why);
      };
    }
  } else if (device) {
    if (by_hand) return;
    problem.message = std::string(platform->title) + " has no " + std::string(device->name) + " (" +
                      requirement.key + "=" + value + ")";
    problem.severity = Severity::info;  // the table may be older than the platform
  } else {
    const std::string suggestion = accelerator::suggest_device(name, platform->name);
    if (suggestion.empty() && by_hand) return;
    // GPU Feature Discovery writes what the driver says: there are more products than the tables
    // have, and only a slip of a letter or two is taken for one.
    if (gfd && (suggestion.empty() || text::edit_distance(name, suggestion) > 2)) return;
    problem.message = "\"" + value + "\" is no device that gpuspec knows";
    if (suggestion.empty())
      problem.severity = Severity::info;
    else
      problem.message += "; did you mean " + suggestion + "?";
  }
  report.add(std::move(problem));
}

void check(const PodView& pod, Report& report) {
  for (const RequirementView* requirement : pod.requirements()) {
    if (requirement->op != "In" && requirement->op != "NotIn") continue;
    if (label_kind(requirement->key) != "model") continue;
    for (std::size_t i = 0; i < requirement->values.size(); ++i)
      check_value(pod, *requirement, i, report);
  }
}

}  // namespace

constinit const Rule unknown_device{
    .code = "GPU205",
    .name = "unknown-device",
    .severity = Severity::warning,
    .summary = "A device label has a value that the platform does not use",
    .why =
        R"(Every platform spells devices in its own way: nvidia-l4 but nvidia-tesla-t4 on GKE, t4 for
Karpenter, Tesla-T4 from GPU Feature Discovery. A value that no node carries is no error to anybody:
the pod waits, an autoscaler says that no node group would fit, and nothing names the misspelled
word. Values are held against the tables of the platform that the label belongs to. One that the
tables do not know and that resembles none is only mentioned, as a new device may be newer than the
tables; with --nodes the labels of the cluster count.)",
    .remedy =
        "Use the value that the message suggests, or look it up: kubectl get nodes -L LABEL. "
        "gpuspec profile show PLATFORM lists the names it knows.",
    .source = "Karpenter issue 5073; platform tables of gpuspec with their sources",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-l4
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
