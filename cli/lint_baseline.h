#pragma once

#include <map>
#include <string>

#include "cli/lint_report.h"

namespace gpuspec::cli {

/// Findings that are known and put up with: a finding in the baseline is not reported. Lines may
/// move without it growing stale; a further finding of the same kind at the same field is reported.
class Baseline {
 public:
  /// Reads a file that write() made. Throws UsageError, std::system_error.
  static Baseline read(const std::string& file);
  /// All findings of a report, for a file.
  static std::string write(const LintReport& report);

  /// Removes from the report what the baseline knows, and counts it.
  void apply(LintReport& report) const;

 private:
  std::map<std::string, std::size_t> known_;  ///< by file and fingerprint: how often
};

}  // namespace gpuspec::cli
