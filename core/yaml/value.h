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
  enum class Kind { string, plain, mapping, sequence, alias };

  Kind kind = Kind::mapping;
  std::string text;  ///< string: its value · plain: its spelling (1, true, null) · alias: the name
  std::vector<std::pair<Value, Value>> entries;  ///< of a mapping
  std::vector<Value> items;                      ///< of a sequence
  std::string anchor;                            ///< written before it when not empty
  std::string tag;                               ///< likewise, with its `!`

  static Value string(std::string_view text);
  static Value integer(long long number);
  static Value plain(std::string_view spelling);
  static Value mapping(std::vector<std::pair<std::string, Value>> entries = {});
  static Value sequence(std::vector<Value> items = {});

  /// The value of a key of a mapping, or nullptr.
  Value* find(std::string_view key);
  const Value* find(std::string_view key) const;
};

/// A node as a Value. Aliases inside stay aliases, anchors inside are left out.
Value copy_of(const Tree& tree, NodeId id);

}  // namespace gpuspec::yaml
