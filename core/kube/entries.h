#pragma once

#include <string>
#include <string_view>

#include "core/yaml/lookup.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// Calls visit(key, key_node, value_node) for the entries of a mapping in one pass, merged ones
/// last; values are resolved. Entries whose key is not a scalar are left out.
template <class Visit>
void each_entry(const yaml::Tree& tree, yaml::NodeId mapping, Visit&& visit) {
  bool merges = false;
  std::string buffer;
  for (yaml::NodeId key = yaml::first_child(tree, mapping); key != yaml::no_node;) {
    const yaml::NodeId value = yaml::value_of(tree, key);
    const yaml::NodeId scalar = tree.resolve(key);
    if (tree[scalar].kind == yaml::Kind::scalar) {
      const std::string_view text = yaml::scalar_text(tree, scalar, buffer);
      if (text == "<<") {
        merges = true;
      } else {
        visit(text, key, tree.resolve(value));
      }
    }
    key = yaml::next_sibling(tree, mapping, value);
  }
  if (!merges) return;
  for (const yaml::Found& entry : yaml::entries(tree, mapping)) {
    if (!entry.merged) continue;
    const yaml::NodeId scalar = tree.resolve(entry.key);
    if (tree[scalar].kind != yaml::Kind::scalar) continue;
    visit(yaml::scalar_text(tree, scalar, buffer), entry.key, tree.resolve(entry.value));
  }
}

/// The text of a scalar that is not null; empty for everything else.
inline std::string text_of(const yaml::Tree& tree, yaml::NodeId node) {
  if (node == yaml::no_node || tree[node].kind != yaml::Kind::scalar) return {};
  if (yaml::type_of(tree, node) == yaml::Type::null) return {};
  return yaml::scalar_text(tree, node);
}

inline bool is_mapping(const yaml::Tree& tree, yaml::NodeId node) {
  return node != yaml::no_node && tree[node].kind == yaml::Kind::mapping;
}

inline bool is_true(const yaml::Tree& tree, yaml::NodeId node) {
  return node != yaml::no_node && yaml::type_of(tree, node) == yaml::Type::boolean &&
         yaml::equals(tree, node, "true");
}

}  // namespace gpuspec::kube
