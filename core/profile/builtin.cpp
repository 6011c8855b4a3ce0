#include "core/profile/builtin.h"

namespace gpuspec::profile {
namespace {

std::vector<kube::Toleration> tolerations(std::span<const accelerator::TableToleration> table) {
  std::vector<kube::Toleration> out;
  for (const auto& entry : table) {
    kube::Toleration toleration;
    toleration.key = entry.key;
    toleration.op = entry.op;
    toleration.value = entry.value;
    toleration.effect = entry.effect;
    out.push_back(std::move(toleration));
  }
  return out;
}

}  // namespace

Profile platform_profile(const accelerator::Platform& platform) {
  Profile profile;
  profile.name = platform.name;
  profile.description = platform.title;
  profile.vocabulary.platform = platform.name;
  if (platform.node_selector_style) profile.selector_style = SelectorStyle::node_selector;
  if (!platform.device_tolerations) profile.device_tolerations = false;
  for (const auto& entry : platform.resource_tolerations) {
    profile.resource_tolerations.emplace_back(entry.resource, tolerations(entry.tolerations));
  }
  profile.interruptible.tolerations = tolerations(platform.spot_tolerations);
  return profile;
}

Profile spelled_out(const accelerator::Platform& platform) {
  Profile profile = platform_profile(platform);
  const auto& first = platform.classes.front();
  profile.resource = std::string(first.resource);
  profile.device_label = std::string(first.device_label);
  if (!first.partition_label.empty()) profile.partition_label = std::string(first.partition_label);
  for (const auto& kind : platform.classes) {
    if (platform.classes.size() == 1) break;
    DeviceClass known;
    known.name = kind.name;
    known.resource = std::string(kind.resource);
    known.device_label = std::string(kind.device_label);
    if (!kind.partition_label.empty()) known.partition_label = std::string(kind.partition_label);
    profile.vocabulary.classes.push_back(std::move(known));
  }
  if (platform.values_are_alternatives) return profile;  // no single value says it
  for (const auto& entry : platform.devices) {
    profile.vocabulary.devices.emplace_back(entry.device, entry.values.front());
  }
  return profile;
}

std::vector<std::string_view> builtin_names() {
  std::vector<std::string_view> names;
  for (const auto& platform : accelerator::platforms()) names.push_back(platform.name);
  return names;
}

}  // namespace gpuspec::profile
