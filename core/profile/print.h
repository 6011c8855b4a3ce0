#pragma once

#include <string>

#include "core/profile/profile.h"

namespace gpuspec::profile {

/// The profile as a document in the native dialect. Reading it again gives the same profile; it
/// must not have been resolved (core/profile/resolve.h).
std::string print_native(const Profile& profile);

}  // namespace gpuspec::profile
