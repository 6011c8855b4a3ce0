#pragma once

#include "core/profile/error.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// Flags over a profile: single values and selections replace, what comes in lists and mappings is
/// added (same key: the flag's value).
void overlay(Profile& profile, const Profile& flags);

/// Turns the names in a profile into label values, resources and labels, by its vocabulary: the
/// class of the device, the platform's label value for it, what hangs on the device (further
/// labels, a toleration for arm64 nodes), the form of the partition. `flags`: what the command line
/// says, which wins over the class; `interruptible`: --interruptible. Throws Error: a size that the
/// device does not have, a label that is not known. Call it once for a profile.
void resolve(Profile& profile, const Profile& flags, bool interruptible, Warnings& warnings);

}  // namespace gpuspec::profile
