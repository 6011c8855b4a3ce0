#include "core/accelerator/tables.h"

namespace gpuspec::accelerator::tables {
namespace {

#include "accelerator_tables.inc"  // generated from schemas/

}  // namespace

std::span<const Resource> resources() {
  return resource_table;
}
std::span<const Device> devices() {
  return device_table;
}
std::span<const Platform> platforms() {
  return platform_table;
}
std::span<const NodeLabel> labels() {
  return label_table;
}
std::span<const InstanceType> instances() {
  return instance_table;
}

bool fits(std::string_view pattern, std::string_view text) {
  const auto star = pattern.find('*');
  if (star == std::string_view::npos) return pattern == text;
  if (text.substr(0, star) != pattern.substr(0, star)) return false;
  const auto rest = pattern.substr(star + 1);
  if (rest.empty()) return true;
  for (std::size_t skip = star; skip <= text.size(); ++skip) {
    if (fits(rest, text.substr(skip))) return true;
  }
  return false;
}

}  // namespace gpuspec::accelerator::tables
