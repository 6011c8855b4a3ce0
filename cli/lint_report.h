#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/lint/lint.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// What lint found in one input.
struct LintedFile {
  std::string name;                    ///< as the user named it; <stdin> for standard input
  std::optional<text::Source> source;  ///< kept where there is something to show of it
  lint::Result result;
  std::size_t fixed = 0;  ///< findings that --fix mended
};

/// All of a run, for the output formats.
struct LintReport {
  std::vector<LintedFile> files;
  std::vector<const lint::Rule*> rules;              ///< that were looked for
  lint::Severity failing = lint::Severity::warning;  ///< findings from here on make it fail
  bool looking = false;       ///< --diff: what is counted as mended is not written
  std::size_t baselined = 0;  ///< findings that the baseline knows

  std::array<std::size_t, 3> by_severity() const;  ///< indexed by lint::Severity
  std::size_t findings() const;
  std::size_t failing_findings() const;
  std::size_t fixable() const;
  std::size_t fixed() const;
  std::size_t suppressed() const;
};

/// Why a file was skipped as a whole: the note's text; empty when something in it was looked at.
std::string skip_reason(const LintedFile& file);

/// `2 errors, 1 warning in 3 files` …
std::string lint_summary(const LintReport& report);

// The formats: each gives the whole output.

/// For people: `FILE:LINE:COL: warning GPU101: TEXT`, the line with a caret, the object, the fix.
std::string lint_text(const LintReport& report, bool color);
/// For programs: schemas/report.schema.json.
std::string lint_json(const LintReport& report);
/// SARIF 2.1.0, for code scanning.
std::string lint_sarif(const LintReport& report);
/// JUnit XML, for CI servers: a test suite for each file.
std::string lint_junit(const LintReport& report);
/// Workflow commands, which GitHub shows beside the changed lines.
std::string lint_github(const LintReport& report);
/// TAP 14: a test point for each file.
std::string lint_tap(const LintReport& report);
/// How often each rule spoke, for people.
std::string lint_statistics(const LintReport& report);

}  // namespace gpuspec::cli
