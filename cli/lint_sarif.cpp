#include <algorithm>
#include <cctype>

#include <nlohmann/json.hpp>

#include "cli/inputs.h"
#include "cli/lint_report.h"
#include "cli/rule_page.h"
#include "cli/version.h"

namespace gpuspec::cli {
namespace {

using Json = nlohmann::ordered_json;

/// A file name as a URI reference: relative ones stay relative.
std::string uri_of(const std::string& name) {
  if (name == stdin_name) return "stdin";
  std::string uri = name.starts_with('/') ? "file://" : "";
  std::string_view rest = name;
  while (rest.starts_with("./")) rest.remove_prefix(2);
  constexpr char digits[] = "0123456789ABCDEF";
  for (const char c : rest) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || std::string_view("-._~/").find(c) != std::string_view::npos) {
      uri += c;
    } else {
      uri += '%';
      uri += digits[byte >> 4];
      uri += digits[byte & 15];
    }
  }
  return uri;
}

const char* level_of(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::error:
      return "error";
    case lint::Severity::warning:
      return "warning";
    case lint::Severity::info:
      break;
  }
  return "note";
}

Json region_of(const text::Location& from, const text::Location& to) {
  return {{"startLine", from.line},
          {"startColumn", from.column},
          {"endLine", to.line},
          {"endColumn", to.column}};
}

Json rule_of(const lint::Rule& rule) {
  return {{"id", rule.code},
          {"name", rule.name},
          {"shortDescription", {{"text", std::string(rule.summary) + "."}}},
          {"fullDescription", {{"text", rule_reason(rule)}}},
          {"help", {{"text", rule_text(rule)}, {"markdown", rule_markdown(rule)}}},
          {"defaultConfiguration", {{"level", level_of(rule.severity)}}},
          {"properties",
           {{"tags", {"kubernetes", "gpu"}},
            {"precision", "high"},
            {"problem.severity",
             rule.severity == lint::Severity::info ? "recommendation" : word(rule.severity)}}}};
}

Json fix_of(const LintedFile& file, const lint::Finding& finding) {
  Json replacements = Json::array();
  for (const text::Edit& edit : finding.edits)
    replacements.push_back({{"deletedRegion", region_of(file.source->location(edit.begin),
                                                        file.source->location(edit.end))},
                            {"insertedContent", {{"text", edit.text}}}});
  return {{"description", {{"text", finding.fix}}},
          {"artifactChanges",
           {{{"artifactLocation", {{"uri", uri_of(file.name)}}},
             {"replacements", std::move(replacements)}}}}};
}

Json result_of(const LintReport& report, const LintedFile& file, const lint::Finding& finding) {
  Json region = region_of(finding.from, finding.to);
  region["snippet"] = {{"text", finding.line}};
  Json location = {{"physicalLocation",
                    {{"artifactLocation", {{"uri", uri_of(file.name)}}}, {"region", region}}}};
  if (!finding.object.empty()) {
    Json logical = {{"name", finding.object}, {"kind", "resource"}};
    if (!finding.field.empty())
      logical["fullyQualifiedName"] = finding.object + ":" + finding.field;
    location["logicalLocations"] = Json::array({logical});
  }
  const auto index = std::find(report.rules.begin(), report.rules.end(), finding.rule);
  Json result = {{"ruleId", finding.rule->code},
                 {"ruleIndex", index - report.rules.begin()},
                 {"level", level_of(finding.severity)},
                 {"message", {{"text", finding.message}}},
                 {"locations", Json::array({location})},
                 {"partialFingerprints", {{"gpuspec/v1", finding.fingerprint()}}}};
  if (!finding.edits.empty() && file.source) result["fixes"] = Json::array({fix_of(file, finding)});
  return result;
}

}  // namespace

std::string lint_sarif(const LintReport& report) {
  Json rules = Json::array();
  for (const lint::Rule* rule : report.rules) rules.push_back(rule_of(*rule));
  Json results = Json::array();
  Json notes = Json::array();
  for (const LintedFile& file : report.files) {
    for (const lint::Finding& finding : file.result.findings)
      results.push_back(result_of(report, file, finding));
    if (const std::string reason = skip_reason(file); !reason.empty())
      notes.push_back(
          {{"level", "note"},
           {"message", {{"text", "skipped: " + reason}}},
           {"locations",
            {{{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(file.name)}}}}}}}}});
  }
  Json driver = {{"name", "gpuspec"},
                 {"version", version},
                 {"semanticVersion", version},
                 {"rules", std::move(rules)}};
  Json invocation = {{"executionSuccessful", true},
                     {"toolExecutionNotifications", std::move(notes)}};
  Json run = {{"tool", {{"driver", std::move(driver)}}},
              {"columnKind", "unicodeCodePoints"},
              {"invocations", Json::array({std::move(invocation)})},
              {"results", std::move(results)}};
  const Json sarif = {{"$schema",
                       "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
                       "sarif-schema-2.1.0.json"},
                      {"version", "2.1.0"},
                      {"runs", Json::array({std::move(run)})}};
  return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace gpuspec::cli
