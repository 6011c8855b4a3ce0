#include "core/accelerator/resources.h"

#include "core/accelerator/tables.h"

namespace gpuspec::accelerator {
namespace {

/// Whether `text` fits the pattern, in which each `*` stands for any text.
bool fits(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const auto rest = pattern.substr(star + 1);
  for (std::size_t skip = star; skip <= text.size(); ++skip) {
    if (fits(rest, text.substr(skip))) return true;
    if (rest.empty()) return true;
  }
  return false;
}

}  // namespace

const Resource* find_resource(std::string_view name) {
  if (name.find('/') == std::string_view::npos) return nullptr;  // cpu, memory: never ours
  const Resource* best = nullptr;
  for (const Resource& resource : tables::resources()) {
    if (resource.name == name) return &resource;
    if (best && best->name.size() >= resource.name.size()) continue;
    if (fits(resource.name, name)) best = &resource;
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
