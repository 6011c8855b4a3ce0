#include "cli/lint_report.h"

#include <algorithm>
#include <map>

namespace gpuspec::cli {
namespace {

std::string count(std::size_t number, const std::string& noun) {
  return std::to_string(number) + " " + noun + (number == 1 ? "" : "s");
}

}  // namespace

std::array<std::size_t, 3> LintReport::by_severity() const {
  std::array<std::size_t, 3> counts{};
  for (const LintedFile& file : files)
    for (const lint::Finding& finding : file.result.findings)
      ++counts[static_cast<std::size_t>(finding.severity)];
  return counts;
}

std::size_t LintReport::findings() const {
  std::size_t number = 0;
  for (const LintedFile& file : files) number += file.result.findings.size();
  return number;
}

std::size_t LintReport::failing_findings() const {
  std::size_t number = 0;
  for (const LintedFile& file : files)
    number += static_cast<std::size_t>(
        std::count_if(file.result.findings.begin(), file.result.findings.end(),
                      [&](const lint::Finding& finding) { return finding.severity >= failing; }));
  return number;
}

std::size_t LintReport::fixable() const {
  std::size_t number = 0;
  for (const LintedFile& file : files)
    for (const lint::Finding& finding : file.result.findings) number += !finding.fix.empty();
  return number;
}

std::size_t LintReport::fixed() const {
  std::size_t number = 0;
  for (const LintedFile& file : files) number += file.fixed;
  return number;
}

std::size_t LintReport::suppressed() const {
  std::size_t number = 0;
  for (const LintedFile& file : files) number += file.result.suppressed;
  return number;
}

std::string skip_reason(const LintedFile& file) {
  if (file.result.objects != 0 || !file.result.findings.empty()) return {};
  for (const lint::Note& note : file.result.notes)
    if (note.skipped) return note.text.substr(note.text.find(' ') + 1);
  return {};
}

std::string lint_summary(const LintReport& report) {
  const auto [infos, warnings, errors] = report.by_severity();
  std::string text;
  const auto add = [&](const std::string& part) { text += (text.empty() ? "" : ", ") + part; };
  if (errors) add(count(errors, "error"));
  if (warnings) add(count(warnings, "warning"));
  if (infos) add(std::to_string(infos) + " info");
  if (text.empty()) text = "no findings";
  std::size_t skipped = 0;
  for (const LintedFile& file : report.files) skipped += !skip_reason(file).empty();
  text += " in " + count(report.files.size() - skipped, "file");
  if (skipped) add(std::to_string(skipped) + " skipped");
  if (report.fixed())
    add(std::to_string(report.fixed()) + (report.looking ? " to mend" : " mended"));
  if (report.suppressed()) add(std::to_string(report.suppressed()) + " ignored");
  if (report.baselined) add(std::to_string(report.baselined) + " in the baseline");
  if (const std::size_t fixable = report.fixable())
    add(std::to_string(fixable) + " can be mended with --fix");
  return text;
}

std::string lint_statistics(const LintReport& report) {
  std::map<std::string_view, std::pair<const lint::Rule*, std::size_t>> counts;
  for (const LintedFile& file : report.files) {
    for (const lint::Finding& finding : file.result.findings) {
      auto& entry = counts[finding.rule->code];
      entry.first = finding.rule;
      ++entry.second;
    }
  }
  std::vector<std::pair<const lint::Rule*, std::size_t>> rows;
  for (const auto& [code, entry] : counts) rows.push_back(entry);
  std::stable_sort(rows.begin(), rows.end(),
                   [](const auto& a, const auto& b) { return a.second > b.second; });
  std::string text;
  for (const auto& [rule, number] : rows) {
    std::string digits = std::to_string(number);
    digits.insert(0, digits.size() < 6 ? 6 - digits.size() : 0, ' ');
    text += digits + "  " + std::string(rule->code) + "  " + (rule->fixable ? "[fix] " : "      ") +
            std::string(rule->summary) + "\n";
  }
  return text;
}

}  // namespace gpuspec::cli
