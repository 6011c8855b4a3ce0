#pragma once

#include <string>

#include "cli/command.h"

namespace gpuspec::cli {

/// The help of an application or subcommand: usage, options by group, subcommands, and the footer,
/// which holds the examples. In kubectl's plugin examples start with `kubectl gpuspec`.
std::string help_text(const CLI::App& app, const Common& common);

/// The application's name with its parents': `gpuspec profile show`.
std::string full_name(const CLI::App& app, const Common& common);

}  // namespace gpuspec::cli
