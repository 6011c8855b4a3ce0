#include "core/kube/validation.h"

#include "core/kube/names.h"
#include "core/kube/shared_cases.h"
#include "core/kube/workload.h"
#include "core/testing.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;
using namespace gpuspec::kube;
using nlohmann::json;

namespace {

struct Read {
  std::string text;
  yaml::Tree tree;
  explicit Read(std::string given) : text(std::move(given)) { yaml::read_document(text, 0, tree); }
};

Violations validate_spec(const json& spec, const ValidationOptions& options) {
  json manifest = {{"apiVersion", "v1"}, {"kind", "Pod"}, {"spec", spec}};
  const Read read(manifest.dump());
  const Objects found = find_objects(read.tree);
  REQUIRE(found.objects.size() == 1);
  REQUIRE(found.objects[0].pods.size() == 1);
  return validate_pod(read.tree, found.objects[0].node, found.objects[0].pods[0], options);
}

/// All violations as the API server joins them.
std::string words(const Violations& violations) {
  std::string text;
  for (const Violation& violation : violations)
    text += (text.empty() ? "" : ", ") + violation.path + ": " + violation.message();
  return text;
}

std::string tolerations(const std::string& items, bool gate = false) {
  const Read read(items);
  return words(
      validate_tolerations(read.tree, 0, "t", ValidationOptions{.comparison_operators = gate}));
}

std::string resources(const std::string& text) {
  const Read read(text);
  return words(validate_resources(read.tree, 0, "resources"));
}

std::string terms(const std::string& text) {
  const Read read(text);
  return words(validate_node_selector_terms(read.tree, 0, "terms"));
}

}  // namespace

TEST_CASE("validation: tolerations") {
  CHECK(tolerations("[{key: a, operator: Exists}, {key: a, operator: Exists}]").empty());
  CHECK(tolerations("[{key: a, value: b, effect: NoExecute, tolerationSeconds: -1}]").empty());
  CHECK_THAT(tolerations("[{effect: NoSchedule}]"),
             ContainsSubstring("t[0].operator: Invalid value: \"\": operator must be Exists when"));
  CHECK_THAT(tolerations("[{key: a, operator: Equal, value: 'a b'}]"),
             ContainsSubstring("t[0].operator: Invalid value: \"a b\": a valid label must be"));
  CHECK(tolerations("[{key: a, operator: In}]") ==
        "t[0].operator: Unsupported value: \"In\": supported values: \"Equal\", \"Exists\"");
  CHECK(tolerations("[{key: a, operator: Exists, effect: Never}]") ==
        "t[0].effect: Unsupported value: \"Never\": supported values: \"NoSchedule\", "
        "\"PreferNoSchedule\", \"NoExecute\"");
  CHECK(tolerations("[{key: a, operator: Gt, value: '5'}]", true).empty());
  CHECK_THAT(tolerations("[{key: a, operator: Gt, value: '05'}]", true),
             ContainsSubstring("must be a valid decimal integer in canonical form"));
  CHECK_THAT(tolerations("[{key: a, operator: Lt, value: '9223372036854775808'}]", true),
             ContainsSubstring("value out of range"));
  CHECK_THAT(tolerations("[{key: a, operator: Lt}]", true), ContainsSubstring("must be non-empty"));
}

TEST_CASE("validation: points at what is wrong") {
  const Read read("[{key: a, operator: Exists, effect: Never}]");
  const Violations found = validate_tolerations(read.tree, 0, "t");
  REQUIRE(found.size() == 1);
  CHECK(read.tree.raw(found[0].node) == "Never");
}

TEST_CASE("validation: node selector terms") {
  CHECK(terms("[{}, {matchExpressions: [{key: a, operator: Exists}]}]").empty());
  CHECK_THAT(terms("[{matchExpressions: [{key: a, operator: In}]}]"),
             ContainsSubstring("terms[0].matchExpressions[0].values: Required value: must be "
                               "specified when `operator` is 'In' or 'NotIn'"));
  CHECK_THAT(terms("[{matchExpressions: [{key: a, operator: Exists, values: [b]}]}]"),
             ContainsSubstring("Forbidden: may not be specified when"));
  CHECK_THAT(terms("[{matchExpressions: [{key: a, operator: Gt, values: ['1', '2']}]}]"),
             ContainsSubstring("must be specified single value when"));
  CHECK_THAT(terms("[{matchExpressions: [{key: a b, operator: Exists}]}]"),
             ContainsSubstring(".key: Invalid value: \"a b\": name part must consist of"));
  CHECK_THAT(terms("[{matchFields: [{key: metadata.name, operator: Exists}]}]"),
             ContainsSubstring("not a valid selector operator"));
}

TEST_CASE("validation: resources") {
  CHECK(resources("{limits: {nvidia.com/gpu: 1}}").empty());
  CHECK(resources("{limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 1000m}}").empty());
  CHECK(resources("{requests: {nvidia.com/gpu: 1}}") ==
        "resources.limits: Required value: Limit must be set for non overcommitable resources");
  CHECK(resources("{limits: {nvidia.com/gpu: 1}, requests: {nvidia.com/gpu: 2}}") ==
        "resources.requests: Invalid value: \"2\": must be equal to nvidia.com/gpu limit of 1");
  CHECK(resources("{limits: {cpu: 1}, requests: {cpu: 2}}") ==
        "resources.requests: Invalid value: \"2\": must be less than or equal to cpu limit of 1");
  CHECK_THAT(resources("{limits: {cpu: -1}}"),
             ContainsSubstring("must be greater than or equal to 0"));
  CHECK_THAT(resources("{limits: {cpu: 1, hugepages-2Mi: 3Mi}}"),
             ContainsSubstring("3Mi is not positive integer multiple of hugepages-2Mi"));
  CHECK_THAT(resources("{limits: {gpu: 1}}"), ContainsSubstring("must be a standard resource"));
  CHECK_THAT(resources("{limits: {cpu: lots}}"), ContainsSubstring("quantities must match"));
  CHECK_THAT(resources("{claims: [{name: a}, {name: a, request: b}]}"),
             ContainsSubstring("resources.claims[1]: Duplicate value: \"a\""));
  CHECK_THAT(resources("{claims: [{name: a}]}"),
             ContainsSubstring("Not found: \"a\": must be one of the names in "
                               "pod.spec.resourceClaims which is empty"));
}

TEST_CASE("validation: upstream cases") {
  for (const json& c : shared_cases("k8s_validation_cases.json")) {
    const std::string kind = c.at("kind");
    CAPTURE(c.at("name").get<std::string>(), kind);
    std::string found;
    if (kind == "podspec") {
      found = words(validate_spec(
          c.at("podspec"), {.comparison_operators = c.value("comparison_operators", false)}));
    } else if (kind == "resources") {
      found = resources(c.at("resources").dump());
    } else if (kind == "resource_name") {
      for (const std::string& error : check_resource_name(c.at("input").get<std::string>()))
        found += error;
    } else if (kind == "taints") {
      const Read read(c.at("taints").dump());
      found = words(validate_taints(read.tree, 0, "spec.taints"));
    } else {
      FAIL("no such kind of case: " << kind);
    }
    CAPTURE(found);
    CHECK(found.empty() == c.at("valid").get<bool>());
    if (c.contains("error")) CHECK_THAT(found, ContainsSubstring(c.at("error")));
  }
}
