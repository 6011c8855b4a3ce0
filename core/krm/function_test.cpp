#include "core/krm/function.h"

#include <string>

#include "core/krm/resource_list.h"
#include "core/testing.h"
#include "core/text/error.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;

namespace {

// As kustomize sends it: functionConfig after the items.
const std::string gpu_list =
    "apiVersion: config.kubernetes.io/v1\n"
    "kind: ResourceList\n"
    "items:\n"
    "- apiVersion: v1\n"
    "  kind: ConfigMap\n"
    "  metadata:\n"
    "    annotations:\n"
    "      internal.config.kubernetes.io/needsHashSuffix: enabled\n"
    "    name: c  # kept\n"
    "- apiVersion: v1\n"
    "  kind: Pod\n"
    "  metadata:\n"
    "    annotations:\n"
    "      config.kubernetes.io/path: pods/p.yaml\n"
    "      config.kubernetes.io/index: '2'\n"
    "    name: p\n"
    "  spec:\n"
    "    containers:\n"
    "    - name: m\n"
    "      resources:\n"
    "        limits:\n"
    "          nvidia.com/gpu: 1\n"
    "functionConfig:\n"
    "  data: {}\n"
    "  kind: ConfigMap\n";

krm::Settings settings_for(krm::Mode mode) {
  krm::Settings settings;
  settings.rewrite.profiles.resize(1);
  settings.mode = mode;
  return settings;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("items are edited in place and results appended") {
  const text::Source source = text::Source::from_string("test", gpu_list);
  const krm::Answer answer = krm::run_function(source, settings_for(krm::Mode::transform));
  CHECK_FALSE(answer.failed);
  // The input with two insertions, nothing else.
  const std::size_t at = answer.output.find("    tolerations:\n");
  REQUIRE(at != std::string::npos);
  CHECK(answer.output.substr(0, at) == gpu_list.substr(0, at));
  REQUIRE(answer.results.size() == 1);
  const krm::Result& result = answer.results[0];
  CHECK(result.severity == krm::Result::Severity::info);
  CHECK(result.kind == "Pod");
  CHECK(result.name == "p");
  CHECK(result.file == "pods/p.yaml");
  CHECK(result.index == 2);
  CHECK(answer.output.find("functionConfig:\n  data: {}\n  kind: ConfigMap\nresults:\n") !=
        std::string::npos);
  yaml::Tree tree;
  yaml::read_document(answer.output, 0, tree);
  const yaml::NodeId results = yaml::get(tree, 0, "results");
  REQUIRE(yaml::items(tree, results).size() == 1);
  const yaml::NodeId item = yaml::items(tree, results)[0];
  CHECK(yaml::get_text(tree, item, "severity") == "info");
  CHECK(yaml::get_text(tree, yaml::get(tree, item, "field"), "path") == "spec.tolerations");
  CHECK(yaml::get(tree, item, {"field", "proposedValue"}) != yaml::no_node);
}

TEST_CASE("an answer to an answer adds nothing but results it has no need of") {
  const text::Source first = text::Source::from_string("test", gpu_list);
  const std::string once = krm::run_function(first, settings_for(krm::Mode::transform)).output;
  const text::Source second = text::Source::from_string("test", once);
  CHECK(krm::run_function(second, settings_for(krm::Mode::transform)).output == once);
}

TEST_CASE("nothing to do: the list comes back byte for byte") {
  const std::string text =
      "apiVersion: config.kubernetes.io/v1alpha1\nkind:   ResourceList # x\nitems: []\n";
  const text::Source source = text::Source::from_string("test", text);
  CHECK(krm::run_function(source, settings_for(krm::Mode::transform)).output == text);
}

TEST_CASE("a validator answers with results and no items") {
  const text::Source source = text::Source::from_string("test", gpu_list);
  const krm::Answer answer = krm::run_function(source, settings_for(krm::Mode::validate));
  CHECK(answer.failed);
  CHECK(answer.output.find("apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems: []\n"
                           "results:\n") == 0);
  CHECK(count(answer.output, "severity: error") >= 1);
}

TEST_CASE("an error leaves the list as it came, with the error among its results") {
  const std::string bad =
      "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\nitems:\n- apiVersion: v1\n"
      "  kind: Pod\n  metadata: {name: p}\n  spec: {containers: none}\n";
  const text::Source source = text::Source::from_string("test", bad);
  try {
    krm::run_function(source, settings_for(krm::Mode::transform));
    FAIL("no error");
  } catch (const text::Error& error) {
    const std::string answer = krm::answer_error(source, error);
    CHECK(answer.find(bad) == 0);
    CHECK(answer.find("message: \"spec.containers: expected a list, found a string\"\n") !=
          std::string::npos);
    CHECK(answer.find("severity: error\n  resourceRef:\n    apiVersion: v1\n") !=
          std::string::npos);
  }
}

TEST_CASE("results come after those that are there") {
  krm::Result result;
  result.message = "second";
  const std::string text = "kind: ResourceList\nresults:\n- message: first\n";
  const std::string out = krm::with_results(text, {result});
  CHECK(out.find(text) == 0);
  CHECK(out.find("- message: second\n  severity: error\n") != std::string::npos);
  CHECK(krm::with_results(text, {}) == text);
}

TEST_CASE("a legacy plugin gets documents and gives documents; a validating one prints nothing") {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n  containers:\n  - name: m\n"
      "    resources:\n      limits:\n        nvidia.com/gpu: 1\n---\napiVersion: v1\nkind: "
      "Secret\n";
  const text::Source source = text::Source::from_string("test", text);
  const krm::Answer answer = krm::run_plugin(source, settings_for(krm::Mode::transform));
  CHECK(answer.output.find("tolerations:") != std::string::npos);
  CHECK(answer.output.find("---\napiVersion: v1\nkind: Secret\n") != std::string::npos);
  const krm::Answer checked = krm::run_plugin(source, settings_for(krm::Mode::validate));
  CHECK(checked.output.empty());
  CHECK(checked.failed);
}
