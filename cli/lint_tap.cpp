#include <algorithm>

#include <nlohmann/json.hpp>

#include "cli/lint_report.h"

namespace gpuspec::cli {
namespace {

/// A description may not hold a line break, and `#` begins a directive.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '#' || c == '\\') out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

/// A JSON string is a YAML string.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace

std::string lint_tap(const LintReport& report) {
  std::string out = "TAP version 14\n1.." + std::to_string(report.files.size()) + "\n";
  std::size_t number = 0;
  for (const LintedFile& file : report.files) {
    const bool failed = std::any_of(
        file.result.findings.begin(), file.result.findings.end(),
        [&](const lint::Finding& finding) { return finding.severity >= report.failing; });
    out += (failed ? "not ok " : "ok ") + std::to_string(++number) + " - " + escaped(file.name);
    if (const std::string reason = skip_reason(file); !reason.empty())
      out += " # SKIP " + escaped(reason);
    out += "\n";
    if (file.result.findings.empty()) continue;
    out += "  ---\n  findings:\n";
    for (const lint::Finding& finding : file.result.findings) {
      out += "  - code: " + std::string(finding.rule->code) + "\n";
      out += "    severity: " + std::string(word(finding.severity)) + "\n";
      out += "    line: " + std::to_string(finding.from.line) + "\n";
      out += "    column: " + std::to_string(finding.from.column) + "\n";
      out += "    message: " + quoted(finding.message) + "\n";
      if (!finding.object.empty()) out += "    object: " + quoted(finding.object) + "\n";
      if (!finding.field.empty()) out += "    field: " + quoted(finding.field) + "\n";
    }
    out += "  ...\n";
  }
  return out;
}

}  // namespace gpuspec::cli
