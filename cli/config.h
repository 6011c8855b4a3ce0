#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/kube/workload.h"

namespace gpuspec::cli {

/// What `.gpuspec.yaml` says to all subcommands. Its `lint` section belongs to `gpuspec lint`.
struct Config {
  std::string path;  ///< empty: there is none
  std::vector<std::string>
      profiles;  ///< `profile`: used when neither flags nor environment name one
  std::string platform;
  std::vector<kube::UserKind> workloads;
};

/// The configuration file in force: --config, else the .gpuspec.yaml nearest upward from the
/// working directory; empty with --no-config and where there is none.
std::string find_config(const Common& common);

/// Reads it. Throws UsageError with file, line and column.
Config load_config(const Common& common);

}  // namespace gpuspec::cli
