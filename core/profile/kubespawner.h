#pragma once

#include <set>
#include <string>

#include "core/profile/cursor.h"
#include "core/profile/node.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// KubeSpawner's _apply_overrides: two mappings merge recursively, where null removes a key;
/// anything else replaces. What was removed stays as null, so that it can be removed from a
/// manifest, too.
void merge_override(Node& base, const Node& over);

/// The traits of a spawner (node_selector, mem_limit, extra_pod_config, …), merged, as a profile:
/// what KubeSpawner makes of them in a pod. Of the traits in `report`, those that say nothing about
/// a manifest and names that are no traits become warnings. Throws Error where KubeSpawner refuses
/// a value.
void read_traits(const Cursor& traits, const std::set<std::string>& report, Profile& profile,
                 Warnings& warnings);

/// A memory specification of JupyterHub: a number of bytes, or a number with K, M, G or T, which
/// are powers of 1024; as a quantity (14G is 14Gi). Throws Error.
std::string memory_quantity(const Cursor& cursor);

/// The text with `{value}` replaced, and `{{` and `}}` as single braces.
std::string format_value(const std::string& text, const std::string& value);

/// As python-slugify makes it of a display name: lower case, words joined by `-`.
std::string slugify(std::string_view text);

}  // namespace gpuspec::profile
