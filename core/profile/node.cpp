#include "core/profile/node.h"

#include "core/profile/error.h"
#include "core/text/error.h"
#include "core/text/utf8.h"
#include "core/yaml/reader.h"

namespace gpuspec::profile {
namespace {

/// Aliases are copied, so something must stop a file that names itself a million times.
constexpr std::size_t most_nodes = 500'000;
constexpr int deepest = 200;

class Builder {
 public:
  Builder(const text::Source& source, const yaml::Tree& tree) : source_(source), tree_(tree) {}

  Node build(yaml::NodeId id, int depth = 0) {
    id = tree_.resolve(id);
    const yaml::Node& from = tree_[id];
    const std::size_t offset = tree_.base + from.begin;
    if (++count_ > most_nodes) throw Error(source_, offset, "more values than a profile can have");
    if (depth > deepest) throw Error(source_, offset, "nested too deep for a profile");
    Node node;
    node.offset = offset;
    node.type = yaml::type_of(tree_, id);
    switch (from.kind) {
      case yaml::Kind::mapping:
        read_mapping(id, node, depth);
        break;
      case yaml::Kind::sequence:
        for (yaml::NodeId item : yaml::items(tree_, id))
          node.items.push_back(build(item, depth + 1));
        break;
      default:
        node.text = yaml::scalar_text(tree_, id);
    }
    return node;
  }

 private:
  void read_mapping(yaml::NodeId id, Node& node, int depth) {
    const yaml::NodeId twice = yaml::duplicate_key(tree_, id);
    if (twice != yaml::no_node) {
      throw Error(
          source_, tree_.base + tree_[twice].begin,
          "the key \"" + yaml::scalar_text(tree_, tree_.resolve(twice)) + "\" is written twice",
          "keep one of the two");
    }
    for (const yaml::Found& entry : yaml::entries(tree_, id)) {
      const yaml::NodeId key = tree_.resolve(entry.key);
      const std::size_t offset = tree_.base + tree_[entry.key].begin;
      if (tree_[key].kind != yaml::Kind::scalar)
        throw Error(source_, offset, "a key must be a text");
      node.members.push_back(
          {yaml::scalar_text(tree_, key), offset, build(entry.value, depth + 1)});
    }
  }

  const text::Source& source_;
  const yaml::Tree& tree_;
  std::size_t count_ = 0;
};

}  // namespace

const Node* Node::find(std::string_view key) const {
  for (const Member& member : members) {
    if (member.key == key) return &member.value;
  }
  return nullptr;
}

std::vector<Node> read_documents(const text::Source& source) {
  const std::string_view bytes = source.bytes();
  if (const auto bad = text::find_invalid_utf8(bytes); bad != std::string_view::npos) {
    throw Error(source, bad, "the file is not valid UTF-8");
  }
  std::vector<Node> documents;
  yaml::Tree tree;
  for (const yaml::Segment& segment : yaml::split_documents(bytes)) {
    try {
      yaml::read_document(bytes.substr(segment.begin, segment.end - segment.begin), segment.begin,
                          tree);
    } catch (const text::Error& error) {
      throw Error(source, error.offset(), error.what(), error.hint());
    }
    if (tree.has_content) documents.push_back(Builder(source, tree).build(0));
  }
  return documents;
}

std::string found(const Node& node) {
  if (node.is_string()) {
    constexpr std::size_t longest = 60;
    return '"' + (node.text.size() > longest ? node.text.substr(0, longest) + "…" : node.text) +
           '"';
  }
  if (node.is_sequence()) return "a list";
  if (node.is_mapping()) return "a mapping";
  if (node.is_null()) return "nothing";
  return std::string(yaml::describe(node.type)) + " (" + node.text + ')';
}

yaml::Value to_value(const Node& node) {
  switch (node.type) {
    case yaml::Type::mapping: {
      yaml::Value value = yaml::Value::mapping();
      for (const Member& member : node.members) {
        value.entries.emplace_back(yaml::Value::string(member.key), to_value(member.value));
      }
      return value;
    }
    case yaml::Type::sequence: {
      yaml::Value value = yaml::Value::sequence();
      for (const Node& item : node.items) value.items.push_back(to_value(item));
      return value;
    }
    case yaml::Type::string:
      return yaml::Value::string(node.text);
    case yaml::Type::null:
      return yaml::Value::plain("null");
    default:
      return yaml::Value::plain(node.text);
  }
}

}  // namespace gpuspec::profile
