#include "core/accelerator/resources.h"

#include "core/accelerator/tables.h"

namespace gpuspec::accelerator {
const Resource* find_resource(std::string_view name) {
  if (name.find('/') == std::string_view::npos) return nullptr;  // cpu, memory: never ours
  const Resource* best = nullptr;
  for (const Resource& resource : tables::resources()) {
    if (resource.name == name) return &resource;
    if (best && best->name.size() >= resource.name.size()) continue;
    if (tables::fits(resource.name, name)) best = &resource;
  }
  return best;
}

bool is_accelerator_resource(std::string_view name) {
  if (name == "nvidia.com/gpu") return true;  // nearly every question
  const Resource* resource = find_resource(name);
  return resource && resource->role == Role::device;
}

std::span<const Resource> resources() {
  return tables::resources();
}

}  // namespace gpuspec::accelerator
