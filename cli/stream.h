#pragma once

#include <string>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/inputs.h"
#include "core/rewrite/rewrite.h"

namespace gpuspec::cli {

/// Rewrites one input piece by piece: documents, and of large lists some items at a time, so that
/// memory does not grow with the input. What was written before an error stays written. Returns an
/// ExitCode. `output`: a file, or empty for standard output. Throws ClosedPipe, std::system_error.
int rewrite_stream(const Input& input, const std::string& output, const rewrite::Settings& settings,
                   const Console& console);

}  // namespace gpuspec::cli
