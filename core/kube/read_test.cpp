#include "core/kube/read.h"

#include "core/testing.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;
using namespace gpuspec::kube;

namespace {

yaml::Tree read(std::string_view text) {
  yaml::Tree tree;
  yaml::read_document(text, 0, tree);
  return tree;
}

}  // namespace

TEST_CASE("read: tolerations, through aliases and merge keys") {
  const yaml::Tree tree = read(
      "a: &a {key: k, operator: Exists}\n"
      "t:\n- *a\n- <<: *a\n  effect: NoExecute\n  tolerationSeconds: 5\n- value: true\n");
  const auto list = read_tolerations(tree, yaml::get(tree, 0, "t"));
  REQUIRE(list.size() == 3);
  CHECK(list[0] == Toleration{"k", "Exists", "", "", {}});
  CHECK(list[1] == Toleration{"k", "Exists", "", "NoExecute", 5});
  CHECK(list[2].value == "true");
  CHECK(read_tolerations(tree, yaml::no_node).empty());
  CHECK(read_tolerations(tree, yaml::get(tree, 0, "a")).empty());
}

TEST_CASE("read: terms and preferences") {
  const yaml::Tree tree = read(
      "r:\n- matchExpressions: [{key: a, operator: In, values: [x, 1]}]\n- {}\n"
      "p:\n- weight: 7\n  preference: {matchFields: [{key: m, operator: Exists}]}\n");
  const auto terms = read_terms(tree, yaml::get(tree, 0, "r"));
  REQUIRE(terms.size() == 2);
  CHECK(terms[0].match_expressions[0] == NodeSelectorRequirement{"a", "In", {"x", "1"}});
  CHECK(terms[1] == NodeSelectorTerm{});
  const auto preferred = read_preferred(tree, yaml::get(tree, 0, "p"));
  REQUIRE(preferred.size() == 1);
  CHECK(preferred[0].weight == 7);
  CHECK(preferred[0].preference.match_fields[0].key == "m");
}

TEST_CASE("read: paths below a node") {
  const yaml::Tree tree = read("x: 1\ny:\n- a\n- b: {c: [d]}\n");
  const yaml::NodeId d = yaml::items(
      tree, yaml::get(tree, yaml::items(tree, yaml::get(tree, 0, "y"))[1], {"b", "c"}))[0];
  CHECK(path_in_object(tree, 0, d) == "y[1].b.c[0]");
  CHECK(path_in_object(tree, yaml::get(tree, 0, "y"), d) == "[1].b.c[0]");
  CHECK(path_in_object(tree, d, d).empty());
  CHECK(path_in_object(tree, d, 0).empty());
}
