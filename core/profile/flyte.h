#pragma once

#include <optional>
#include <vector>

#include "core/profile/cursor.h"
#include "core/profile/node.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// Whether a file holds a Flyte configuration: a `plugins.k8s` section, at the top or where Flyte's
/// Helm charts keep it.
bool is_flyte(const std::vector<Node>& documents);

/// The section as a profile (semantics.md §7). `platform`: --platform, whose labels hold where the
/// configuration names none. Keys of the section that Flyte does not know become warnings.
Profile read_flyte(const text::Source& source, const std::vector<Node>& documents,
                   const std::optional<std::string>& platform, Warnings& warnings);

}  // namespace gpuspec::profile
