#pragma once

namespace gpuspec::cli {

/// As `project(VERSION)` in CMakeLists.txt says.
inline constexpr const char* version = GPUSPEC_VERSION;

}  // namespace gpuspec::cli
