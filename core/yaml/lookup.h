#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// The value of a scalar as YAML defines it: quotes and escapes undone, lines folded, block
/// indentation removed. `buffer` is used when the value is not a stretch of the text.
std::string_view scalar_text(const Tree& tree, NodeId scalar, std::string& buffer);
std::string scalar_text(const Tree& tree, NodeId scalar);

/// What Kubernetes' parser (sigs.k8s.io/yaml: YAML 1.1 with some of 1.2) makes of a node.
enum class Type { null, boolean, integer, floating, string, mapping, sequence };
Type type_of(const Tree& tree, NodeId id);  ///< follows aliases
/// The type of a plain scalar with this spelling.
Type plain_type(std::string_view spelling);
/// A word for messages: "a string", "a mapping", "null" …
std::string_view describe(Type type);

/// How a key of a mapping was found.
struct Found {
  NodeId key = no_node;
  NodeId value = no_node;  ///< alias nodes are not resolved: Tree::resolve
  bool merged = false;     ///< it came through a merge key (`<<`)
  explicit operator bool() const { return value != no_node; }
};

/// The entry with this key, explicit entries before merged ones (YAML merge key specification:
/// earlier mappings in a merged list win). `mapping` may be an alias. When a key is written twice
/// the last one counts, as in sigs.k8s.io/yaml. Not found, or not a mapping: an empty Found.
Found find(const Tree& tree, NodeId mapping, std::string_view key);
/// find + resolve: the node itself, aliases followed; no_node when absent.
NodeId get(const Tree& tree, NodeId mapping, std::string_view key);
/// Walks several keys down: get(tree, root, {"spec", "template"}).
NodeId get(const Tree& tree, NodeId mapping, std::initializer_list<std::string_view> keys);
/// The text of a string-like scalar (numbers and booleans as spelled); nullopt when absent, null or
/// not a scalar.
std::optional<std::string> get_text(const Tree& tree, NodeId mapping, std::string_view key);
/// True when the scalar's value is this text, without building it where possible.
bool equals(const Tree& tree, NodeId scalar, std::string_view text);

/// All entries that a mapping means, merge keys followed, each key once, in order of appearance.
std::vector<Found> entries(const Tree& tree, NodeId mapping);
/// Items of a sequence, aliases unresolved.
std::vector<NodeId> items(const Tree& tree, NodeId sequence);
/// First key that is written twice in this very mapping, as the second key's node; no_node if none.
NodeId duplicate_key(const Tree& tree, NodeId mapping);

}  // namespace gpuspec::yaml
