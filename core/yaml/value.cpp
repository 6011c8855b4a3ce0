#include "core/yaml/value.h"

#include <algorithm>

#include "core/yaml/lookup.h"

namespace gpuspec::yaml {

Value Value::string(std::string_view text) {
  Value value;
  value.kind = Kind::string;
  value.text = text;
  return value;
}

Value Value::integer(long long number) {
  return plain(std::to_string(number));
}

Value Value::plain(std::string_view spelling) {
  Value value;
  value.kind = Kind::plain;
  value.text = spelling;
  return value;
}

Value Value::quantity(std::string_view text) {
  Value value;
  value.kind = Kind::quantity;
  value.text = text;
  return value;
}

Value Value::mapping(std::vector<std::pair<std::string, Value>> entries) {
  Value value;
  value.kind = Kind::mapping;
  value.entries.reserve(entries.size());
  for (auto& entry : entries)
    value.entries.emplace_back(string(entry.first), std::move(entry.second));
  return value;
}

Value Value::sequence(std::vector<Value> items) {
  Value value;
  value.kind = Kind::sequence;
  value.items = std::move(items);
  return value;
}

Value* Value::find(std::string_view key) {
  return const_cast<Value*>(std::as_const(*this).find(key));
}

const Value* Value::find(std::string_view key) const {
  for (const auto& [name, value] : entries)
    if ((name.kind == Kind::string || name.kind == Kind::plain) && name.text == key) return &value;
  return nullptr;
}

namespace {

Value copy_scalar(const Tree& tree, NodeId id) {
  const Node& node = tree[id];
  const Properties* props = tree.properties(id);
  const bool tagged = props && !props->tag.empty();
  if (node.flags & empty) return tagged ? Value::string("") : Value::plain("null");
  if (node.style == Style::plain) {
    if (!(node.flags & multi_line) &&
        (tagged || plain_type(tree.raw(id)) != Type::string || tree.raw(id) == "<<")) {
      return Value::plain(tree.raw(id));
    }
    return Value::string(scalar_text(tree, id));
  }
  Value value = Value::string(scalar_text(tree, id));
  if (node.style == Style::single_quoted || node.style == Style::double_quoted)
    value.style = node.style;
  return value;
}

Value copy_node(const Tree& tree, NodeId id) {
  Value value;
  switch (tree[id].kind) {
    case Kind::alias:
      value.kind = Value::Kind::alias;
      value.text = tree.raw(id).substr(1);
      value.target = tree.resolve(id);
      return value;
    case Kind::scalar:
      value = copy_scalar(tree, id);
      break;
    case Kind::mapping:
      for (NodeId key = first_child(tree, id); key != no_node;) {
        const NodeId node = value_of(tree, key);
        value.entries.emplace_back(copy_node(tree, key), copy_node(tree, node));
        key = next_sibling(tree, id, node);
      }
      break;
    case Kind::sequence:
      value.kind = Value::Kind::sequence;
      for (NodeId item = first_child(tree, id); item != no_node;
           item = next_sibling(tree, id, item))
        value.items.push_back(copy_node(tree, item));
      break;
  }
  if (const Properties* props = tree.properties(id)) value.tag = props->tag;
  return value;
}

bool means_mapping(const Tree& tree, NodeId id, const Value& value) {
  if (tree[id].kind != Kind::mapping) return false;
  const std::vector<Found> there = entries(tree, id);
  if (there.size() != value.entries.size()) return false;
  std::string buffer;
  for (const Found& found : there) {
    const Value* wanted = value.find(scalar_text(tree, tree.resolve(found.key), buffer));
    if (!wanted || !means(tree, found.value, *wanted)) return false;
  }
  return true;
}

bool means_sequence(const Tree& tree, NodeId id, const Value& value) {
  if (tree[id].kind != Kind::sequence) return false;
  const std::vector<NodeId> there = items(tree, id);
  return std::equal(there.begin(), there.end(), value.items.begin(), value.items.end(),
                    [&](NodeId item, const Value& wanted) { return means(tree, item, wanted); });
}

}  // namespace

Value copy_of(const Tree& tree, NodeId id) {
  return copy_node(tree, tree.resolve(id));
}

bool means(const Tree& tree, NodeId id, const Value& value) {
  id = tree.resolve(id);
  const Type type = type_of(tree, id);
  const bool scalar = tree[id].kind == Kind::scalar;
  switch (value.kind) {
    case Value::Kind::string:
      return scalar && type == Type::string && equals(tree, id, value.text);
    case Value::Kind::plain: {
      const Type wanted = plain_type(value.text);
      return scalar && type == wanted && (type == Type::null || equals(tree, id, value.text));
    }
    case Value::Kind::quantity:
      return scalar && type != Type::null && type != Type::boolean && equals(tree, id, value.text);
    case Value::Kind::mapping:
      return means_mapping(tree, id, value);
    case Value::Kind::sequence:
      return means_sequence(tree, id, value);
    case Value::Kind::alias:
      return id == value.target;
  }
  return false;
}

}  // namespace gpuspec::yaml
