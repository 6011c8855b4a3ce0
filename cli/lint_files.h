#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/inputs.h"
#include "cli/lint_report.h"
#include "core/lint/lint.h"

namespace gpuspec::cli {

/// One input after lint looked at it.
struct LintOutcome {
  LintedFile file;
  lint::Fixed fixed;      ///< with --fix: what was mended; file.result is what is left
  std::string io_error;   ///< it could not be read
  std::string own_fault;  ///< the proof of a fix failed
};

/// Lints the inputs, several at a time; the result is in their order whatever the number of
/// threads. `mend`: also make the fixes (nothing is written).
std::vector<LintOutcome> lint_files(const std::vector<Input>& inputs,
                                    const lint::Settings& settings, bool mend,
                                    const Common& common);

}  // namespace gpuspec::cli
