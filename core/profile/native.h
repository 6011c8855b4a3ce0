#pragma once

#include <string>
#include <vector>

#include "core/profile/cursor.h"
#include "core/profile/node.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

inline constexpr std::string_view native_api_version = "gpuspec.dev/v1alpha1";
inline constexpr std::string_view native_kind = "GpuProfile";

/// Whether a document is a native profile, or means to be one.
bool is_native(const Node& document);

/// The profiles of a file in the native dialect (profile.md §1), `extends` followed, names and
/// values unresolved: core/profile/resolve.h comes later. Throws Error.
std::vector<Profile> read_native(const text::Source& source, const std::vector<Node>& documents);

/// Reads `spec` over what `profile` has already: values here win, mappings merge by key, lists
/// replace. `extends` must have been taken.
void read_spec(Map& spec, Profile& profile);

/// The pod spec's and container's fields that Kubernetes has; nothing when it is one of them, else
/// the one that was probably meant (or a blank).
bool is_pod_field(std::string_view name);
bool is_container_field(std::string_view name);
std::string suggest_pod_field(std::string_view name);
std::string suggest_container_field(std::string_view name);

}  // namespace gpuspec::profile
