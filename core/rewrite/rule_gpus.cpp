#include <algorithm>

#include "core/kube/quantity.h"
#include "core/rewrite/asking.h"
#include "core/rewrite/rules.h"
#include "core/rewrite/select.h"

namespace gpuspec::rewrite {
namespace {

void set_count(Scalar& field, const std::string& count, const yaml::Why& why) {
  if (kube::same_quantity(field.value, count)) return;
  field.value = count;
  field.why = why;
}

/// A kind that counts accelerators in a field of its own.
void set_own_field(Work& work, const std::string& resource, const std::string& count,
                   const yaml::Why& why) {
  set_count(work.pod.gpu_count, count, why);
  if (work.pod.at->gpu_resource && work.pod.gpu_resource.value.empty()) {
    work.pod.gpu_resource.value = resource;
    if (resource != work.pod.at->gpu_default) work.pod.gpu_resource.why = why;
  }
}

/// What Ray itself believes about the pods of a group must stay true.
void follow_in_ray(Work& work, const std::string& count, const yaml::Why& why) {
  if (work.pod.ray_gpus.node != yaml::no_node) set_count(work.pod.ray_gpus, count, why);
  if (!work.pod.ray_resource_key.empty()) set_count(work.pod.ray_resource, count, why);
}

}  // namespace

void set_gpus(Work& work) {
  if (!work.profile.gpus || *work.profile.gpus <= 0) return;
  if (work.pod.at->never_accelerated && !asks(work.pod, work.profile)) return;
  const std::string resource(resource_in_force(work.profile));
  const std::string count = std::to_string(*work.profile.gpus);
  const yaml::Why why{"gpus", count + " of " + resource + " are asked for" + work.by_profile()};
  if (work.pod.at->gpu_count) {
    set_own_field(work, resource, count, why);
    return;
  }
  const std::vector<std::size_t> targets = containers_for_gpus(work.pod, work.profile);
  if (targets.empty()) work.warn(yaml::no_node, "no container to give " + resource + " to");
  for (const std::size_t i : targets) {
    ContainerModel& container = work.pod.containers[i];
    if (!container.at->resources) {
      work.warn(container.at->node,
                container.at->path + " has no resources in this kind: " + resource + " not set");
      continue;
    }
    for (Entries* entries : {&container.limits, &container.requests}) {
      const Entry* entry = entries->find(resource);
      if (entry == nullptr && entries == &container.requests) continue;
      if (entry == nullptr || !kube::same_quantity(entry->value, count))
        entries->set(resource, count, why);
    }
  }
  // The first container is Ray's; what follows it are sidecars.
  const auto first = std::find_if(work.pod.containers.begin(), work.pod.containers.end(),
                                  [](const ContainerModel& c) { return !c.at->init; });
  if (first == work.pod.containers.end()) return;
  const Entry* limit = first->limits.find(resource);
  if (limit != nullptr && kube::same_quantity(limit->value, count)) follow_in_ray(work, count, why);
}

}  // namespace gpuspec::rewrite
