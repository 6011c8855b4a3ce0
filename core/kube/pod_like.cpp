#include "core/kube/pod_like.h"

#include "core/yaml/lookup.h"

namespace gpuspec::kube {

using yaml::no_node;
using yaml::NodeId;

NodeId find_pod_like(const yaml::Tree& tree, NodeId root) {
  const NodeId end = tree[root].next;
  for (NodeId id = root + 1; id + 1 < end; ++id) {
    if (tree[id].kind != yaml::Kind::scalar || tree[id + 1].kind != yaml::Kind::sequence) continue;
    if (!yaml::equals(tree, id, "containers")) continue;
    const NodeId first = yaml::first_child(tree, id + 1);
    if (first != no_node && tree[tree.resolve(first)].kind == yaml::Kind::mapping) return id;
  }
  return no_node;
}

std::string path_between(const yaml::Tree& tree, NodeId root, NodeId node) {
  std::string path;
  while (root != node) {
    const bool mapping = tree[root].kind == yaml::Kind::mapping;
    std::size_t index = 0;
    NodeId child = yaml::first_child(tree, root);
    NodeId key = no_node;
    while (child != no_node && tree[child].next <= node) {
      key = child;
      child = yaml::next_sibling(tree, root, child);
      ++index;
    }
    if (child == no_node) return path;
    if (!mapping) {
      path += '[' + std::to_string(index) + ']';
    } else if (index % 2 == 1) {
      if (!path.empty()) path += '.';
      path += yaml::scalar_text(tree, key);
    } else {
      return path;  // the node is a key: what it stands in
    }
    root = child;
  }
  return path;
}

}  // namespace gpuspec::kube
