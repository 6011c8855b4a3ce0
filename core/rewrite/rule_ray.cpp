#include <algorithm>
#include <cctype>
#include <string_view>

#include "core/rewrite/rules.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

bool takes_digits(std::string_view& text) {
  const std::size_t before = text.size();
  while (!text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) != 0) {
    text.remove_prefix(1);
  }
  return text.size() < before;
}

bool takes(std::string_view& text, std::string_view part) {
  if (!text.starts_with(part)) return false;
  text.remove_prefix(part.size());
  return true;
}

/// IsGPUResourceKey of KubeRay (ray-operator/controllers/ray/utils/resources.go): what ends in gpu,
/// and nvidia.com/mig-1g.5gb.
bool kuberay_counts(std::string_view resource) {
  if (resource.ends_with("gpu")) return true;
  std::string_view rest = resource;
  return takes(rest, "nvidia.com/mig-") && takes_digits(rest) && takes(rest, "g.") &&
         takes_digits(rest) && rest == "gb";
}

/// A GPU by a name that KubeRay does not know; TPUs and Neuron cores it counts in another way.
bool is_unknown_gpu(std::string_view resource) {
  const bool gpu = resource.starts_with("nvidia.com/") || resource.starts_with("amd.com/") ||
                   resource.starts_with("gpu.intel.com/");
  return gpu && !kuberay_counts(resource);
}

}  // namespace

void tell_ray(Work& work) {
  PodModel& pod = work.pod;
  if (!pod.at->ray_group || pod.ray_gpus.node != yaml::no_node || !pod.ray_resource_key.empty())
    return;
  // KubeRay looks at the first container and its limits only.
  const auto first = std::find_if(pod.containers.begin(), pod.containers.end(),
                                  [](const ContainerModel& c) { return !c.at->init; });
  if (first == pod.containers.end()) return;
  for (const Entry& limit : first->limits.all()) {
    if (limit.removed || (!limit.why && !limit.renamed) || !is_unknown_gpu(limit.key)) continue;
    const yaml::Why why{"ray", "KubeRay does not count " + limit.key + " by itself"};
    // Only one of rayStartParams and the group's resources may say it.
    const yaml::NodeId group = pod.at->ray_group.get(*pod.tree);
    if (yaml::get(*pod.tree, group, "resources") != yaml::no_node) {
      pod.ray_resource_key = "GPU";
      pod.ray_resource.value = limit.value;
      pod.ray_resource.why = why;
    } else {
      pod.ray_gpus.value = limit.value;
      pod.ray_gpus.why = why;
    }
    return;
  }
}

}  // namespace gpuspec::rewrite
