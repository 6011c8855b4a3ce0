#include "core/kube/selector.h"

#include <algorithm>

#include "core/kube/shared_cases.h"
#include "core/testing.h"

using namespace gpuspec::kube;
using nlohmann::json;

namespace {

bool selects(std::string_view selector, const Labels& labels) {
  return LabelSelector(selector).matches(labels);
}

std::vector<NodeSelectorRequirement> requirements(const json& list) {
  std::vector<NodeSelectorRequirement> result;
  if (!list.is_array()) return result;
  for (const json& r : list)
    result.push_back({r.value("key", ""), r.value("operator", ""),
                      r.value("values", std::vector<std::string>())});
  return result;
}

/// Whether required node affinity lets the pod on the node.
bool required_fits(const json& affinity, const Labels& labels, const std::string& name) {
  const std::string key = "requiredDuringSchedulingIgnoredDuringExecution";
  if (!affinity.is_object() || !affinity.contains(key)) return true;
  const json terms = affinity.at(key).value("nodeSelectorTerms", json::array());
  return std::any_of(terms.begin(), terms.end(), [&](const json& term) {
    return matches({requirements(term.value("matchExpressions", json())),
                    requirements(term.value("matchFields", json()))},
                   labels, name);
  });
}

}  // namespace

TEST_CASE("selector: kubectl's label selectors") {
  const Labels labels = {{"app", "train"}, {"tier", "a"}, {"n", "5"}};
  CHECK(selects("", labels));
  CHECK(selects("app=train,tier in (a,b)", labels));
  CHECK(selects("app==train", labels));
  CHECK(selects("app != web, tier", labels));
  CHECK(selects("!gone", labels));
  CHECK(selects("gone!=x", labels));
  CHECK(selects("tier notin (b, c)", labels));
  CHECK(selects("n>4,n<6", labels));
  CHECK_FALSE(selects("n>5", labels));
  CHECK_FALSE(selects("app=", labels));
  CHECK_FALSE(selects("gone", labels));
  CHECK_FALSE(selects("!app", labels));
  for (const char* text :
       {"=x", "a in", "a in (b", "a b", "a=b=c", ",", "a,,b", "a>x", "a=b c", "-a"})
    CHECK_THROWS_AS(LabelSelector(text), std::invalid_argument);
}

TEST_CASE("selector: upstream node affinity cases") {
  for (const auto& c : shared_cases("k8s_nodeaffinity_cases.json")) {
    CAPTURE(c.at("name").get<std::string>());
    const json& node = c.at("node");
    const std::string name = node.value("name", "");
    const Labels labels = node.value("labels", Labels());
    const json spec = c.at("pod").value("spec", json::object());
    bool fits = true;
    if (c.at("plugin") == "NodeName") {
      const std::string wanted = spec.value("nodeName", "");
      fits = wanted.empty() || wanted == name;
    } else {
      for (const auto& [key, value] : spec.value("nodeSelector", Labels()))
        fits = fits && labels.count(key) != 0 && labels.at(key) == value;
      const json affinity = spec.value("affinity", json::object());
      fits = fits && required_fits(affinity.value("nodeAffinity", json()), labels, name) &&
             required_fits(c.value("added_affinity", json()), labels, name);
    }
    CHECK(fits == c.at("fits").get<bool>());
  }
}
