#include "cli/lint_report.h"

namespace gpuspec::cli {
namespace {

/// A workflow command ends at the line's end, a property also at a comma or colon.
std::string escaped(std::string_view text, bool property) {
  std::string out;
  for (const char c : text) {
    if (c == '%')
      out += "%25";
    else if (c == '\r')
      out += "%0D";
    else if (c == '\n')
      out += "%0A";
    else if (property && c == ':')
      out += "%3A";
    else if (property && c == ',')
      out += "%2C";
    else
      out += c;
  }
  return out;
}

const char* command(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::error:
      return "error";
    case lint::Severity::warning:
      return "warning";
    case lint::Severity::info:
      break;
  }
  return "notice";
}

}  // namespace

std::string lint_github(const LintReport& report) {
  std::string out;
  for (const LintedFile& file : report.files) {
    for (const lint::Finding& finding : file.result.findings) {
      out +=
          std::string("::") + command(finding.severity) + " file=" + escaped(file.name, true) +
          ",line=" + std::to_string(finding.from.line) +
          ",col=" + std::to_string(finding.from.column) +
          ",endLine=" + std::to_string(finding.to.line) +
          ",endColumn=" + std::to_string(finding.to.column) + ",title=" +
          escaped(std::string(finding.rule->code) + " " + std::string(finding.rule->name), true) +
          "::";
      std::string text = finding.message;
      if (!finding.object.empty()) text += " (" + finding.object + ")";
      if (!finding.fix.empty()) text += "\nfix: " + finding.fix;
      out += escaped(text, false) + "\n";
    }
  }
  return out;
}

}  // namespace gpuspec::cli
