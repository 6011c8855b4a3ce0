#include <fstream>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validation_results.hpp>
#include <valijson/validator.hpp>

#include "cli/lint_testing.h"

using namespace gpuspec;
using nlohmann::json;

namespace {

/// What is wrong with the document by the schema; empty: nothing.
std::string errors(const json& schema_text, const json& document) {
  valijson::Schema schema;
  valijson::SchemaParser parser;
  parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(schema_text), schema);
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
}

json report_schema() {
  std::ifstream in(GPUSPEC_SOURCE_DIR "/schemas/report.schema.json");
  REQUIRE(in);
  return json::parse(in);
}

}  // namespace

TEST_CASE("json: the report fits its schema") {
  const json schema = report_schema();
  const json report = json::parse(cli::lint_json(cli::sample_report()));
  CHECK(errors(schema, report) == "");
  CHECK(errors(schema, json::parse(cli::lint_json({}))) == "");
  // The schema is not one that everything fits.
  json broken = report;
  broken["findings"][0]["line"] = 0;
  CHECK(errors(schema, broken) != "");
  broken = report;
  broken["more"] = 1;
  CHECK(errors(schema, broken) != "");
}

TEST_CASE("json: findings, summary, what was skipped") {
  const json report = json::parse(cli::lint_json(cli::sample_report()));
  REQUIRE(report["findings"].size() == 3);
  const json& finding = report["findings"][1];
  CHECK(finding["code"] == "GPU101");
  CHECK(finding["name"] == "missing-toleration");
  CHECK(finding["severity"] == "warning");
  CHECK(finding["file"] == "a dir/é&<b>.yaml");
  CHECK(finding["line"] == 12);
  CHECK(finding["column"] == 9);
  CHECK(finding["endColumn"] == 23);
  CHECK(finding["object"] == "Pod/p");
  CHECK(finding["container"] == "c<1>&");
  REQUIRE(finding["fix"]["edits"].size() == 1);
  CHECK(finding["fix"]["edits"][0]["line"] == finding["fix"]["edits"][0]["endLine"]);
  CHECK_THAT(finding["fix"]["edits"][0]["text"].get<std::string>(),
             ContainsSubstring("tolerations:"));
  CHECK(report["summary"]["errors"] == 1);
  CHECK(report["summary"]["fixable"] == 1);
  CHECK(report["statistics"]["GPU101"] == 1);
  CHECK(report["skipped"] == json{{{"file", "values.yaml"}, {"reason", "no Kubernetes object"}}});
}
