#include "core/kube/schedule.h"

#include <algorithm>

#include "core/kube/entries.h"
#include "core/kube/names.h"
#include "core/yaml/lookup.h"

namespace gpuspec::kube {
namespace {

using yaml::no_node;
using yaml::NodeId;
using yaml::Tree;

std::vector<NodeId> items_of(const Tree& tree, NodeId sequence) {
  if (sequence == no_node || tree[sequence].kind != yaml::Kind::sequence) return {};
  std::vector<NodeId> items = yaml::items(tree, sequence);
  for (NodeId& item : items) item = tree.resolve(item);
  return items;
}

std::string text_at(const Tree& tree, NodeId mapping, std::string_view key) {
  return text_of(tree, yaml::get(tree, mapping, key));
}

void add(ResourceList& sum, const ResourceList& more) {
  for (const auto& [name, quantity] : more) sum[name] += quantity;
}

void raise(ResourceList& most, const ResourceList& other) {
  for (const auto& [name, quantity] : other) {
    const auto [entry, added] = most.emplace(name, quantity);
    if (!added && entry->second < quantity) entry->second = quantity;
  }
}

/// What a container asks for, by one way of looking at it.
struct ContainerRequests {
  bool sidecar = false;
  ResourceList requests;
};

/// Sum of containers and sidecars, or the largest init container with the sidecars before it.
ResourceList aggregate(const std::vector<ContainerRequests>& init,
                       const std::vector<ContainerRequests>& containers) {
  ResourceList total;
  for (const ContainerRequests& container : containers) add(total, container.requests);
  ResourceList sidecars;
  ResourceList largest;
  for (const ContainerRequests& container : init) {
    ResourceList now = container.requests;
    if (container.sidecar) {
      add(total, container.requests);
      add(sidecars, container.requests);
      now = sidecars;
    } else {
      add(now, sidecars);
    }
    raise(largest, now);
  }
  raise(total, largest);
  return total;
}

/// Reads a pod's containers, each by what `requests_of(container, status)` says.
template <class RequestsOf>
ResourceList aggregate_pod(const Tree& tree, NodeId spec, NodeId status, RequestsOf requests_of) {
  const auto read = [&](const char* field, const char* statuses) {
    const std::vector<NodeId> known = items_of(tree, yaml::get(tree, status, statuses));
    std::vector<ContainerRequests> containers;
    for (NodeId container : items_of(tree, yaml::get(tree, spec, field))) {
      const std::string name = text_at(tree, container, "name");
      const auto its = std::find_if(known.begin(), known.end(), [&](NodeId candidate) {
        return text_at(tree, candidate, "name") == name;
      });
      containers.push_back({text_at(tree, container, "restartPolicy") == "Always",
                            requests_of(container, its == known.end() ? no_node : *its)});
    }
    return containers;
  };
  return aggregate(read("initContainers", "initContainerStatuses"),
                   read("containers", "containerStatuses"));
}

bool resize_infeasible(const Tree& tree, NodeId status) {
  for (NodeId condition : items_of(tree, yaml::get(tree, status, "conditions")))
    if (text_at(tree, condition, "type") == "PodResizePending" &&
        text_at(tree, condition, "reason") == "Infeasible")
      return true;
  return false;
}

/// Resources that a pod as a whole may ask for.
bool pod_level(const std::string& name) {
  return name == "cpu" || name == "memory" || is_huge_page(name);
}

Quantity value_or_zero(const ResourceList& list, const std::string& name) {
  const auto found = list.find(name);
  return found == list.end() ? Quantity() : found->second;
}

Node read_node(const Tree& tree, NodeId object) {
  Node node;
  const NodeId metadata = yaml::get(tree, object, "metadata");
  node.name = text_at(tree, metadata, "name");
  if (const NodeId labels = yaml::get(tree, metadata, "labels"); is_mapping(tree, labels))
    each_entry(tree, labels, [&](std::string_view key, NodeId, NodeId value) {
      node.labels[std::string(key)] = text_of(tree, value);
    });
  const NodeId spec = yaml::get(tree, object, "spec");
  node.unschedulable = is_true(tree, yaml::get(tree, spec, "unschedulable"));
  for (NodeId taint : items_of(tree, yaml::get(tree, spec, "taints")))
    node.taints.push_back({text_at(tree, taint, "key"), text_at(tree, taint, "value"),
                           text_at(tree, taint, "effect")});
  const NodeId status = yaml::get(tree, object, "status");
  node.allocatable = read_resources(tree, yaml::get(tree, status, "allocatable"));
  if (node.allocatable.empty())
    node.allocatable = read_resources(tree, yaml::get(tree, status, "capacity"));
  return node;
}

}  // namespace

std::vector<Node> read_nodes(const Tree& tree) {
  std::vector<Node> nodes;
  if (tree.nodes.empty() || !is_mapping(tree, tree.resolve(0))) return nodes;
  const NodeId root = tree.resolve(0);
  const std::string kind = text_at(tree, root, "kind");
  if (kind == "Node") nodes.push_back(read_node(tree, root));
  if (!kind.ends_with("List")) return nodes;
  for (NodeId item : items_of(tree, yaml::get(tree, root, "items"))) {
    const std::string its = text_at(tree, item, "kind");
    if (its == "Node" || (its.empty() && kind == "NodeList"))
      nodes.push_back(read_node(tree, item));
  }
  return nodes;
}

ResourceList read_resources(const Tree& tree, NodeId mapping) {
  ResourceList list;
  if (!is_mapping(tree, mapping)) return list;
  each_entry(tree, mapping, [&](std::string_view key, NodeId, NodeId value) {
    if (auto quantity = Quantity::parse(text_of(tree, value)))
      list[std::string(key)] = *std::move(quantity);
  });
  return list;
}

ResourceList pod_requests(const Tree& tree, NodeId spec, NodeId status,
                          const RequestOptions& options) {
  const auto from_spec = [&](NodeId container, NodeId) {
    const NodeId resources = yaml::get(tree, container, "resources");
    ResourceList requests = read_resources(tree, yaml::get(tree, resources, "requests"));
    if (options.limits_default)
      for (const auto& [name, quantity] :
           read_resources(tree, yaml::get(tree, resources, "limits")))
        requests.emplace(name, quantity);
    return requests;
  };
  const auto from_status = [&](NodeId container, NodeId its) {
    const NodeId actual = yaml::get(tree, its, {"resources", "requests"});
    return actual == no_node ? from_spec(container, its) : read_resources(tree, actual);
  };
  const auto from_allocated = [&](NodeId container, NodeId its) {
    const NodeId allocated = yaml::get(tree, its, "allocatedResources");
    return allocated == no_node ? from_status(container, its) : read_resources(tree, allocated);
  };

  ResourceList total;
  const bool use_status = options.status && status != no_node;
  if (!use_status || !resize_infeasible(tree, status))
    total = aggregate_pod(tree, spec, status, from_spec);
  if (use_status) {
    raise(total, aggregate_pod(tree, spec, status, from_status));
    raise(total, aggregate_pod(tree, spec, status, from_allocated));
  }
  if (options.pod_level)
    for (const auto& [name, quantity] :
         read_resources(tree, yaml::get(tree, spec, {"resources", "requests"})))
      if (pod_level(name)) total[name] = quantity;
  if (options.overhead) add(total, read_resources(tree, yaml::get(tree, spec, "overhead")));
  return total;
}

std::optional<Taint> untolerated_taint(const std::vector<Toleration>& tolerations,
                                       const std::vector<Taint>& taints, bool comparison_operators,
                                       const std::set<std::string>& effects) {
  for (const Taint& taint : taints) {
    const bool counts = effects.empty()
                            ? taint.effect == "NoSchedule" || taint.effect == "NoExecute"
                            : effects.contains(taint.effect);
    if (!counts) continue;
    if (std::none_of(tolerations.begin(), tolerations.end(), [&](const Toleration& toleration) {
          return tolerates(toleration, taint, comparison_operators);
        }))
      return taint;
  }
  return std::nullopt;
}

bool passes_unschedulable(const std::vector<Toleration>& tolerations, const Node& node) {
  const Taint taint{"node.kubernetes.io/unschedulable", "", "NoSchedule"};
  return !node.unschedulable ||
         std::any_of(tolerations.begin(), tolerations.end(),
                     [&](const Toleration& toleration) { return tolerates(toleration, taint); });
}

bool passes_node_affinity(const Labels& node_selector,
                          const std::optional<std::vector<NodeSelectorTerm>>& required,
                          const Node& node) {
  for (const auto& [key, value] : node_selector) {
    const auto label = node.labels.find(key);
    if (label == node.labels.end() || label->second != value) return false;
  }
  return !required ||
         std::any_of(required->begin(), required->end(), [&](const NodeSelectorTerm& term) {
           return matches(term, node.labels, node.name);
         });
}

std::vector<Shortage> find_shortages(const ResourceList& requests, const Node& node,
                                     const ResourceList& used, long long pods,
                                     const FitOptions& options) {
  std::vector<Shortage> missing;
  if (const auto most = node.allocatable.find("pods"); most != node.allocatable.end())
    if (pods + 1 > most->second.value())
      missing.push_back(
          {"pods", *Quantity::parse("1"), *Quantity::parse(std::to_string(pods)), most->second});
  for (const auto& [name, requested] : requests) {
    if (requested.is_zero() || requested.is_negative()) continue;
    const bool simple = name == "cpu" || name == "memory" || name == "ephemeral-storage";
    if (!simple && !is_scalar_resource(name)) continue;
    const Quantity capacity = value_or_zero(node.allocatable, name);
    if (is_extended_resource(name)) {
      if (options.ignored.contains(name) ||
          options.ignored_groups.contains(name.substr(0, name.find('/'))))
        continue;
      if (capacity.is_zero() && options.claimed.contains(name)) continue;
    }
    const Quantity taken = value_or_zero(used, name);
    Quantity wanted = requested;
    wanted += taken;
    if (wanted > capacity) missing.push_back({name, requested, taken, capacity});
  }
  return missing;
}

}  // namespace gpuspec::kube
