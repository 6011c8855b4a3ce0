#include "core/kube/schedule.h"

#include <map>
#include <string>

#include "core/kube/pod.h"
#include "core/kube/read.h"
#include "core/kube/shared_cases.h"
#include "core/testing.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;
using kube::Quantity;
using nlohmann::json;

namespace {

/// A piece of a case as a tree: JSON is YAML.
struct Document {
  explicit Document(const json& content) : text(content.dump()) {
    yaml::read_document(text, 0, tree);
  }
  yaml::NodeId at(std::initializer_list<std::string_view> keys) const {
    return yaml::get(tree, 0, keys);
  }
  std::string text;
  yaml::Tree tree;
};

kube::Node node_of(const json& allocatable) {
  kube::Node node;
  for (const auto& [name, quantity] : allocatable.items())
    node.allocatable[name] = *Quantity::parse(quantity.get<std::string>());
  return node;
}

std::vector<kube::Taint> taints_of(const json& list) {
  std::vector<kube::Taint> taints;
  for (const json& taint : list)
    taints.push_back({taint.value("key", ""), taint.value("value", ""), taint.value("effect", "")});
  return taints;
}

std::vector<kube::Toleration> tolerations_of(const json& list) {
  const Document document(list);
  return kube::read_tolerations(document.tree, 0);
}

/// In the units of the fit cases: thousandths of CPU, else whole.
long long in_units(const std::string& resource, const Quantity& quantity) {
  return resource == "cpu" ? quantity.milli_value() : quantity.value();
}

std::optional<std::vector<kube::NodeSelectorTerm>> required_of(const Document& document,
                                                               yaml::NodeId required) {
  if (required == yaml::no_node) return std::nullopt;
  return kube::read_terms(document.tree, yaml::get(document.tree, required, "nodeSelectorTerms"));
}

constexpr std::string_view required_key = "requiredDuringSchedulingIgnoredDuringExecution";

}  // namespace

TEST_CASE("upstream's cases of what a pod requests") {
  for (const json& row : kube::shared_cases("k8s_podrequests_cases.json")) {
    INFO(row["name"].get<std::string>());
    const Document pod(row["pod"]);
    const json& options = row["options"];
    kube::RequestOptions how;
    how.overhead = !options.value("ExcludeOverhead", false);
    how.pod_level = !options.value("SkipPodLevelResources", false);
    how.status = options.value("UseStatusResources", false);
    const kube::ResourceList got =
        kube::pod_requests(pod.tree, pod.at({"spec"}), pod.at({"status"}), how);
    kube::ResourceList expected;
    for (const auto& [name, quantity] : row["expected_requests"].items())
      expected[name] = *Quantity::parse(quantity.get<std::string>());
    CHECK(got == expected);
  }
}

TEST_CASE("upstream's cases of NodeResourcesFit") {
  for (const json& row : kube::shared_cases("k8s_fit_cases.json")) {
    INFO(row["name"].get<std::string>());
    const Document pod(row["pod"]);
    kube::ResourceList used;
    long long pods = 0;
    for (const json& other : row["existing_pods"]) {
      const Document document(other);
      kube::RequestOptions how;
      how.status = true;
      for (const auto& [name, quantity] :
           kube::pod_requests(document.tree, document.at({"spec"}), document.at({"status"}), how))
        used[name] += quantity;
      ++pods;
    }
    kube::FitOptions options;
    if (row.contains("scheduler_args")) {
      for (const json& name : row["scheduler_args"].value("ignoredResources", json::array()))
        options.ignored.insert(name.get<std::string>());
      for (const json& name : row["scheduler_args"].value("ignoredResourceGroups", json::array()))
        options.ignored_groups.insert(name.get<std::string>());
    }
    if (row.contains("feature_gates") && row["feature_gates"].value("DRAExtendedResource", false))
      for (const json& name : row["dra_extended_resources"])
        options.claimed.insert(name.get<std::string>());
    const std::vector<kube::Shortage> missing =
        kube::find_shortages(kube::pod_requests(pod.tree, pod.at({"spec"}), yaml::no_node),
                             node_of(row["node_allocatable"]), used, pods, options);
    CHECK(missing.empty() == row["fits"].get<bool>());
    if (!row["insufficient"].is_array()) continue;
    std::map<std::string, std::array<long long, 3>> got;
    for (const kube::Shortage& shortage : missing)
      got[shortage.resource] = {in_units(shortage.resource, shortage.requested),
                                in_units(shortage.resource, shortage.used),
                                in_units(shortage.resource, shortage.capacity)};
    std::map<std::string, std::array<long long, 3>> expected;
    for (const json& entry : row["insufficient"])
      expected[entry["resource"].get<std::string>()] = {entry["requested"].get<long long>(),
                                                        entry["used"].get<long long>(),
                                                        entry["capacity"].get<long long>()};
    CHECK(got == expected);
  }
}

TEST_CASE("upstream's cases of TaintToleration and NodeUnschedulable") {
  for (const json& row : kube::shared_cases("k8s_taint_cases.json")) {
    INFO(row["name"].get<std::string>());
    const std::vector<kube::Toleration> tolerations = tolerations_of(row["tolerations"]);
    if (row["plugin"] == "NodeUnschedulable") {
      kube::Node node;
      node.unschedulable = row["node_unschedulable"].get<bool>();
      CHECK(kube::passes_unschedulable(tolerations, node) == row["fits"].get<bool>());
      continue;
    }
    std::set<std::string> effects;
    if (row.contains("effects_checked")) {
      if (row["effects_checked"].is_null())
        effects = {"NoSchedule", "NoExecute", "PreferNoSchedule", ""};
      else if (row["effects_checked"].empty())
        effects = {"none of them"};
      else
        for (const json& effect : row["effects_checked"]) effects.insert(effect.get<std::string>());
    }
    const auto taint = kube::untolerated_taint(tolerations, taints_of(row["taints"]),
                                               row.value("comparison_operators", false), effects);
    CHECK(!taint.has_value() == row["fits"].get<bool>());
  }
}

TEST_CASE("upstream's cases of NodeAffinity and NodeName") {
  for (const json& row : kube::shared_cases("k8s_nodeaffinity_cases.json")) {
    INFO(row["name"].get<std::string>());
    const Document pod(row["pod"]);
    kube::Node node;
    node.name = row["node"].value("name", "");
    if (row["node"].contains("labels"))
      node.labels = row["node"]["labels"].get<std::map<std::string, std::string>>();
    bool fits = true;
    if (row["plugin"] == "NodeName") {
      const auto name = yaml::get_text(pod.tree, pod.at({"spec"}), "nodeName");
      fits = !name || name->empty() || *name == node.name;
    } else {
      kube::Labels selector;
      if (const yaml::NodeId mapping = pod.at({"spec", "nodeSelector"}); mapping != yaml::no_node)
        selector = kube::read_labels(pod.tree, mapping);
      fits = kube::passes_node_affinity(
          selector, required_of(pod, pod.at({"spec", "affinity", "nodeAffinity", required_key})),
          node);
      if (row.contains("added_affinity")) {
        const Document added(row["added_affinity"]);
        fits = fits &&
               kube::passes_node_affinity({}, required_of(added, added.at({required_key})), node);
      }
    }
    CHECK(fits == row["fits"].get<bool>());
  }
}

TEST_CASE("nodes are read as kubectl prints them") {
  const std::string text = R"(apiVersion: v1
kind: List
items:
- apiVersion: v1
  kind: Node
  metadata:
    name: gpu-1
    labels: {nvidia.com/gpu.present: "true", zone: a}
  spec:
    unschedulable: true
    taints:
    - {key: nvidia.com/gpu, value: present, effect: NoSchedule}
  status:
    capacity: {nvidia.com/gpu: "8"}
    allocatable: {nvidia.com/gpu: "4", cpu: 95, memory: 1Ti}
- apiVersion: v1
  kind: Pod
  metadata: {name: other}
)";
  yaml::Tree tree;
  yaml::read_document(text, 0, tree);
  const std::vector<kube::Node> nodes = kube::read_nodes(tree);
  REQUIRE(nodes.size() == 1);
  CHECK(nodes[0].name == "gpu-1");
  CHECK(nodes[0].labels.at("nvidia.com/gpu.present") == "true");
  CHECK(nodes[0].unschedulable);
  REQUIRE(nodes[0].taints.size() == 1);
  CHECK(nodes[0].taints[0].value == "present");
  CHECK(nodes[0].allocatable.at("nvidia.com/gpu").value() == 4);
  CHECK(nodes[0].allocatable.at("cpu").value() == 95);
}

TEST_CASE("a limit counts as request where the API server would fill it in") {
  const Document pod(json{
      {"containers",
       {{{"name", "a"},
         {"resources",
          {{"limits", {{"nvidia.com/gpu", "2"}, {"cpu", "4"}}}, {"requests", {{"cpu", "1"}}}}}}}}});
  kube::RequestOptions how;
  CHECK(kube::pod_requests(pod.tree, 0, yaml::no_node, how).count("nvidia.com/gpu") == 0);
  how.limits_default = true;
  const kube::ResourceList requests = kube::pod_requests(pod.tree, 0, yaml::no_node, how);
  CHECK(requests.at("nvidia.com/gpu").value() == 2);
  CHECK(requests.at("cpu").value() == 1);
}
