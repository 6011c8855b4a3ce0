#include <cstdlib>
#include <fstream>
#include <iostream>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "cli/lint_testing.h"
#include "core/lint/registry.h"

using namespace gpuspec;
using nlohmann::json;

namespace {

json sarif_of(const cli::LintReport& report) {
  return json::parse(cli::lint_sarif(report));
}

/// The official schema, where scripts/peers has put it; null when it is not there.
json official_schema() {
  const char* folder = std::getenv("GPUSPEC_PEERS");
  const std::string cache = folder ? folder : GPUSPEC_SOURCE_DIR "/.cache/peers";
  std::ifstream in(cache + "/sarif-2.1.0.json");
  return in ? json::parse(in) : json();
}

}  // namespace

TEST_CASE("sarif: the log fits the official schema") {
  json schema_text = official_schema();
  if (schema_text.is_null()) {
    std::cout << "skipped: SARIF 2.1.0 schema: scripts/peers has not fetched it\n";
    return;
  }
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text), schema);
  const auto errors = [&](const json& document) {
    valijson::Validator validator;
    valijson::ValidationResults results;
    validator.validate(schema, valijson::adapters::NlohmannJsonAdapter(document), &results);
    std::string text;
    valijson::ValidationResults::Error error;
    while (results.popError(error)) {
      for (const std::string& step : error.context) text += step;
      text += ": " + error.description + "\n";
    }
    return text;
  };
  CHECK(errors(sarif_of(cli::sample_report())) == "");
  CHECK(errors(sarif_of({})) == "");
  json broken = sarif_of(cli::sample_report());
  broken["runs"][0]["results"][0]["level"] = "info";  // SARIF calls it note
  CHECK(errors(broken) != "");
}

TEST_CASE("sarif: rules, places, fixes, fingerprints") {
  const json run = sarif_of(cli::sample_report())["runs"][0];
  CHECK(run["columnKind"] == "unicodeCodePoints");
  const json& rules = run["tool"]["driver"]["rules"];
  CHECK(rules.size() == lint::all_rules().size());
  REQUIRE(run["results"].size() == 3);
  for (const json& result : run["results"]) {
    CHECK(rules[result["ruleIndex"].get<std::size_t>()]["id"] == result["ruleId"]);
    const json& place = result["locations"][0]["physicalLocation"];
    CHECK(place["artifactLocation"]["uri"] == "a%20dir/%C3%A9%26%3Cb%3E.yaml");
    CHECK(place["region"]["startLine"].get<int>() >= 1);
    CHECK(result["partialFingerprints"]["gpuspec/v1"].get<std::string>().size() == 16);
  }
  const json& result = run["results"][1];
  CHECK(result["ruleId"] == "GPU101");
  CHECK(result["level"] == "warning");
  const json& change = result["fixes"][0]["artifactChanges"][0];
  CHECK(change["artifactLocation"]["uri"] == "a%20dir/%C3%A9%26%3Cb%3E.yaml");
  CHECK(change["replacements"][0]["deletedRegion"]["startLine"] == 12);
  CHECK(run["results"][0]["level"] == "note");
  CHECK(run["invocations"][0]["toolExecutionNotifications"].size() == 1);
  // Results are there even when there are none: readers rely on it.
  CHECK(sarif_of({})["runs"][0]["results"] == json::array());
}
