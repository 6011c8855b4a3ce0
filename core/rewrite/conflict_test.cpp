#include "core/rewrite/conflict.h"

#include "core/testing.h"

using gpuspec::kube::NodeSelectorRequirement;
using gpuspec::rewrite::describe;
using gpuspec::rewrite::satisfiable;

TEST_CASE("conflict: whether requirements on one label leave a value") {
  const NodeSelectorRequirement in_ab{"k", "In", {"a", "b"}};
  const NodeSelectorRequirement in_bc{"k", "In", {"b", "c"}};
  const NodeSelectorRequirement not_b{"k", "NotIn", {"b"}};
  const NodeSelectorRequirement exists{"k", "Exists", {}};
  const NodeSelectorRequirement absent{"k", "DoesNotExist", {}};
  const NodeSelectorRequirement above_3{"k", "Gt", {"3"}};
  const NodeSelectorRequirement below_5{"k", "Lt", {"5"}};
  const NodeSelectorRequirement below_4{"k", "Lt", {"4"}};
  CHECK(satisfiable({}));
  CHECK(satisfiable({in_ab, in_bc}));
  CHECK(satisfiable({in_ab, not_b}));
  CHECK_FALSE(satisfiable({in_ab, in_bc, not_b}));
  CHECK(satisfiable({in_ab, exists}));
  CHECK_FALSE(satisfiable({in_ab, absent}));
  CHECK(satisfiable({not_b, absent}));
  CHECK_FALSE(satisfiable({exists, absent}));
  CHECK(satisfiable({above_3, below_5}));
  CHECK_FALSE(satisfiable({above_3, below_4}));
  CHECK_FALSE(satisfiable({above_3, absent}));
  CHECK_FALSE(satisfiable({in_ab, above_3}));
}

TEST_CASE("conflict: requirements in words") {
  CHECK(describe({"k", "In", {"a"}}) == "k=a");
  CHECK(describe({"k", "NotIn", {"a", "b"}}) == "k NotIn [a, b]");
  CHECK(describe({"k", "Exists", {}}) == "k Exists");
}
