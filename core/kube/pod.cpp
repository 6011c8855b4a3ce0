#include "core/kube/pod.h"

#include "core/yaml/lookup.h"

namespace gpuspec::kube {

yaml::Place Spot::operator*() const {
  yaml::Place place{place_, {}};
  if (route_ != nullptr) place.keys = *route_;
  std::string_view rest = keys_;
  while (!rest.empty()) {
    const std::size_t dot = rest.find('.');
    place.keys.emplace_back(rest.substr(0, dot));
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  return place;
}

yaml::NodeId Spot::get(const yaml::Tree& tree) const {
  yaml::NodeId node = base_;
  std::string_view rest = keys_;
  while (node != yaml::no_node && !rest.empty()) {
    const std::size_t dot = rest.find('.');
    node = yaml::get(tree, node, rest.substr(0, dot));
    rest = dot == std::string_view::npos ? std::string_view() : rest.substr(dot + 1);
  }
  return node;
}

Labels read_labels(const yaml::Tree& tree, yaml::NodeId mapping) {
  Labels labels;
  if (mapping == yaml::no_node) return labels;
  for (const yaml::Found& entry : yaml::entries(tree, mapping)) {
    const yaml::NodeId key = tree.resolve(entry.key);
    const yaml::NodeId value = tree.resolve(entry.value);
    if (tree[key].kind != yaml::Kind::scalar || tree[value].kind != yaml::Kind::scalar) continue;
    labels[yaml::scalar_text(tree, key)] = yaml::scalar_text(tree, value);
  }
  return labels;
}

std::string read_label(const yaml::Tree& tree, yaml::NodeId mapping, std::string_view key) {
  if (mapping == yaml::no_node) return {};
  return yaml::get_text(tree, mapping, key).value_or(std::string());
}

}  // namespace gpuspec::kube
