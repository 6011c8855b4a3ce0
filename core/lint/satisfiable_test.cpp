#include "core/lint/satisfiable.h"

#include "core/lint/testing.h"

using namespace gpuspec;
using lint::brief;
using lint::pod;

namespace {

lint::RequirementView requirement(const std::string& key, const std::string& op,
                                  std::vector<std::string> values = {}) {
  lint::RequirementView view;
  view.key = key;
  view.op = op;
  view.values = std::move(values);
  return view;
}

bool clash(const std::vector<lint::RequirementView>& requirements) {
  std::vector<const lint::RequirementView*> pointers;
  for (const lint::RequirementView& view : requirements) pointers.push_back(&view);
  return static_cast<bool>(lint::find_clash(pointers));
}

}  // namespace

TEST_CASE("requirements that no node can satisfy at once") {
  const auto in = [](std::vector<std::string> values) { return requirement("k", "In", values); };
  CHECK(clash({in({"a"}), in({"b"})}));
  CHECK_FALSE(clash({in({"a", "b"}), in({"b", "c"})}));
  CHECK(clash({in({"a", "b"}), in({"b", "c"}), requirement("k", "NotIn", {"b"})}));
  CHECK(clash({in({"a"}), requirement("k", "DoesNotExist")}));
  CHECK(clash({requirement("k", "Exists"), requirement("k", "DoesNotExist")}));
  CHECK_FALSE(clash({requirement("k", "NotIn", {"a"}), requirement("k", "DoesNotExist")}));
  CHECK(clash({in({"a"}), requirement("k", "NotIn", {"a"})}));
  CHECK(clash({requirement("k", "Gt", {"4"}), requirement("k", "Lt", {"5"})}));
  CHECK_FALSE(clash({requirement("k", "Gt", {"4"}), requirement("k", "Lt", {"6"})}));
  CHECK(clash({in({"16"}), requirement("k", "Gt", {"40000"})}));
  CHECK_FALSE(clash({in({"81920"}), requirement("k", "Gt", {"40000"})}));
  CHECK_FALSE(clash({in({"a"}), requirement("other", "In", {"b"})}));
  CHECK_FALSE(clash({}));
}

TEST_CASE("a term that contradicts only itself is a warning") {
  const std::string affinity =
      "  affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: "
      "{nodeSelectorTerms: [{matchExpressions: [{key: zone, operator: In, values: [a]}, {key: "
      "zone, "
      "operator: In, values: [b]}]}, {matchExpressions: [{key: zone, operator: In, values: "
      "[a]}]}]}}}\n";
  const lint::Result result =
      lint::lint(lint::source_of(pod(affinity + lint::toleration)), lint::all_settings());
  REQUIRE(brief(result.findings) == "GPU207@13");
  CHECK(result.findings[0].severity == lint::Severity::warning);
}
