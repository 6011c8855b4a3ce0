#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// A piece of YAML that is to be written: what an edit inserts. Plain data; the editor decides the
/// spelling.
struct Value {
  enum class Kind {
    string,    ///< quoted where it could be read as something else
    plain,     ///< written as spelled: 1, true, null
    quantity,  ///< a number that Kubernetes takes as number or string: as its neighbours are
               ///< written
    mapping,
    sequence,
    alias,  ///< only in copies of what the document has
  };

  Kind kind = Kind::mapping;
  std::string text;  ///< string, quantity: its value · plain: its spelling · alias: the name
  std::vector<std::pair<Value, Value>> entries;  ///< of a mapping
  std::vector<Value> items;                      ///< of a sequence
  std::string anchor;                            ///< written before it when not empty
  std::string tag;                               ///< likewise, with its `!`
  Style style = Style::plain;  ///< string: single_quoted or double_quoted where quotes are wished
  NodeId target = no_node;     ///< alias: the node it names

  static Value string(std::string_view text);
  static Value integer(long long number);
  static Value plain(std::string_view spelling);
  static Value quantity(std::string_view text);
  static Value mapping(std::vector<std::pair<std::string, Value>> entries = {});
  static Value sequence(std::vector<Value> items = {});

  bool is_mapping() const { return kind == Kind::mapping; }
  bool is_sequence() const { return kind == Kind::sequence; }

  /// The value of a key of a mapping, or nullptr. Merge keys are not followed.
  Value* find(std::string_view key);
  const Value* find(std::string_view key) const;
};

/// A node as a Value. Aliases inside stay aliases, anchors inside are left out; an alias itself is
/// followed.
Value copy_of(const Tree& tree, NodeId id);

/// Whether a node already means this value: same kinds, types and texts, mappings in any order. A
/// quantity equals a number and a string with its text.
bool means(const Tree& tree, NodeId id, const Value& value);

}  // namespace gpuspec::yaml
