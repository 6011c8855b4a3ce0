#include "core/kube/pod_builder.h"

#include <algorithm>

#include "core/kube/entries.h"

namespace gpuspec::kube {
namespace {

using yaml::no_node;
using yaml::NodeId;

bool same_word(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

Container container_at(Walker& walker, const ContainerShape& shape) {
  const yaml::Tree& tree = walker.tree();
  Container container;
  container.path = walker.path();
  container.node = walker.node();
  container.init = shape.init;
  each_entry(tree, container.node, [&](std::string_view key, NodeId, NodeId value) {
    if (key == "name") {
      container.name = text_of(tree, value);
    } else if (key == "restartPolicy" && shape.init) {
      container.sidecar = text_of(tree, value) == "Always";
    }
  });
  container.resources = walker.spot(shape.resources);
  container.env = walker.spot(shape.env);
  container.volume_mounts = walker.spot(shape.volume_mounts);
  container.image_holder = walker.spot(shape.image);
  return container;
}

void add_containers(Walker& walker, const Shape& shape, Pod& pod) {
  for (const ContainerShape& entry : shape.containers) {
    walker.each(entry.at, [&] {
      if (walker.is_mapping()) pod.containers.push_back(container_at(walker, entry));
    });
  }
}

bool counts(const yaml::Tree& tree, NodeId node) {
  const std::string text = text_of(tree, node);
  return text.find_first_not_of('0') != std::string::npos;
}

void add_ask(Walker& walker, const AskShape& shape, std::vector<Ask>& asks) {
  const yaml::Tree& tree = walker.tree();
  const auto add = [&](std::string resource, NodeId node) {
    if (!resource.empty()) asks.push_back({std::move(resource), node, shape.certain});
  };
  if (!shape.names.empty()) {
    walker.each(shape.names, [&] { add(text_of(tree, walker.node()), walker.node()); });
  } else if (!shape.keys.empty()) {
    const NodeId mapping = walker.find(shape.keys);
    if (!is_mapping(tree, mapping)) return;
    each_entry(tree, mapping, [&](std::string_view key, NodeId key_node, NodeId value) {
      if (counts(tree, value)) add(std::string(key), key_node);
    });
  } else if (!shape.count.empty()) {
    const NodeId count = walker.find(shape.count);
    if (!counts(tree, count)) return;
    std::string name = text_of(tree, walker.find(shape.name));
    add(name.empty() ? std::string(shape.resource) : std::move(name), count);
  } else if (shape.when.empty()) {
    add(std::string(shape.resource), walker.node());
  } else {
    const NodeId condition = walker.find(shape.when);
    if (is_true(tree, condition)) add(std::string(shape.resource), condition);
  }
}

/// The value that counts while the pod has none of its own.
NodeId inherited(Walker& walker, const Shape& shape, const Spot& own) {
  const yaml::Tree& tree = walker.tree();
  if (!own || own.get(tree) != no_node) return no_node;
  const NodeId merged = walker.find(shape.merged_under);
  if (is_mapping(tree, merged) && yaml::get(tree, merged, own.keys()) != no_node) return no_node;
  const NodeId holder = walker.find(shape.inherited);
  return is_mapping(tree, holder) ? yaml::get(tree, holder, own.keys()) : no_node;
}

Pod pod_at(Walker& walker, const PodRow& row, const Shape& shape) {
  Pod pod;
  pod.path = walker.path();
  pod.spec = walker.node();
  add_containers(walker, shape, pod);
  for (const AskShape& ask : shape.asks) add_ask(walker, ask, pod.asks);
  pod.tolerations = walker.spot(shape.tolerations);
  pod.node_selector = walker.spot(shape.node_selector);
  pod.affinity = walker.spot(shape.affinity);
  pod.node_selector_terms = walker.spot(shape.node_selector_terms);
  pod.volumes = walker.spot(shape.volumes);
  pod.metadata = walker.spot(shape.metadata);
  if (pod.metadata) pod.template_metadata = pod.metadata.get(walker.tree());
  pod.spec_holder = walker.spot(shape.holder);
  pod.runtime_class_key = shape.runtime_class_key;
  pod.priority_class_key = shape.priority_class_key;
  pod.scheduler_key = shape.scheduler_key;
  pod.gpu_count = walker.spot(shape.gpu_count);
  pod.gpu_resource = walker.spot(shape.gpu_resource);
  for (const AskShape& ask : shape.asks) {
    if (!ask.count.empty()) pod.gpu_default = ask.resource;
  }
  pod.gpu_quoted = shape.gpu_quoted;
  pod.shared_memory = walker.spot(shape.shared_memory);
  pod.ray_group = walker.spot(row.ray);
  if (!shape.inherited.empty()) {
    pod.inherited_tolerations = inherited(walker, shape, pod.tolerations);
    pod.inherited_node_selector = inherited(walker, shape, pod.node_selector);
    pod.inherited_affinity = inherited(walker, shape, pod.affinity);
  }
  pod.hint = shape.hint;
  return pod;
}

/// The role of the group at hand: the row's, or cpu for the names that the row lists.
Role role_of(Walker& walker, const PodRow& row) {
  if (row.cpu.empty()) return row.role;
  std::string name = row.by.empty() ? std::string() : text_of(walker.tree(), walker.find(row.by));
  if (name.empty()) name = walker.any_key();
  const bool listed = std::any_of(row.cpu.begin(), row.cpu.end(),
                                  [&](std::string_view known) { return same_word(known, name); });
  return listed ? Role::cpu : row.role;
}

}  // namespace

void add_pods(Walker& walker, std::span<const PodRow> rows, std::vector<Pod>& pods) {
  std::vector<std::size_t> cpu;
  bool workers = false;
  for (const PodRow& row : rows) {
    const Shape& shape = shape_of(row);
    const bool lifted = !row.unless.empty() && is_true(walker.tree(), walker.find(row.unless));
    walker.each(row.at, [&] {
      if (!walker.is_mapping()) return;
      Pod pod = pod_at(walker, row, shape);
      if (shape.needs_container && pod.containers.empty()) return;
      const Role role = lifted ? Role::worker : role_of(walker, row);
      pod.never_accelerated = role != Role::worker;
      if (role == Role::cpu) cpu.push_back(pods.size());
      workers = workers || role == Role::worker;
      pods.push_back(std::move(pod));
    });
  }
  // A lone head or launcher does the work itself.
  if (!workers) {
    for (const std::size_t index : cpu) pods[index].never_accelerated = false;
  }
}

}  // namespace gpuspec::kube
