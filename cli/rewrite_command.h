#pragma once

#include "cli/command.h"

namespace gpuspec::cli {

/// What the program does without a subcommand: rewrite manifests.
Run add_rewrite_command(CLI::App& app, Common& common);

}  // namespace gpuspec::cli
