// Every rule shows itself: what `gpuspec explain` prints is run here.

#include <string>
#include <vector>

#include "core/lint/lint.h"
#include "core/lint/registry.h"
#include "core/testing.h"
#include "core/yaml/reader.h"

using namespace gpuspec;

namespace {

/// The settings that an example asks for, with all rules.
struct ExampleSettings : lint::Settings {
  explicit ExampleSettings(const lint::Rule& rule) : example_nodes() {
    rules = lint::select_rules({}, {});
    platform = rule.example.platform;
    fixes = true;
    if (rule.example.nodes.empty()) return;
    yaml::Tree tree;
    yaml::read_document(rule.example.nodes, 0, tree);
    example_nodes = kube::read_nodes(tree);
    nodes = &example_nodes;
  }
  std::vector<kube::Node> example_nodes;
};

text::Source source_of(std::string_view text) {
  return text::Source::from_string("example.yaml", std::string(text));
}

std::string words(const std::vector<lint::Finding>& findings) {
  std::string text;
  for (const lint::Finding& finding : findings)
    text += std::string(finding.rule->code) + " line " + std::to_string(finding.from.line) + ": " +
            finding.message + "\n";
  return text;
}

}  // namespace

TEST_CASE("the bad example of a rule gives exactly its finding") {
  for (const lint::Rule* rule : lint::all_rules()) {
    const ExampleSettings settings(*rule);
    const lint::Result result = lint::lint(source_of(rule->example.bad), settings);
    INFO(rule->code << "\n" << words(result.findings));
    REQUIRE(result.findings.size() == 1);
    const lint::Finding& finding = result.findings[0];
    CHECK(finding.rule == rule);
    CHECK(finding.severity == rule->severity);
    CHECK_FALSE(finding.message.empty());
    CHECK_FALSE(finding.message.back() == '.');
    CHECK(finding.from.line > 0);
    CHECK(finding.edits.empty() == !rule->fixable);
    CHECK(finding.fix.empty() == !rule->fixable);
  }
}

TEST_CASE("the good example of a rule gives none") {
  for (const lint::Rule* rule : lint::all_rules()) {
    const ExampleSettings settings(*rule);
    const lint::Result result = lint::lint(source_of(rule->example.good), settings);
    INFO(rule->code << "\n" << words(result.findings));
    CHECK(result.findings.empty());
  }
}

TEST_CASE("the fix of a rule makes the good example of the bad one") {
  for (const lint::Rule* rule : lint::all_rules()) {
    if (!rule->fixable) continue;
    const ExampleSettings settings(*rule);
    const lint::Fixed fixed = lint::fix(source_of(rule->example.bad), settings);
    INFO(rule->code);
    CHECK(fixed.text == rule->example.good);
    CHECK(fixed.left.findings.empty());
    REQUIRE(fixed.fixed.size() == 1);
    CHECK(fixed.fixed[0].rule == rule);
  }
}

TEST_CASE("rules are told apart and say everything") {
  std::string_view last;
  for (const lint::Rule* rule : lint::all_rules()) {
    INFO(rule->code);
    CHECK(rule->code > last);
    last = rule->code;
    CHECK(rule->code.size() == 6);
    CHECK(lint::find_rule(rule->code) == rule);
    CHECK(lint::find_rule(rule->name) == rule);
    CHECK_FALSE(lint::group_title(rule->code[3]).empty());
    CHECK_FALSE(rule->summary.empty());
    CHECK(rule->summary.back() != '.');
    CHECK(rule->summary.size() <= 88);  // a line of `gpuspec explain`
    CHECK(rule->why.size() > 100);
    CHECK_FALSE(rule->remedy.empty());
    CHECK_FALSE(rule->source.empty());
    CHECK_FALSE(rule->example.bad.empty());
    CHECK_FALSE(rule->example.good.empty());
  }
}
