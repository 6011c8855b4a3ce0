#pragma once

#include <algorithm>
#include <string>

#include <yaml-cpp/yaml.h>

#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"
#include "core/yaml/value.h"

// What documents mean, as Values without aliases and merge keys: read by our reader and, as an
// independent witness, by yaml-cpp.
namespace gpuspec::yaml::testing {

/// Same meaning: mappings in any order, null however spelled.
inline bool same(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case Value::Kind::mapping:
      return a.entries.size() == b.entries.size() &&
             std::all_of(a.entries.begin(), a.entries.end(), [&b](const auto& entry) {
               const Value* other = b.find(entry.first.text);
               return other && same(entry.second, *other);
             });
    case Value::Kind::sequence:
      return std::equal(a.items.begin(), a.items.end(), b.items.begin(), b.items.end(), same);
    case Value::Kind::plain:
      return plain_type(a.text) == plain_type(b.text) &&
             (plain_type(a.text) == Type::null || a.text == b.text);
    default:
      return a.text == b.text;
  }
}

inline Value meaning(const Tree& tree, NodeId node) {
  node = tree.resolve(node);
  if (tree[node].kind == Kind::mapping) {
    Value value = Value::mapping();
    for (const Found& entry : entries(tree, node))
      value.entries.emplace_back(Value::string(scalar_text(tree, entry.key)),
                                 meaning(tree, entry.value));
    return value;
  }
  if (tree[node].kind == Kind::sequence) {
    Value value = Value::sequence();
    for (const NodeId item : items(tree, node)) value.items.push_back(meaning(tree, item));
    return value;
  }
  const std::string text = scalar_text(tree, node);
  return type_of(tree, node) == Type::string ? Value::string(text) : Value::plain(text);
}

inline Value meaning(const std::string& text) {
  Tree tree;
  read_document(text, 0, tree);
  return meaning(tree, 0);
}

namespace detail {

inline void add(Value& mapping, const std::string& key, const Value& value, bool replace) {
  if (Value* there = mapping.find(key)) {
    if (replace) *there = value;
  } else {
    mapping.entries.emplace_back(Value::string(key), value);
  }
}

inline Value meaning(const YAML::Node& node) {
  if (node.IsMap()) {
    Value value = Value::mapping();
    // Explicit keys first: they win over merged ones.
    for (const auto& entry : node)
      if (entry.first.Scalar() != "<<" || entry.first.Tag() == "!")
        add(value, entry.first.Scalar(), meaning(entry.second), true);
    for (const auto& entry : node) {
      if (entry.first.Scalar() != "<<" || entry.first.Tag() == "!") continue;
      const Value merged = meaning(entry.second);
      const auto merge = [&value](const Value& mapping) {
        for (const auto& [key, inner] : mapping.entries) add(value, key.text, inner, false);
      };
      if (merged.is_mapping()) merge(merged);
      for (const Value& item : merged.items) merge(item);
    }
    return value;
  }
  if (node.IsSequence()) {
    Value value = Value::sequence();
    for (const auto& item : node) value.items.push_back(meaning(item));
    return value;
  }
  if (!node.IsDefined() || node.IsNull()) return Value::plain("null");
  const std::string& text = node.Scalar();
  if (node.Tag() == "?" && plain_type(text) != Type::string) return Value::plain(text);
  return Value::string(text);
}

}  // namespace detail

/// What yaml-cpp reads. Throws YAML::Exception.
inline Value witness(const std::string& text) {
  return detail::meaning(YAML::Load(text));
}

}  // namespace gpuspec::yaml::testing
