#include <map>

#include <nlohmann/json.hpp>

#include "cli/lint_report.h"
#include "cli/version.h"

namespace gpuspec::cli {
namespace {

using Json = nlohmann::ordered_json;

Json edit_of(const text::Source& source, const text::Edit& edit) {
  const text::Location from = source.location(edit.begin);
  const text::Location to = source.location(edit.end);
  return {{"line", from.line},
          {"column", from.column},
          {"endLine", to.line},
          {"endColumn", to.column},
          {"text", edit.text}};
}

Json finding_of(const LintedFile& file, const lint::Finding& finding) {
  Json json = {{"code", finding.rule->code},
               {"name", finding.rule->name},
               {"severity", word(finding.severity)},
               {"message", finding.message},
               {"file", file.name},
               {"line", finding.from.line},
               {"column", finding.from.column},
               {"endLine", finding.to.line},
               {"endColumn", finding.to.column}};
  if (!finding.object.empty()) json["object"] = finding.object;
  if (!finding.container.empty()) json["container"] = finding.container;
  if (!finding.field.empty()) json["field"] = finding.field;
  json["fingerprint"] = finding.fingerprint();
  if (!finding.fix.empty() && file.source) {
    Json edits = Json::array();
    for (const text::Edit& edit : finding.edits) edits.push_back(edit_of(*file.source, edit));
    json["fix"] = {{"description", finding.fix}, {"edits", std::move(edits)}};
  }
  return json;
}

}  // namespace

std::string lint_json(const LintReport& report) {
  Json findings = Json::array();
  Json skipped = Json::array();
  std::map<std::string_view, std::size_t> statistics;
  std::size_t objects = 0;
  std::size_t pods = 0;
  for (const LintedFile& file : report.files) {
    objects += file.result.objects;
    pods += file.result.pods;
    if (const std::string reason = skip_reason(file); !reason.empty())
      skipped.push_back({{"file", file.name}, {"reason", reason}});
    for (const lint::Finding& finding : file.result.findings) {
      findings.push_back(finding_of(file, finding));
      ++statistics[finding.rule->code];
    }
  }
  Json counts = Json::object();
  for (const auto& [code, number] : statistics) counts[std::string(code)] = number;
  const auto [infos, warnings, errors] = report.by_severity();
  const Json json = {{"version", 1},
                     {"tool", {{"name", "gpuspec"}, {"version", version}}},
                     {"summary",
                      {{"files", report.files.size()},
                       {"skipped", skipped.size()},
                       {"objects", objects},
                       {"pods", pods},
                       {"errors", errors},
                       {"warnings", warnings},
                       {"infos", infos},
                       {"fixable", report.fixable()},
                       {"fixed", report.fixed()},
                       {"ignored", report.suppressed()},
                       {"baselined", report.baselined}}},
                     {"findings", std::move(findings)},
                     {"skipped", std::move(skipped)},
                     {"statistics", std::move(counts)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuspec::cli
