#include "core/yaml/lookup.h"

#include <algorithm>
#include <unordered_set>

namespace gpuspec::yaml {
namespace {

bool is_merge_key(const Tree& tree, NodeId key) {
  const Node& node = tree[key];
  return node.kind == Kind::scalar && node.style == Style::plain && node.end - node.begin == 2 &&
         tree.raw(key) == "<<";
}

/// Calls `visit(mapping)` for every mapping that a merge key's value names, in order of precedence,
/// until it returns true.
template <typename Visit>
bool for_merged(const Tree& tree, NodeId value, Visit visit) {
  value = tree.resolve(value);
  if (tree[value].kind == Kind::mapping) return visit(value);
  if (tree[value].kind != Kind::sequence) return false;
  for (NodeId item = first_child(tree, value); item != no_node;
       item = next_sibling(tree, value, item)) {
    const NodeId mapping = tree.resolve(item);
    if (tree[mapping].kind == Kind::mapping && visit(mapping)) return true;
  }
  return false;
}

/// Mappings that were looked at: a merge bomb names the same ones again and again.
using Visited = std::unordered_set<NodeId>;

void collect(const Tree& tree, NodeId mapping, bool merged, Visited& visited,
             std::unordered_set<std::string>& seen, std::vector<Found>& out) {
  if (!visited.insert(mapping).second) return;
  std::vector<NodeId> merges;
  std::vector<Found> own;
  for (NodeId key = first_child(tree, mapping); key != no_node;) {
    const NodeId value = value_of(tree, key);
    if (is_merge_key(tree, key)) {
      merges.push_back(value);
    } else {
      own.push_back({key, value, merged});
    }
    key = next_sibling(tree, mapping, value);
  }
  // A key that is written twice counts as its last entry.
  for (std::size_t i = own.size(); i-- > 0;) {
    const NodeId key = tree.resolve(own[i].key);
    const std::string name =
        tree[key].kind == Kind::scalar ? scalar_text(tree, key) : std::string(tree.raw(key));
    if (!seen.insert(name).second) own.erase(own.begin() + static_cast<std::ptrdiff_t>(i));
  }
  out.insert(out.end(), own.begin(), own.end());
  for (const NodeId merge : merges) {
    for_merged(tree, merge, [&](NodeId from) {
      collect(tree, from, true, visited, seen, out);
      return false;
    });
  }
}

/// The last entry with this key in the mapping itself. `merges`: it has a merge key.
Found find_own(const Tree& tree, NodeId mapping, std::string_view key, bool& merges) {
  Found found;
  for (NodeId k = first_child(tree, mapping); k != no_node;) {
    const NodeId value = value_of(tree, k);
    if (equals(tree, k, key)) {
      found = {k, value, false};
    } else {
      merges |= is_merge_key(tree, k);
    }
    k = next_sibling(tree, mapping, value);
  }
  return found;
}

Found find_merged(const Tree& tree, NodeId mapping, std::string_view key, Visited& visited) {
  Found found;
  for (NodeId k = first_child(tree, mapping); k != no_node && !found;) {
    const NodeId value = value_of(tree, k);
    if (is_merge_key(tree, k)) {
      for_merged(tree, value, [&](NodeId from) {
        if (!visited.insert(from).second) return false;
        bool merges = false;
        found = find_own(tree, from, key, merges);
        if (!found && merges) found = find_merged(tree, from, key, visited);
        found.merged = static_cast<bool>(found);
        return found.merged;
      });
    }
    k = next_sibling(tree, mapping, value);
  }
  return found;
}

}  // namespace

bool equals(const Tree& tree, NodeId scalar, std::string_view text) {
  const Node& node = tree[tree.resolve(scalar)];
  if (node.kind != Kind::scalar) return false;
  if (node.style == Style::plain && !(node.flags & multi_line)) {
    return node.end - node.begin == text.size() &&
           tree.text.compare(node.begin, text.size(), text) == 0;
  }
  std::string buffer;
  return scalar_text(tree, scalar, buffer) == text;
}

Found find(const Tree& tree, NodeId mapping, std::string_view key) {
  if (mapping == no_node) return {};
  mapping = tree.resolve(mapping);
  if (tree[mapping].kind != Kind::mapping) return {};
  bool merges = false;
  const Found found = find_own(tree, mapping, key, merges);
  if (found || !merges) return found;
  Visited visited{mapping};
  return find_merged(tree, mapping, key, visited);
}

NodeId get(const Tree& tree, NodeId mapping, std::string_view key) {
  const Found found = find(tree, mapping, key);
  return found ? tree.resolve(found.value) : no_node;
}

NodeId get(const Tree& tree, NodeId mapping, std::initializer_list<std::string_view> keys) {
  for (const std::string_view key : keys) {
    mapping = get(tree, mapping, key);
    if (mapping == no_node) break;
  }
  return mapping;
}

std::optional<std::string> get_text(const Tree& tree, NodeId mapping, std::string_view key) {
  const NodeId value = get(tree, mapping, key);
  if (value == no_node || tree[value].kind != Kind::scalar || type_of(tree, value) == Type::null) {
    return std::nullopt;
  }
  return scalar_text(tree, value);
}

std::vector<Found> entries(const Tree& tree, NodeId mapping) {
  std::vector<Found> result;
  if (mapping == no_node) return result;
  mapping = tree.resolve(mapping);
  if (tree[mapping].kind != Kind::mapping) return result;
  std::unordered_set<std::string> seen;
  Visited visited;
  collect(tree, mapping, false, visited, seen, result);
  return result;
}

std::vector<NodeId> items(const Tree& tree, NodeId sequence) {
  std::vector<NodeId> result;
  if (sequence == no_node) return result;
  sequence = tree.resolve(sequence);
  if (tree[sequence].kind != Kind::sequence) return result;
  for (NodeId item = first_child(tree, sequence); item != no_node;
       item = next_sibling(tree, sequence, item)) {
    result.push_back(item);
  }
  return result;
}

NodeId duplicate_key(const Tree& tree, NodeId mapping) {
  mapping = tree.resolve(mapping);
  std::unordered_set<std::string> seen;
  for (NodeId key = first_child(tree, mapping); key != no_node;) {
    const NodeId value = value_of(tree, key);
    const NodeId resolved = tree.resolve(key);
    if (tree[resolved].kind == Kind::scalar && !is_merge_key(tree, key) &&
        !seen.insert(scalar_text(tree, resolved)).second) {
      return key;
    }
    key = next_sibling(tree, mapping, value);
  }
  return no_node;
}

}  // namespace gpuspec::yaml
