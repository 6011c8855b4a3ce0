#include "core/rewrite/model.h"

#include <algorithm>
#include <charconv>

#include "core/kube/read.h"
#include "core/rewrite/shape.h"
#include "core/text/concat.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

using yaml::no_node;
using yaml::NodeId;
using yaml::Tree;

constexpr std::string_view required_key = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view preferred_key = "preferredDuringSchedulingIgnoredDuringExecution";

std::string text_of(const Tree& tree, NodeId node) {
  node = tree.resolve(node);
  if (tree[node].kind != yaml::Kind::scalar || yaml::type_of(tree, node) == yaml::Type::null)
    return {};
  return yaml::scalar_text(tree, node);
}

bool is_mapping(const Tree& tree, NodeId node) {
  return node != no_node && tree[tree.resolve(node)].kind == yaml::Kind::mapping;
}

/// Items of a sequence; throws when the node is something else.
std::vector<NodeId> items_of(const Tree& tree, NodeId node, const std::string& path) {
  expect_kind(tree, node, yaml::Kind::sequence, path);
  if (node == no_node || tree[tree.resolve(node)].kind != yaml::Kind::sequence) return {};
  return yaml::items(tree, tree.resolve(node));
}

std::string indexed(const std::string& path, std::size_t index) {
  return path + '[' + std::to_string(index) + ']';
}

void load_entries(const Tree& tree, NodeId node, const std::string& path, Entries& out) {
  expect_kind(tree, node, yaml::Kind::mapping, path);
  if (!is_mapping(tree, node)) return;
  for (const yaml::Found& found : yaml::entries(tree, tree.resolve(node))) {
    const std::string key = text_of(tree, found.key);
    expect_kind(tree, found.value, yaml::Kind::scalar, text::concat({path, ".", key}));
    out.all().push_back({.key = key,
                         .value = text_of(tree, found.value),
                         .written_key = key,
                         .node = found.value,
                         .why = {},
                         .renamed = {}});
  }
}

Scalar load_scalar(const Tree& tree, const kube::Spot& spot, const std::string& path) {
  if (!spot) return {};
  const NodeId node = spot.get(tree);
  if (node == no_node) return {};
  expect_kind(tree, node, yaml::Kind::scalar, path);
  return {.value = text_of(tree, node), .node = node, .why = {}};
}

Scalar load_scalar(const Tree& tree, NodeId mapping, std::string_view key,
                   const std::string& path) {
  if (!is_mapping(tree, mapping) || key.empty()) return {};
  const NodeId node = yaml::get(tree, mapping, key);
  if (node == no_node) return {};
  expect_kind(tree, node, yaml::Kind::scalar, path + '.' + std::string(key));
  return {.value = text_of(tree, node), .node = node, .why = {}};
}

std::vector<Requirement> load_requirements(const Tree& tree, NodeId node, const std::string& path) {
  std::vector<Requirement> requirements;
  const std::vector<NodeId> nodes = items_of(tree, node, path);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    expect_kind(tree, nodes[i], yaml::Kind::mapping, indexed(path, i));
    expect_kind(tree, yaml::get(tree, nodes[i], "values"), yaml::Kind::sequence,
                indexed(path, i) + ".values");
    requirements.push_back(
        {.what = kube::read_requirement(tree, nodes[i]), .node = nodes[i], .why = {}});
  }
  return requirements;
}

void load_terms(const Tree& tree, NodeId node, const std::string& path, PodModel& model) {
  const std::vector<NodeId> nodes = items_of(tree, node, path);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = indexed(path, i);
    expect_kind(tree, nodes[i], yaml::Kind::mapping, at);
    Term term;
    term.node = nodes[i];
    term.expressions = load_requirements(tree, yaml::get(tree, nodes[i], "matchExpressions"),
                                         at + ".matchExpressions");
    term.fields =
        load_requirements(tree, yaml::get(tree, nodes[i], "matchFields"), at + ".matchFields");
    model.terms.push_back(std::move(term));
  }
}

void load_affinity_node(const Tree& tree, NodeId affinity, const std::string& path,
                        PodModel& model) {
  expect_kind(tree, affinity, yaml::Kind::mapping, path);
  const NodeId node_affinity = yaml::get(tree, affinity, "nodeAffinity");
  expect_kind(tree, node_affinity, yaml::Kind::mapping, path + ".nodeAffinity");
  const NodeId required = yaml::get(tree, node_affinity, required_key);
  const std::string at = path + ".nodeAffinity.";
  expect_kind(tree, required, yaml::Kind::mapping, at + std::string(required_key));
  if (model.terms.empty())
    load_terms(tree, yaml::get(tree, required, "nodeSelectorTerms"),
               at + std::string(required_key) + ".nodeSelectorTerms", model);
  const NodeId preferred = yaml::get(tree, node_affinity, preferred_key);
  expect_kind(tree, preferred, yaml::Kind::sequence, at + std::string(preferred_key));
  for (kube::PreferredTerm& term : kube::read_preferred(tree, preferred))
    model.preferred.push_back({std::move(term), {}});
}

/// The affinity in force: the pod's own, or the one it inherits.
void load_affinity_of(const Tree& tree, const kube::Pod& pod, PodModel& model) {
  if (pod.node_selector_terms && !pod.affinity)
    load_terms(tree, pod.node_selector_terms.get(tree), pod.path + ".nodeSelectorTerms", model);
  if (!pod.affinity) return;
  const NodeId own = pod.affinity.get(tree);
  model.own_affinity = own != no_node && yaml::type_of(tree, own) != yaml::Type::null;
  if (model.own_affinity || pod.inherited_affinity == no_node) {
    load_affinity_node(tree, own, pod.path + ".affinity", model);
  } else {
    model.base_affinity = yaml::copy_of(tree, pod.inherited_affinity);
    load_affinity_node(tree, pod.inherited_affinity, "affinity", model);
    for (Term& term : model.terms) term.node = no_node;
  }
}

std::vector<Variable> load_env(const Tree& tree, NodeId node, const std::string& path) {
  std::vector<Variable> env;
  const std::vector<NodeId> nodes = items_of(tree, node, path);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    expect_kind(tree, nodes[i], yaml::Kind::mapping, indexed(path, i));
    Variable variable;
    variable.name = yaml::get_text(tree, nodes[i], "name").value_or("");
    variable.node = nodes[i];
    variable.index = i;
    if (yaml::get(tree, nodes[i], "valueFrom") == no_node)
      variable.value = yaml::get_text(tree, nodes[i], "value").value_or("");
    env.push_back(std::move(variable));
  }
  return env;
}

std::vector<Mount> load_mounts(const Tree& tree, NodeId node, const std::string& path) {
  std::vector<Mount> mounts;
  for (const NodeId item : items_of(tree, node, path)) {
    expect_kind(tree, item, yaml::Kind::mapping, path);
    mounts.push_back({.volume = yaml::get_text(tree, item, "name").value_or(""),
                      .path = yaml::get_text(tree, item, "mountPath").value_or(""),
                      .why = {}});
  }
  return mounts;
}

std::vector<Volume> load_volumes(const Tree& tree, NodeId node, const std::string& path) {
  std::vector<Volume> volumes;
  const std::vector<NodeId> nodes = items_of(tree, node, path);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    expect_kind(tree, nodes[i], yaml::Kind::mapping, indexed(path, i));
    Volume volume;
    volume.name = yaml::get_text(tree, nodes[i], "name").value_or("");
    volume.node = nodes[i];
    volume.index = i;
    const NodeId empty_dir = yaml::get(tree, nodes[i], "emptyDir");
    volume.memory = yaml::get_text(tree, empty_dir, "medium").value_or("") == "Memory";
    volume.size = yaml::get_text(tree, empty_dir, "sizeLimit").value_or("");
    volumes.push_back(std::move(volume));
  }
  return volumes;
}

ContainerModel load_container(const Tree& tree, const kube::Container& container) {
  ContainerModel model;
  model.at = &container;
  if (container.resources) {
    const NodeId resources = container.resources.get(tree);
    const std::string path = container.path + ".resources";
    expect_kind(tree, resources, yaml::Kind::mapping, path);
    load_entries(tree, yaml::get(tree, resources, "limits"), path + ".limits", model.limits);
    load_entries(tree, yaml::get(tree, resources, "requests"), path + ".requests", model.requests);
  }
  if (container.env) model.env = load_env(tree, container.env.get(tree), container.path + ".env");
  if (container.volume_mounts)
    model.mounts =
        load_mounts(tree, container.volume_mounts.get(tree), container.path + ".volumeMounts");
  if (container.image_holder)
    model.image = load_scalar(tree, container.image_holder.get(tree), "image", container.path);
  return model;
}

void load_tolerations(const Tree& tree, const kube::Pod& pod, PodModel& model) {
  if (!pod.tolerations) return;
  const std::string path = pod.path + ".tolerations";
  const NodeId own = pod.tolerations.get(tree);
  const std::vector<NodeId> nodes = items_of(tree, own, path);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    expect_kind(tree, nodes[i], yaml::Kind::mapping, indexed(path, i));
    model.tolerations.push_back({kube::read_toleration(tree, nodes[i]), {}});
  }
  if (own != no_node || pod.inherited_tolerations == no_node) return;
  for (kube::Toleration& toleration : kube::read_tolerations(tree, pod.inherited_tolerations))
    model.tolerations.push_back({std::move(toleration), {}});
}

void load_ray_group(const Tree& tree, const kube::Pod& pod, PodModel& model) {
  if (!pod.ray_group) return;
  const NodeId group = pod.ray_group.get(tree);
  model.ray_gpus =
      load_scalar(tree, yaml::get(tree, group, "rayStartParams"), "num-gpus", "rayStartParams");
  const NodeId resources = yaml::get(tree, group, "resources");
  if (!is_mapping(tree, resources)) return;
  for (const yaml::Found& entry : yaml::entries(tree, tree.resolve(resources))) {
    std::string key = text_of(tree, entry.key);
    std::string lower = key;
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower != "gpu") continue;
    model.ray_resource_key = std::move(key);
    model.ray_resource = {.value = text_of(tree, entry.value), .node = entry.value, .why = {}};
  }
}

kube::NodeSelectorRequirement requirement_of(const yaml::Value& value) {
  const auto text = [&](std::string_view key) {
    const yaml::Value* found = value.find(key);
    return found == nullptr ? std::string() : found->text;
  };
  kube::NodeSelectorRequirement requirement{text("key"), text("operator"), {}};
  if (const yaml::Value* values = value.find("values")) {
    for (const yaml::Value& item : values->items) requirement.values.push_back(item.text);
  }
  return requirement;
}

kube::NodeSelectorTerm term_of(const yaml::Value& value) {
  kube::NodeSelectorTerm term;
  if (const yaml::Value* list = value.find("matchExpressions")) {
    for (const yaml::Value& item : list->items)
      term.match_expressions.push_back(requirement_of(item));
  }
  if (const yaml::Value* list = value.find("matchFields")) {
    for (const yaml::Value& item : list->items) term.match_fields.push_back(requirement_of(item));
  }
  return term;
}

}  // namespace

Entry* Entries::find(std::string_view key) {
  const auto found = std::find_if(entries_.begin(), entries_.end(), [&](const Entry& entry) {
    return !entry.removed && entry.key == key;
  });
  return found == entries_.end() ? nullptr : &*found;
}

const Entry* Entries::find(std::string_view key) const {
  return const_cast<Entries*>(this)->find(key);
}

void Entries::set(std::string_view key, std::string_view value, const yaml::Why& why) {
  if (Entry* entry = find(key)) {
    if (entry->value == value) return;
    entry->value = value;
    entry->why = why;
    return;
  }
  entries_.push_back({.key = std::string(key),
                      .value = std::string(value),
                      .written_key = {},
                      .why = why,
                      .renamed = {}});
}

void Entries::remove(std::string_view key, const yaml::Why& why) {
  for (auto it = entries_.begin(); it != entries_.end(); ++it) {
    if (it->removed || it->key != key) continue;
    if (it->written_key.empty()) {
      entries_.erase(it);
    } else {
      it->removed = true;
      it->why = why;
    }
    return;
  }
}

void Entries::rename(std::string_view key, std::string_view to, const yaml::Why& why) {
  if (Entry* entry = find(key)) {
    entry->key = to;
    entry->renamed = why;
  }
}

bool Entries::changed() const {
  return std::any_of(entries_.begin(), entries_.end(),
                     [](const Entry& entry) { return entry.why || entry.renamed; });
}

PodModel load_pod(const Tree& tree, const kube::Object& object, const kube::Pod& pod) {
  PodModel model;
  model.tree = &tree;
  model.object = &object;
  model.at = &pod;
  load_tolerations(tree, pod, model);
  if (pod.node_selector) {
    const NodeId own = pod.node_selector.get(tree);
    load_entries(tree, own, pod.path + ".nodeSelector", model.node_selector);
    if (own == no_node && pod.inherited_node_selector != no_node) {
      load_entries(tree, pod.inherited_node_selector, "nodeSelector", model.node_selector);
      for (Entry& entry : model.node_selector.all()) entry.written_key.clear();
    }
  }
  load_affinity_of(tree, pod, model);
  for (const kube::Container& container : pod.containers) {
    model.containers.push_back(load_container(tree, container));
  }
  if (pod.volumes) model.volumes = load_volumes(tree, pod.volumes.get(tree), pod.path + ".volumes");
  if (pod.spec_holder) {
    const NodeId holder = pod.spec_holder.get(tree);
    model.runtime_class = load_scalar(tree, holder, pod.runtime_class_key, pod.path);
    model.priority_class = load_scalar(tree, holder, pod.priority_class_key, pod.path);
    model.scheduler = load_scalar(tree, holder, pod.scheduler_key, pod.path);
  }
  model.gpu_count = load_scalar(tree, pod.gpu_count, pod.path);
  model.gpu_resource = load_scalar(tree, pod.gpu_resource, pod.path);
  model.shared_memory = load_scalar(tree, pod.shared_memory, pod.path);
  load_ray_group(tree, pod, model);
  if (pod.metadata) {
    const NodeId metadata = pod.metadata.get(tree);
    expect_kind(tree, metadata, yaml::Kind::mapping, "metadata");
    load_entries(tree, yaml::get(tree, metadata, "labels"), "metadata.labels", model.labels);
    load_entries(tree, yaml::get(tree, metadata, "annotations"), "metadata.annotations",
                 model.annotations);
  }
  return model;
}

void load_affinity(const yaml::Value& affinity, PodModel& model) {
  const yaml::Value* node_affinity = affinity.find("nodeAffinity");
  if (node_affinity == nullptr) return;
  const yaml::Value* required = node_affinity->find(required_key);
  const yaml::Value* terms = required == nullptr ? nullptr : required->find("nodeSelectorTerms");
  if (terms != nullptr) {
    for (const yaml::Value& item : terms->items) {
      Term term;
      const kube::NodeSelectorTerm what = term_of(item);
      for (const auto& r : what.match_expressions) term.expressions.push_back({r, no_node, {}});
      for (const auto& r : what.match_fields) term.fields.push_back({r, no_node, {}});
      model.terms.push_back(std::move(term));
    }
  }
  if (const yaml::Value* preferred = node_affinity->find(preferred_key)) {
    for (const yaml::Value& item : preferred->items) {
      kube::PreferredTerm term;
      if (const yaml::Value* weight = item.find("weight"))
        std::from_chars(weight->text.data(), weight->text.data() + weight->text.size(),
                        term.weight);
      if (const yaml::Value* preference = item.find("preference"))
        term.preference = term_of(*preference);
      model.preferred.push_back({std::move(term), {}});
    }
  }
}

}  // namespace gpuspec::rewrite
