#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace gpuspec::accelerator {

/// What a resource name means for a pod that asks for it (schemas/resources.yaml).
enum class Role : std::uint8_t {
  device,     ///< asks for accelerators, or for part of one
  companion,  ///< comes with an accelerator (monitoring, network), never asks for one
  removed,    ///< Kubernetes or the vendor no longer has it
};

/// A resource name, or a pattern of names in which `*` stands for any text.
struct Resource {
  std::string_view name;
  std::string_view vendor;
  Role role = Role::device;
  std::string_view instead;  ///< the name to use now; empty: this one
};

/// True when a container that names this resource in its limits or requests asks for an
/// accelerator (semantics.md §1).
bool is_accelerator_resource(std::string_view name);

/// The table's entry for a resource name: the exact one, else the longest pattern that fits, else
/// nullptr.
const Resource* find_resource(std::string_view name);

/// The whole table, in the order of schemas/resources.yaml.
std::span<const Resource> resources();

}  // namespace gpuspec::accelerator
