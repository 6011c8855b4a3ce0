// Never an unsatisfiable pod without a word: random pods and profiles, checked against all nodes
// of a small world.
#include <array>
#include <random>

#include "core/kube/read.h"
#include "core/kube/workload.h"
#include "core/rewrite/testing.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;
using namespace gpuspec::rewrite;
using kube::Labels;

namespace {

const std::array<std::string, 2> keys = {"gpu", "zone"};
const std::array<std::string, 3> values = {"1", "2", "5"};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  int below(int n) { return std::uniform_int_distribution<int>(0, n - 1)(engine_); }
  bool coin() { return below(2) == 0; }
  std::string key() { return keys[static_cast<std::size_t>(below(2))]; }
  std::string value() { return values[static_cast<std::size_t>(below(3))]; }

  kube::NodeSelectorRequirement requirement() {
    static const std::array<const char*, 6> ops = {"In",           "NotIn", "Exists",
                                                   "DoesNotExist", "Gt",    "Lt"};
    kube::NodeSelectorRequirement r{key(), ops[static_cast<std::size_t>(below(6))], {}};
    if (r.op == "In" || r.op == "NotIn") {
      r.values = {value()};
      if (coin()) r.values.push_back(value());
    } else if (r.op == "Gt" || r.op == "Lt") {
      r.values = {value()};
    }
    return r;
  }

 private:
  std::mt19937 engine_;
};

std::string flow(const kube::NodeSelectorRequirement& r) {
  std::string text = "{key: " + r.key + ", operator: " + r.op;
  for (std::size_t i = 0; i < r.values.size(); ++i)
    text += (i == 0 ? ", values: ['" : "', '") + r.values[i];
  return text + (r.values.empty() ? "}" : "']}");
}

std::string random_pod(Random& random) {
  std::string spec;
  if (random.coin()) {
    // One draw a statement: the order of draws must not be the compiler's choice.
    const std::string value = random.value();
    const std::string key = random.key();
    spec += "  nodeSelector: {" + key + ": '" + value + "'}\n";
  }
  if (random.coin()) {
    spec +=
        "  affinity:\n    nodeAffinity:\n"
        "      requiredDuringSchedulingIgnoredDuringExecution:\n        nodeSelectorTerms:\n";
    for (int terms = 1 + random.below(3); terms > 0; --terms) {
      spec += "        - matchExpressions: [";
      for (int n = random.below(3); n > 0; --n)
        spec += flow(random.requirement()) + (n > 1 ? ", " : "");
      spec += "]\n";
    }
  }
  return gpu_pod(spec);
}

profile::Profile random_profile(Random& random) {
  profile::Profile profile;
  profile.device_label = "gpu";
  profile.partition_label = "zone";
  if (random.coin()) profile.accelerator = random.value();
  if (random.coin()) profile.partition = random.value();
  if (!profile.partition && random.coin()) profile.unpartitioned = true;
  if (!profile.unpartitioned && random.coin())
    profile.selector_style = profile::SelectorStyle::node_selector;
  if (random.coin()) profile.node_selector = {{random.key(), random.value()}};
  if (random.coin()) profile.required = {random.requirement()};
  if (random.below(4) == 0) {
    for (int n = 1 + random.below(2); n > 0; --n)
      profile.required_terms.push_back({{random.requirement()}, {}});
  }
  if (random.coin()) profile.conflict = profile::Conflict::replace;
  return profile;
}

/// Whether the profile by itself leaves a node; when it does not, nothing can help.
bool possible(const profile::Profile& profile, const Labels& node) {
  const auto is = [&](const std::string& key, const std::optional<std::string>& value) {
    return !value || (node.contains(key) && node.at(key) == *value);
  };
  if (!is("gpu", profile.accelerator) || !is("zone", profile.partition)) return false;
  if (profile.unpartitioned && node.contains("zone")) return false;
  for (const auto& [key, value] : profile.node_selector) {
    if (!is(key, value)) return false;
  }
  if (!profile.required.empty() && !kube::matches({profile.required, {}}, node, "")) return false;
  bool any = profile.required_terms.empty();
  for (const auto& term : profile.required_terms) any = any || kube::matches(term, node, "");
  return any;
}

bool fits(const std::string& pod, const Labels& node) {
  yaml::Tree tree;
  yaml::read_document(pod, 0, tree);
  const yaml::NodeId spec = yaml::get(tree, 0, "spec");
  for (const auto& [key, value] : kube::read_labels(tree, yaml::get(tree, spec, "nodeSelector"))) {
    if (!node.contains(key) || node.at(key) != value) return false;
  }
  const yaml::NodeId required = yaml::get(
      tree, spec, {"affinity", "nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution"});
  if (required == yaml::no_node) return true;
  for (const auto& term : kube::read_terms(tree, yaml::get(tree, required, "nodeSelectorTerms"))) {
    if (kube::matches(term, node, "")) return true;
  }
  return false;
}

std::vector<Labels> all_nodes() {
  std::vector<Labels> nodes;
  const std::array<std::string, 7> choices = {"", "0", "1", "2", "3", "5", "9"};
  for (const std::string& gpu : choices) {
    for (const std::string& zone : choices) {
      Labels node;
      if (!gpu.empty()) node["gpu"] = gpu;
      if (!zone.empty()) node["zone"] = zone;
      nodes.push_back(std::move(node));
    }
  }
  return nodes;
}

}  // namespace

TEST_CASE("schedule: a pod that fitted some node still does, or there is a warning") {
  const std::vector<Labels> nodes = all_nodes();
  const auto any = [&](auto predicate) {
    return std::any_of(nodes.begin(), nodes.end(), predicate);
  };
  int silent = 0;
  int changed = 0;
  for (unsigned seed = 0; seed < 3000; ++seed) {
    Random random(seed);
    const std::string before = random_pod(random);
    const profile::Profile profile = random_profile(random);
    if (!any([&](const Labels& node) { return fits(before, node); }) ||
        !any([&](const Labels& node) { return possible(profile, node); }))
      continue;
    CAPTURE(seed, before);
    const Rewritten result = run(before, profile);
    CAPTURE(result.text);
    changed += result.text != before;
    if (!result.silent()) continue;
    ++silent;
    CHECK(any([&](const Labels& node) { return fits(result.text, node); }));
    // Without a conflict the outcome is exactly what both want.
    if (profile.conflict == profile::Conflict::replace) continue;
    for (const Labels& node : nodes) {
      if (fits(result.text, node)) {
        CHECK(fits(before, node));
        CHECK(possible(profile, node));
      }
    }
  }
  CHECK(silent > 500);
  CHECK(changed > 1000);
}
