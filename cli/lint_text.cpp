#include "cli/lint_report.h"
#include "core/text/message.h"

namespace gpuspec::cli {
namespace {

struct Colors {
  const char* place = "";
  const char* code = "";
  const char* dim = "";
  const char* off = "";
};

const char* severity_color(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::error:
      return "\033[1;31m";
    case lint::Severity::warning:
      return "\033[1;33m";
    case lint::Severity::info:
      break;
  }
  return "\033[1;36m";
}

void append(std::string& out, const LintedFile& file, const lint::Finding& finding, bool color) {
  Colors colors;
  if (color) colors = {"\033[1m", severity_color(finding.severity), "\033[2m", "\033[0m"};
  out += colors.place + file.name + ":" + std::to_string(finding.from.line) + ":" +
         std::to_string(finding.from.column) + ": " + colors.off + colors.code +
         std::string(word(finding.severity)) + " " + std::string(finding.rule->code) + colors.off +
         ": " + finding.message + "\n";
  if (file.source) out += text::snippet(*file.source, finding.begin, color);
  std::string where = finding.object;
  if (!finding.container.empty()) where += ", container " + finding.container;
  if (!finding.field.empty()) where += (where.empty() ? "" : ": ") + finding.field;
  if (!where.empty()) out += colors.dim + ("       in " + where) + colors.off + "\n";
  if (!finding.fix.empty()) out += "      fix: " + finding.fix + "\n";
}

}  // namespace

std::string lint_text(const LintReport& report, bool color) {
  std::string out;
  for (const LintedFile& file : report.files)
    for (const lint::Finding& finding : file.result.findings) append(out, file, finding, color);
  return out;
}

}  // namespace gpuspec::cli
