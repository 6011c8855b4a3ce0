#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/inputs.h"
#include "core/rewrite/rewrite.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// One input after the rules were applied to it, and what went wrong.
struct Rewritten {
  std::optional<text::Source> source;  ///< not there when it could not be read
  rewrite::Outcome outcome;
  int exit_code = exit_done;
  // With another exit code: what went wrong, and where when the source is there.
  std::string error;
  std::string hint;
  std::size_t offset = 0;
};

/// Reads and rewrites the inputs, several at a time; the result is in their order whatever the
/// number of threads. Does not throw for what is wrong with an input. `standard`: standard input,
/// where it was read already.
std::vector<Rewritten> rewrite_files(const std::vector<Input>& inputs,
                                     std::optional<text::Source> standard,
                                     const rewrite::Settings& settings, const Common& common);

/// Shows the messages about a file.
void tell(const Rewritten& file, const Console& console);

}  // namespace gpuspec::cli
