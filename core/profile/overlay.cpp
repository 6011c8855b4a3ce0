#include <algorithm>

#include "core/profile/resolve.h"

namespace gpuspec::profile {
namespace {

template <typename Value>
void replace_when_set(std::optional<Value>& into, const std::optional<Value>& from) {
  if (from) into = from;
}

void replace_when_set(std::vector<std::string>& into, const std::vector<std::string>& from) {
  if (!from.empty()) into = from;
}

void put_all(Pairs& into, const Pairs& from) {
  for (const auto& pair : from) {
    const auto known = std::find_if(into.begin(), into.end(),
                                    [&](const auto& other) { return other.first == pair.first; });
    if (known == into.end()) {
      into.push_back(pair);
    } else {
      known->second = pair.second;
    }
  }
}

void overlay_select(Select& select, const Select& flags) {
  replace_when_set(select.kinds, flags.kinds);
  replace_when_set(select.names, flags.names);
  replace_when_set(select.namespaces, flags.namespaces);
  if (!flags.label_selector.empty()) select.label_selector = flags.label_selector;
  if (!flags.containers.empty()) {
    select.containers = flags.containers;
    select.first_container = false;
  }
  select.all_pods = select.all_pods || flags.all_pods;
}

void overlay_device(Profile& profile, const Profile& flags) {
  if (flags.accelerator && flags.accelerator != profile.accelerator) {
    // The part that was asked for belonged to the other device.
    profile.partition.reset();
    profile.unpartitioned = false;
  }
  if (flags.accelerator) {
    profile.accelerator = flags.accelerator;
    profile.device_by_flag = true;
    profile.vocabulary.accelerator_at = {};
  }
  if (flags.partition) {
    profile.partition = flags.partition;
    profile.unpartitioned = false;
    profile.device_by_flag = true;
    profile.vocabulary.partition_at = {};
  }
  if (flags.unpartitioned) {
    profile.unpartitioned = true;
    profile.partition.reset();
    profile.vocabulary.partition_at = {};
    profile.device_by_flag = true;
  }
  replace_when_set(profile.resource, flags.resource);
  if (flags.resource && profile.accelerator_resources) {
    profile.accelerator_resources->push_back(*flags.resource);
  }
  replace_when_set(profile.device_label, flags.device_label);
  replace_when_set(profile.partition_label, flags.partition_label);
}

}  // namespace

void overlay(Profile& profile, const Profile& flags) {
  overlay_select(profile.select, flags.select);
  overlay_device(profile, flags);
  replace_when_set(profile.gpus, flags.gpus);
  replace_when_set(profile.selector_style, flags.selector_style);
  replace_when_set(profile.default_resource_tolerations, flags.default_resource_tolerations);
  replace_when_set(profile.device_tolerations, flags.device_tolerations);
  replace_when_set(profile.runtime_class, flags.runtime_class);
  replace_when_set(profile.priority_class, flags.priority_class);
  replace_when_set(profile.scheduler, flags.scheduler);
  replace_when_set(profile.shared_memory, flags.shared_memory);
  replace_when_set(profile.image, flags.image);
  replace_when_set(profile.conflict, flags.conflict);
  profile.all_extended_resources = profile.all_extended_resources || flags.all_extended_resources;
  profile.tolerations.insert(profile.tolerations.end(), flags.tolerations.begin(),
                             flags.tolerations.end());
  put_all(profile.node_selector, flags.node_selector);
  put_all(profile.env, flags.env);
  auto& from = profile.env_from;
  from.erase(std::remove_if(from.begin(), from.end(),
                            [&](const auto& variable) {
                              return std::any_of(
                                  flags.env.begin(), flags.env.end(),
                                  [&](const auto& e) { return e.first == variable.first; });
                            }),
             from.end());
  for (const auto& change : flags.requests) profile.requests[change.first] = change.second;
  for (const auto& change : flags.limits) profile.limits[change.first] = change.second;
}

}  // namespace gpuspec::profile
