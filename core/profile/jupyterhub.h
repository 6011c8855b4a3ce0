#pragma once

#include <string>
#include <vector>

#include "core/profile/cursor.h"
#include "core/profile/node.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// Whether a file holds a JupyterHub profile list: `profileList` or `profile_list`, at any depth.
bool is_jupyterhub(const std::vector<Node>& documents);

/// The profiles of the list, each with the choices of its options made (profile.md §3). All but the
/// default one are on request. `choices` (OPTION, CHOICE) are for the profile `name` (slug or
/// display name; empty: the default one); the others get their default choices. Throws Error:
/// unknown profile, option or choice, values that KubeSpawner refuses. Keys without a meaning for a
/// manifest become warnings, for the named profile only.
std::vector<Profile> read_jupyterhub(const text::Source& source, const std::vector<Node>& documents,
                                     const std::string& name, const Pairs& choices,
                                     Warnings& warnings);

/// The slugs of the profiles of the list.
std::vector<std::string> jupyterhub_names(const text::Source& source,
                                          const std::vector<Node>& documents);

}  // namespace gpuspec::profile
