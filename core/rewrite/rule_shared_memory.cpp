#include <algorithm>

#include "core/kube/quantity.h"
#include "core/rewrite/rules.h"

namespace gpuspec::rewrite {
namespace {

constexpr std::string_view shm = "/dev/shm";

bool is_shm(std::string_view path) {
  while (path.size() > 1 && path.ends_with('/')) path.remove_suffix(1);
  return path == shm;
}

bool has_mount(const ContainerModel& container) {
  return std::any_of(container.mounts.begin(), container.mounts.end(),
                     [](const Mount& mount) { return is_shm(mount.path); });
}

/// The volume to mount: dshm, or another name when that is taken by something else.
Volume& memory_volume(Work& work, const std::string& size, const yaml::Why& why) {
  auto& volumes = work.pod.volumes;
  std::string name = "dshm";
  for (int number = 1;; ++number) {
    const auto there = std::find_if(volumes.begin(), volumes.end(),
                                    [&](const Volume& volume) { return volume.name == name; });
    if (there == volumes.end()) break;
    if (there->memory) return *there;
    work.note(there->node, "the volume " + name + " is no memory; another name is used");
    name = "dshm-" + std::to_string(number);
  }
  volumes.push_back({.name = name, .memory = true, .size = size, .why = why});
  return volumes.back();
}

}  // namespace

void add_shared_memory(Work& work) {
  if (!work.profile.shared_memory) return;
  const std::string& size = *work.profile.shared_memory;
  const yaml::Why why{"shared-memory", "/dev/shm of " + size + " is asked for" + work.by_profile()};
  PodModel& pod = work.pod;
  if (pod.at->shared_memory) {
    if (kube::same_quantity(pod.shared_memory.value, size)) return;
    set_scalar(work, pod.shared_memory, size, "shared memory", "shared-memory");
    return;
  }
  for (const std::size_t i : work.containers) {
    ContainerModel& container = pod.containers[i];
    if (has_mount(container)) continue;
    if (!container.at->volume_mounts || !pod.at->volumes) {
      work.warn(container.at->node,
                container.at->path + " has no volumes in this kind: /dev/shm not added");
      continue;
    }
    Volume& volume = memory_volume(work, size, why);
    if (!kube::same_quantity(volume.size, size) &&
        may_replace(work, volume.node,
                    "the volume " + volume.name + " has sizeLimit " +
                        (volume.size.empty() ? "none" : volume.size),
                    "a size of " + size, "not set")) {
      volume.size = size;
      volume.why = why;
    }
    container.mounts.push_back({volume.name, std::string(shm), why});
  }
}

}  // namespace gpuspec::rewrite
