#include <cstdint>

#include "cli/lint_report.h"

namespace gpuspec::cli {
namespace {

/// Text for XML 1.0; what XML cannot hold becomes U+FFFD.
std::string escaped(std::string_view text, bool in_attribute = false) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\n':
        out += in_attribute ? "&#10;" : "\n";
        break;
      case '\t':
        out += "&#9;";
        break;
      default:
        if (static_cast<unsigned char>(c) < 0x20)
          out += "\xEF\xBF\xBD";
        else
          out += c;
    }
  }
  return out;
}

std::string attribute(const char* name, std::string_view value) {
  return std::string(" ") + name + "=\"" + escaped(value, true) + "\"";
}

std::string number(const char* name, std::size_t value) {
  return attribute(name, std::to_string(value));
}

void append(std::string& out, const LintReport& report, const LintedFile& file,
            const lint::Finding& finding) {
  const std::string place = file.name + ":" + std::to_string(finding.from.line) + ":" +
                            std::to_string(finding.from.column);
  out += "    <testcase" +
         attribute("name", std::string(finding.rule->code) + " " + std::string(finding.rule->name) +
                               " line " + std::to_string(finding.from.line)) +
         attribute("classname", finding.object.empty() ? file.name : finding.object) +
         attribute("file", file.name) + number("line", finding.from.line) + attribute("time", "0") +
         ">\n";
  std::string body = place + ": " + finding.message + "\n";
  if (!finding.field.empty()) body += "field: " + finding.field + "\n";
  if (!finding.fix.empty()) body += "fix: " + finding.fix + "\n";
  if (finding.severity >= report.failing) {
    out += "      <failure" + attribute("type", word(finding.severity)) +
           attribute("message", finding.message) + ">" + escaped(body) + "</failure>\n";
  } else {
    out += "      <system-out>" + escaped(body) + "</system-out>\n";
  }
  out += "    </testcase>\n";
}

std::size_t failures_in(const LintReport& report, const LintedFile& file) {
  std::size_t failures = 0;
  for (const lint::Finding& finding : file.result.findings)
    failures += finding.severity >= report.failing;
  return failures;
}

}  // namespace

std::string lint_junit(const LintReport& report) {
  std::string suites;
  std::size_t tests = 0;
  std::size_t failures = 0;
  std::size_t skipped = 0;
  for (const LintedFile& file : report.files) {
    const std::string reason = skip_reason(file);
    const std::size_t cases = std::max<std::size_t>(1, file.result.findings.size());
    const std::size_t failed = failures_in(report, file);
    tests += cases;
    failures += failed;
    skipped += !reason.empty();
    suites += "  <testsuite" + attribute("name", file.name) + number("tests", cases) +
              number("failures", failed) + number("errors", 0) +
              number("skipped", reason.empty() ? 0 : 1) + attribute("time", "0") + ">\n";
    for (const lint::Finding& finding : file.result.findings) append(suites, report, file, finding);
    if (file.result.findings.empty()) {
      suites += "    <testcase" + attribute("name", "gpuspec lint") +
                attribute("classname", file.name) + attribute("file", file.name) +
                attribute("time", "0");
      suites += reason.empty()
                    ? "/>\n"
                    : ">\n      <skipped" + attribute("message", reason) + "/>\n    </testcase>\n";
    }
    suites += "  </testsuite>\n";
  }
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites" +
         attribute("name", "gpuspec lint") + number("tests", tests) + number("failures", failures) +
         number("errors", 0) + number("skipped", skipped) + attribute("time", "0") + ">\n" +
         suites + "</testsuites>\n";
}

}  // namespace gpuspec::cli
