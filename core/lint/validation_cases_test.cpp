// What the API server accepts and refuses, by upstream's own tables: the rules must agree.

#include <nlohmann/json.hpp>

#include "core/kube/shared_cases.h"
#include "core/lint/testing.h"

using namespace gpuspec;
using nlohmann::json;

namespace {

/// The error findings of the rules that speak with the API server's words.
std::vector<lint::Finding> refusals(const json& spec) {
  const json object = {
      {"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", {{"name", "p"}}}, {"spec", spec}};
  lint::Settings settings = lint::all_settings();
  settings.rules = lint::select_rules({"GPU001", "GPU002", "GPU003", "GPU005", "GPU006", "GPU007",
                                       "GPU008", "GPU104", "GPU201", "GPU202", "GPU302", "GPU902"},
                                      {});
  std::vector<lint::Finding> findings =
      lint::lint(lint::source_of(object.dump(1)), settings).findings;
  std::erase_if(findings, [](const lint::Finding& finding) {
    return finding.severity != lint::Severity::error;
  });
  return findings;
}

}  // namespace

TEST_CASE("upstream's cases of pod validation") {
  for (const json& row : kube::shared_cases("k8s_validation_cases.json")) {
    const std::string kind = row["kind"];
    json spec;
    if (kind == "podspec")
      spec = row["podspec"];
    else if (kind == "resources")
      spec["containers"] = {{{"name", "c"}, {"image", "i"}, {"resources", row["resources"]}}};
    else
      continue;  // node taints and quota names are no part of pods: core/kube tests them
    const std::vector<lint::Finding> findings = refusals(spec);
    INFO(row["name"].get<std::string>());
    CHECK(findings.empty() == row["valid"].get<bool>());
    if (!row.contains("error") || findings.empty()) continue;
    bool said = false;
    for (const lint::Finding& finding : findings)
      said |= (finding.field + ": " + finding.message).find(row["error"].get<std::string>()) !=
              std::string::npos;
    INFO(findings[0].field << ": " << findings[0].message);
    CHECK(said);
  }
}
