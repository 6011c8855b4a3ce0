#include "core/kube/toleration.h"

#include <algorithm>

#include "core/kube/shared_cases.h"
#include "core/testing.h"

using namespace gpuspec::kube;
using nlohmann::json;

namespace {

Toleration toleration(const json& j) {
  Toleration t{j.value("key", ""), j.value("operator", ""), j.value("value", ""),
               j.value("effect", ""), std::nullopt};
  if (j.contains("tolerationSeconds")) t.seconds = j.at("tolerationSeconds").get<long long>();
  return t;
}

std::vector<Toleration> tolerations(const json& list) {
  std::vector<Toleration> result;
  for (const json& item : list) result.push_back(toleration(item));
  return result;
}

}  // namespace

TEST_CASE("toleration: an empty operator means Equal") {
  const Toleration bare{"k", "", "v", "NoSchedule", std::nullopt};
  const Toleration equal{"k", "Equal", "v", "NoSchedule", std::nullopt};
  CHECK(covers(equal, bare));
  CHECK(covers(bare, equal));
  CHECK_FALSE(covers(equal, bare, false));
}

TEST_CASE("toleration: the command line's spelling") {
  CHECK(parse_toleration("nvidia.com/gpu") == Toleration{"nvidia.com/gpu", "Exists", "", "", {}});
  CHECK(parse_toleration("a=b:NoExecute") == Toleration{"a", "Equal", "b", "NoExecute", {}});
  CHECK(parse_toleration("a=:NoSchedule") == Toleration{"a", "Equal", "", "NoSchedule", {}});
  CHECK(parse_toleration("a:NoSchedule") == Toleration{"a", "Exists", "", "NoSchedule", {}});
  for (const char* text : {"", "=b", "a b", "a=b c", "a:noschedule", "a/b/c", ":NoSchedule"})
    CHECK_THROWS_AS(parse_toleration(text), std::invalid_argument);
}

TEST_CASE("toleration: upstream set cases") {
  for (const auto& c : shared_cases("k8s_toleration_set_cases.json")) {
    const std::string op = c.at("op");
    CAPTURE(c.at("name").get<std::string>(), op);
    if (op == "superset") {
      CHECK(covers(toleration(c.at("a")), toleration(c.at("b")), false) ==
            c.at("result").get<bool>());
    } else if (op == "merge") {
      CHECK(merge_tolerations(tolerations(c.at("a")), tolerations(c.at("b"))) ==
            tolerations(c.at("result")));
    } else if (op == "whitelist") {
      CHECK(verify_against_whitelist(tolerations(c.at("a")), tolerations(c.at("b"))) ==
            c.at("result").get<bool>());
    } else {
      FAIL("no such operation: " << op);
    }
  }
}

TEST_CASE("toleration: upstream taint cases") {
  for (const auto& c : shared_cases("k8s_taint_cases.json")) {
    CAPTURE(c.at("name").get<std::string>());
    const auto list = tolerations(c.at("tolerations"));
    std::vector<Taint> taints;
    for (const json& t : c.at("taints"))
      taints.push_back({t.value("key", ""), t.value("value", ""), t.value("effect", "")});
    if (c.at("plugin") == "NodeUnschedulable" && c.value("node_unschedulable", false))
      taints.push_back({"node.kubernetes.io/unschedulable", "", "NoSchedule"});
    const auto counts = [&](const Taint& taint) {
      if (!c.contains("effects_checked"))
        return taint.effect == "NoSchedule" || taint.effect == "NoExecute";
      const json& checked = c.at("effects_checked");
      return checked.is_null() ||
             std::find(checked.begin(), checked.end(), taint.effect) != checked.end();
    };
    const bool gate = c.value("comparison_operators", false);
    const bool fits = std::all_of(taints.begin(), taints.end(), [&](const Taint& taint) {
      return !counts(taint) || std::any_of(list.begin(), list.end(), [&](const Toleration& t) {
        return tolerates(t, taint, gate);
      });
    });
    CHECK(fits == c.at("fits").get<bool>());
  }
}
