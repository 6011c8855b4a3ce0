#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/rewrite_flags.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// Answers a ResourceList as a KRM function, with the result on standard output; returns an
/// ExitCode. `flags` stand for what the functionConfig does not say.
int answer_resource_list(const text::Source& source, const RewriteFlags& flags, Common& common);

/// The arguments that the program was really given: those of a kustomize plugin call (argv[1] is a
/// file with the configuration) become those of the subcommand that answers it.
std::vector<std::string> understand_plugin_call(const std::string& program,
                                                std::vector<std::string> arguments);

}  // namespace gpuspec::cli
