#include <algorithm>

#include "core/rewrite/asking.h"
#include "core/rewrite/rules.h"

namespace gpuspec::rewrite {
namespace {

void add(Work& work, const kube::Toleration& toleration, const std::string& rule,
         const std::string& reason) {
  auto& list = work.pod.tolerations;
  const bool covered = std::any_of(list.begin(), list.end(), [&](const Tolerance& there) {
    return kube::covers(there.toleration, toleration);
  });
  if (!covered) list.push_back({toleration, yaml::Why{rule, reason + work.by_profile()}});
}

kube::Toleration equal(const std::string& key, const std::string& value) {
  return {.key = key, .op = "Equal", .value = value, .effect = "NoSchedule", .seconds = {}};
}

/// Asked for in a field that is for accelerators only, so whatever its name it is one.
bool is_certain(const Work& work, const std::string& resource) {
  const auto& asks = work.pod.at->asks;
  return std::any_of(asks.begin(), asks.end(),
                     [&](const kube::Ask& ask) { return ask.certain && ask.resource == resource; });
}

void tolerate_resources(Work& work) {
  const auto& listed = work.profile.resource_tolerations;
  for (const std::string& resource : work.resources) {
    const auto entry = std::find_if(listed.begin(), listed.end(), [&](const auto& candidate) {
      return candidate.first == resource;
    });
    const std::string reason = "a container asks for " + resource;
    if (entry != listed.end()) {
      for (const kube::Toleration& toleration : entry->second)
        add(work, toleration, "resource-toleration", reason);
    } else if (work.profile.default_resource_tolerations.value_or(true) &&
               (is_asked_by(work.profile, resource) || is_certain(work, resource))) {
      add(work,
          {.key = resource, .op = "Exists", .value = {}, .effect = "NoSchedule", .seconds = {}},
          "resource-toleration", reason);
    }
  }
}

void tolerate_device(Work& work) {
  const profile::Profile& profile = work.profile;
  const bool by_label = profile.device_tolerations.value_or(true);
  if (profile.accelerator && !work.device_kept) {
    const std::string reason = "nodes with " + *profile.accelerator + " are asked for";
    if (by_label)
      add(work, equal(device_label(profile), *profile.accelerator), "device-toleration", reason);
    for (const kube::Toleration& toleration : profile.device_also_tolerated)
      add(work, toleration, "device-toleration", reason);
  }
  if (work.partition_kept) return;
  if (profile.partition && by_label)
    add(work, equal(partition_label(profile), *profile.partition), "partition-toleration",
        "partitions " + *profile.partition + " are asked for");
  if (profile.unpartitioned && profile.unpartitioned_toleration)
    add(work, *profile.unpartitioned_toleration, "partition-toleration",
        "an unpartitioned device is asked for");
}

}  // namespace

void add_tolerations(Work& work) {
  tolerate_resources(work);
  if (work.asks_accelerator) tolerate_device(work);
  for (const kube::Toleration& toleration : work.profile.tolerations)
    add(work, toleration, "toleration",
        "a toleration of " + (toleration.key.empty() ? std::string("all taints") : toleration.key) +
            " is asked for");
}

}  // namespace gpuspec::rewrite
