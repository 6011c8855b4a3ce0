#include "core/lint/view.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

#include "core/accelerator/resources.h"
#include "core/kube/entries.h"
#include "core/kube/names.h"
#include "core/kube/read.h"
#include "core/lint/node_labels.h"

namespace gpuspec::lint {
namespace {

using yaml::no_node;
using yaml::NodeId;

std::vector<NodeId> resolved_items(const yaml::Tree& tree, NodeId sequence) {
  if (sequence == no_node || tree[sequence].kind != yaml::Kind::sequence) return {};
  std::vector<NodeId> items = yaml::items(tree, sequence);
  for (NodeId& item : items) item = tree.resolve(item);
  return items;
}

std::string item(std::size_t index) {
  return "[" + std::to_string(index) + "]";
}

std::vector<ResourceEntry> read_resource_list(const yaml::Tree& tree, NodeId mapping) {
  std::vector<ResourceEntry> entries;
  for (Entry& entry : read_entries(tree, mapping)) {
    ResourceEntry resource;
    static_cast<Entry&>(resource) = std::move(entry);
    if (resource.type != yaml::Type::null) resource.quantity = kube::Quantity::parse(resource.text);
    entries.push_back(std::move(resource));
  }
  return entries;
}

/// `env` as Kubernetes has it: a list of names with values.
std::vector<Entry> read_env(const yaml::Tree& tree, NodeId env) {
  std::vector<Entry> entries;
  std::size_t index = 0;
  for (NodeId node : resolved_items(tree, env)) {
    const std::size_t at = index++;
    if (!kube::is_mapping(tree, node)) continue;
    const NodeId value = yaml::get(tree, node, "value");
    const NodeId name = yaml::get(tree, node, "name");
    if (value == no_node || name == no_node || tree[value].kind != yaml::Kind::scalar) continue;
    entries.push_back({kube::text_of(tree, name), kube::text_of(tree, value),
                       yaml::type_of(tree, value), node, value, at});
  }
  return entries;
}

ContainerView view_container(const yaml::Tree& tree, const kube::Container& container) {
  ContainerView view;
  view.at = &container;
  const NodeId resources = container.resources.get(tree);
  if (kube::is_mapping(tree, resources)) {
    view.requests_node = yaml::get(tree, resources, "requests");
    view.limits_node = yaml::get(tree, resources, "limits");
    view.requests = read_resource_list(tree, view.requests_node);
    view.limits = read_resource_list(tree, view.limits_node);
  }
  view.env = read_env(tree, container.env.get(tree));
  return view;
}

RequirementView view_requirement(const yaml::Tree& tree, NodeId node, yaml::Place place,
                                 std::string path) {
  RequirementView view;
  kube::NodeSelectorRequirement plain = kube::read_requirement(tree, node);
  view.key = std::move(plain.key);
  view.op = std::move(plain.op);
  view.values = std::move(plain.values);
  view.value_nodes = resolved_items(tree, yaml::get(tree, node, "values"));
  view.value_nodes.resize(view.values.size(), node);
  view.node = node;
  const NodeId key = yaml::get(tree, node, "key");
  view.key_node = key == no_node ? node : key;
  view.place = std::move(place);
  view.path = std::move(path);
  return view;
}

void read_terms(PodView& view) {
  if (!view.pod.node_selector_terms) return;
  NodeId terms = view.pod.node_selector_terms.get(view.tree);
  const bool inherited = view.pod.affinity && view.pod.affinity.get(view.tree) == no_node &&
                         view.pod.inherited_affinity != no_node;
  if (inherited)
    terms = yaml::get(
        view.tree, view.pod.inherited_affinity,
        {"nodeAffinity", "requiredDuringSchedulingIgnoredDuringExecution", "nodeSelectorTerms"});
  if (terms == no_node || view.tree[terms].kind != yaml::Kind::sequence) return;
  view.has_required = true;
  const yaml::Place place = inherited ? at(terms) : *view.pod.node_selector_terms;
  const std::string path = inherited
                               ? kube::path_in_object(view.tree, view.object.object.node, terms)
                               : view.path("nodeSelectorTerms");
  std::size_t index = 0;
  for (NodeId node : resolved_items(view.tree, terms)) {
    TermView term;
    term.node = node;
    term.path = path + item(index);
    const yaml::Place here = yaml::below(view.tree, place, item(index++));
    if (kube::is_mapping(view.tree, node)) {
      for (const auto& [key, list] : {std::pair{"matchExpressions", &term.expressions},
                                      std::pair{"matchFields", &term.fields}}) {
        const yaml::Place list_place = yaml::below(view.tree, here, key);
        std::size_t i = 0;
        for (NodeId expression : resolved_items(view.tree, yaml::get(view.tree, node, key))) {
          const std::size_t at = i++;
          if (!kube::is_mapping(view.tree, expression)) continue;
          list->push_back(view_requirement(view.tree, expression,
                                           yaml::below(view.tree, list_place, item(at)),
                                           term.path + "." + key + item(at)));
        }
      }
    }
    view.terms.push_back(std::move(term));
  }
}

void read_node_selector(PodView& view) {
  if (!view.pod.node_selector) return;
  const NodeId own = view.pod.node_selector.get(view.tree);
  const bool inherited = own == no_node && view.pod.inherited_node_selector != no_node;
  const NodeId mapping = inherited ? view.pod.inherited_node_selector : own;
  if (!kube::is_mapping(view.tree, mapping)) return;
  const std::string path = inherited
                               ? kube::path_in_object(view.tree, view.object.object.node, mapping)
                               : view.path("nodeSelector");
  view.node_selector_node = mapping;
  view.node_selector_path = path;
  for (Entry& entry : read_entries(view.tree, mapping)) {
    RequirementView requirement;
    requirement.key = entry.key;
    requirement.op = "In";
    requirement.values = {entry.text};
    requirement.value_nodes = {entry.value_node};
    requirement.node = entry.value_node;
    requirement.key_node = entry.key_node;
    requirement.place = inherited ? at(mapping) : *view.pod.node_selector;
    requirement.path = path + "[" + entry.key + "]";
    requirement.selector = true;
    view.node_selector.push_back(std::move(requirement));
  }
}

void read_tolerations(PodView& view) {
  if (!view.pod.tolerations) return;
  const NodeId own = view.pod.tolerations.get(view.tree);
  const bool inherited = own == no_node && view.pod.inherited_tolerations != no_node;
  const NodeId list = inherited ? view.pod.inherited_tolerations : own;
  const yaml::Place place = inherited ? at(list) : *view.pod.tolerations;
  const std::string path = inherited
                               ? kube::path_in_object(view.tree, view.object.object.node, list)
                               : view.path("tolerations");
  view.tolerations_node = list;
  view.tolerations_path = path;
  std::size_t index = 0;
  for (NodeId node : resolved_items(view.tree, list)) {
    const std::string which = item(index++);
    if (!kube::is_mapping(view.tree, node)) continue;
    view.tolerations.push_back({kube::read_toleration(view.tree, node), node,
                                yaml::below(view.tree, place, which), path + which});
  }
}

/// Whole devices that a container asks for; an unreadable quantity counts as one.
long long count_in(const ContainerView& container, const std::string& resource) {
  const ResourceEntry* entry = container.ask(resource);
  if (!entry) return 0;
  return entry->quantity ? std::max(0LL, entry->quantity->value()) : 1;
}

/// As the scheduler counts: containers and sidecars together, or the largest init container.
long long count_in(const std::vector<ContainerView>& containers, const std::string& resource) {
  long long sum = 0;
  long long sidecars = 0;
  long long largest = 0;
  for (const ContainerView& container : containers) {
    const long long count = count_in(container, resource);
    if (container.at->sidecar) {
      sidecars += count;
      sum += count;
    } else if (container.at->init) {
      largest = std::max(largest, count + sidecars);
    } else {
      sum += count;
    }
  }
  return std::max(sum, largest);
}

void read_asks(PodView& view) {
  std::map<std::string, AskView> asks;
  for (const ContainerView& container : view.containers) {
    for (const auto& [name, list] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *list) {
        if (asks.contains(entry.key) || entry.type == yaml::Type::null || entry.is_zero() ||
            !accelerator::is_accelerator_resource(entry.key))
          continue;
        AskView ask;
        ask.resource = entry.key;
        ask.node = entry.key_node;
        ask.field = container.path() + ".resources." + name + "[" + entry.key + "]";
        ask.container = container.at->name;
        ask.count = count_in(view.containers, entry.key);
        asks.emplace(entry.key, std::move(ask));
      }
    }
  }
  for (const kube::Ask& own : view.pod.asks) {
    if (!own.certain && !accelerator::is_accelerator_resource(own.resource)) continue;
    AskView ask;
    ask.resource = own.resource;
    ask.node = own.node;
    ask.field = kube::path_in_object(view.tree, view.object.object.node, own.node);
    asks.emplace(own.resource, std::move(ask));
  }
  for (auto& [name, ask] : asks) view.asks.push_back(std::move(ask));
}

/// The platform whose words the pod uses, when there is only one.
std::string platform_of(const PodView& view) {
  std::string_view cloud;
  const auto see = [&](std::string_view key) {
    const std::string_view its = label_cloud(key);
    if (its.empty()) return true;
    if (!cloud.empty() && cloud != its) return false;
    cloud = its;
    return true;
  };
  for (const RequirementView* requirement : view.requirements())
    if (!see(requirement->key)) return {};
  for (const TolerationView& toleration : view.tolerations)
    if (!see(toleration.value.key)) return {};
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> platforms = {
      {{"gcp", "gke"}, {"aws", "eks"}, {"azure", "aks"}, {"oci", "oke"}, {"digitalocean", "doks"}}};
  for (const auto& [name, platform] : platforms)
    if (name == cloud) return std::string(platform);
  return {};
}

/// Kinds that are filled in by another object, which brings the request.
bool is_template_kind(std::string_view kind) {
  constexpr std::array<std::string_view, 6> kinds = {
      "ServingRuntime",         "ClusterServingRuntime", "TrainingRuntime",
      "ClusterTrainingRuntime", "PodTemplate",           "LLMInferenceServiceConfig"};
  return std::find(kinds.begin(), kinds.end(), kind) != kinds.end();
}

/// A name that stands for an accelerator at a place where it does not count, or any extended
/// resource that no table knows: there may be a device behind it.
bool may_ask(const PodView& view, const ContainerView& container) {
  for (const auto* list : {&container.limits, &container.requests})
    for (const ResourceEntry& entry : *list)
      if (!entry.is_zero() &&
          (entry.key.find("gpu") != std::string::npos || kube::is_extended_resource(entry.key)))
        return true;
  for (NodeId holder : {container.at->node, container.at->resources.get(view.tree)}) {
    if (!kube::is_mapping(view.tree, holder)) continue;
    for (const Entry& entry : read_entries(view.tree, holder))
      if (accelerator::is_accelerator_resource(entry.key)) return true;
  }
  for (const char* list : {"limits", "requests"})
    for (const Entry& entry :
         read_entries(view.tree, yaml::get(view.tree, container.at->node, list)))
      if (accelerator::is_accelerator_resource(entry.key)) return true;
  for (const Entry& variable : container.env)
    if (variable.key == "NVIDIA_VISIBLE_DEVICES" && variable.text != "void" &&
        variable.text != "none" && !variable.text.empty())
      return true;
  return false;
}

}  // namespace

std::vector<Entry> read_entries(const yaml::Tree& tree, NodeId mapping) {
  std::vector<Entry> entries;
  if (!kube::is_mapping(tree, mapping)) return entries;
  kube::each_entry(tree, mapping, [&](std::string_view key, NodeId key_node, NodeId value) {
    const bool scalar = tree[value].kind == yaml::Kind::scalar;
    entries.push_back({std::string(key), scalar ? kube::text_of(tree, value) : std::string(),
                       yaml::type_of(tree, value), key_node, value, entries.size()});
  });
  return entries;
}

const ResourceEntry* ContainerView::request(std::string_view name) const {
  for (const ResourceEntry& entry : requests)
    if (entry.key == name) return &entry;
  return nullptr;
}

const ResourceEntry* ContainerView::limit(std::string_view name) const {
  for (const ResourceEntry& entry : limits)
    if (entry.key == name) return &entry;
  return nullptr;
}

const ResourceEntry* ContainerView::ask(std::string_view name) const {
  const ResourceEntry* entry = limit(name);
  return entry ? entry : request(name);
}

bool ContainerView::asks_any(const PodView& pod, std::string_view prefix) const {
  return std::any_of(pod.asks.begin(), pod.asks.end(), [&](const AskView& one) {
    if (!one.resource.starts_with(prefix)) return false;
    const ResourceEntry* entry = ask(one.resource);
    return entry && !entry->is_zero();
  });
}

bool PodView::asks_otherwise() const {
  if (is_template_kind(object.object.kind)) return true;
  if (full && !resolved_items(tree, field("resourceClaims")).empty()) return true;
  for (const char* key : {"gpu-fraction", "gpu-memory", "gpu-fraction-num-devices"})
    if (!annotation(key).empty()) return true;
  if (!pod.asks.empty()) return true;
  return std::any_of(containers.begin(), containers.end(),
                     [&](const ContainerView& container) { return may_ask(*this, container); });
}

std::optional<yaml::Place> PodView::toleration_place() const {
  if (!pod.tolerations) return std::nullopt;
  if (pod.tolerations.get(tree) == no_node && pod.inherited_tolerations != no_node)
    return std::nullopt;
  return *pod.tolerations;
}

bool PodView::daemon_set() const {
  return object.object.kind == "DaemonSet";
}

NodeId PodView::field(std::string_view key) const {
  return kube::is_mapping(tree, pod.spec) ? yaml::get(tree, pod.spec, key) : no_node;
}

std::string PodView::path(std::string_view key) const {
  const auto spot_path = [&](const kube::Spot& spot) {
    std::string path = kube::path_in_object(tree, object.object.node, spot.base());
    if (!spot.keys().empty()) path += (path.empty() ? "" : ".") + std::string(spot.keys());
    return path;
  };
  if (key == "nodeSelectorTerms") return spot_path(pod.node_selector_terms);
  if (!full) {
    if (key == "tolerations" && pod.tolerations) return spot_path(pod.tolerations);
    if (key == "nodeSelector" && pod.node_selector) return spot_path(pod.node_selector);
    if (key == "affinity" && pod.affinity) return spot_path(pod.affinity);
  }
  return pod.path.empty() ? std::string(key) : pod.path + "." + std::string(key);
}

std::string PodView::metadata_path() const {
  if (pod.template_metadata == no_node) return "metadata";
  return kube::path_in_object(tree, object.object.node, pod.template_metadata);
}

NodeId PodView::node_at(std::string_view path) const {
  NodeId node = object.object.node;
  while (!path.empty() && node != no_node) {
    const std::size_t end = path.find_first_of(".[");
    if (path[0] == '[') {
      const std::size_t close = path.find(']');
      std::size_t index = 0;
      std::from_chars(path.data() + 1, path.data() + close, index);
      const std::vector<NodeId> items = resolved_items(tree, node);
      node = index < items.size() ? items[index] : no_node;
      path.remove_prefix(close + 1);
    } else {
      node = kube::is_mapping(tree, node) ? yaml::get(tree, node, path.substr(0, end)) : no_node;
      path.remove_prefix(std::min(end, path.size()));
    }
    if (path.starts_with('.')) path.remove_prefix(1);
  }
  return node;
}

std::vector<std::pair<NodeId, std::string>> PodView::above() const {
  const kube::Object& o = object.object;
  if (!o.group.empty() && o.group != "apps" && o.group != "batch" && o.group != "extensions")
    return {};
  const auto parent = [](const std::string& path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string::npos ? std::string() : path.substr(0, dot);
  };
  std::vector<std::pair<NodeId, std::string>> holders;
  const auto add = [&](NodeId node, std::string path) {
    if (kube::is_mapping(tree, node)) holders.emplace_back(node, std::move(path));
  };
  if (pod.template_metadata != o.metadata)
    add(pod.template_metadata, parent(pod.path) + ".metadata");
  for (std::string path = parent(pod.path);; path = parent(path)) {
    add(node_at(path), path);
    if (path.empty()) break;
  }
  add(o.metadata, "metadata");
  return holders;
}

std::string PodView::annotation(std::string_view key) const {
  if (pod.template_metadata != no_node) {
    const NodeId own = yaml::get(tree, pod.template_metadata, "annotations");
    if (kube::is_mapping(tree, own))
      if (std::string text = kube::read_label(tree, own, key); !text.empty()) return text;
  }
  return object.object.annotations == no_node
             ? std::string()
             : kube::read_label(tree, object.object.annotations, key);
}

std::string PodView::priority_class() const {
  return kube::text_of(tree, field("priorityClassName"));
}

std::vector<std::vector<const RequirementView*>> PodView::alternatives() const {
  std::vector<const RequirementView*> common;
  for (const RequirementView& entry : node_selector) common.push_back(&entry);
  if (!has_required) return {common};
  std::vector<std::vector<const RequirementView*>> alternatives;
  for (const TermView& term : terms) {
    if (term.empty()) continue;
    alternatives.push_back(common);
    for (const RequirementView& expression : term.expressions)
      alternatives.back().push_back(&expression);
  }
  return alternatives;
}

std::vector<const RequirementView*> PodView::requirements() const {
  std::vector<const RequirementView*> all;
  for (const RequirementView& entry : node_selector) all.push_back(&entry);
  for (const TermView& term : terms)
    for (const RequirementView& expression : term.expressions) all.push_back(&expression);
  return all;
}

PodView view_pod(const ObjectView& object, const kube::Pod& pod) {
  PodView view{object, pod, object.tree, object.document.settings};
  view.full = kube::is_mapping(view.tree, pod.spec) && pod.tolerations &&
              pod.tolerations.base() == pod.spec && pod.tolerations.keys() == "tolerations" &&
              yaml::find(view.tree, pod.spec, "containers");
  for (const kube::Container& container : pod.containers)
    view.containers.push_back(view_container(view.tree, container));
  read_tolerations(view);
  read_node_selector(view);
  read_terms(view);
  read_asks(view);
  view.platform = view.settings.platform.empty() ? platform_of(view) : view.settings.platform;
  return view;
}

}  // namespace gpuspec::lint
