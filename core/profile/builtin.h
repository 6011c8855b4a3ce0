#pragma once

#include <string_view>
#include <vector>

#include "core/accelerator/platforms.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// The platform's words as a profile: what `extends: gke` and --platform gke start from. Devices
/// stay in the platform's table (Vocabulary::platform).
Profile platform_profile(const accelerator::Platform& platform);

/// The same with everything spelled out, devices too, as `gpuspec profile show` prints it.
Profile spelled_out(const accelerator::Platform& platform);

/// Names of the built-in profiles, one for each platform.
std::vector<std::string_view> builtin_names();

}  // namespace gpuspec::profile
