#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gpuspec::yaml {

using NodeId = std::uint32_t;
inline constexpr NodeId no_node = UINT32_MAX;

enum class Kind : std::uint8_t { scalar, mapping, sequence, alias };

/// How a node is spelled. plain..folded for scalars, block and flow for collections.
enum class Style : std::uint8_t {
  plain,
  single_quoted,
  double_quoted,
  literal,
  folded,
  block,
  flow
};

/// One node. Nodes lie in document order (pre-order): the first child of a collection is the node
/// after it, `next` is the node after its whole subtree. A mapping's children alternate key, value.
/// Spans are byte offsets into Tree::text and cover the content only, without anchor and tag:
///   plain, quoted   first to last character, quotes included, continuation lines included
///   literal, folded from `|` or `>` to the end of the last content line, without its line break;
///                   with `+` the trailing blank lines are content, with `-` and clip they are not
///   flow            from the opening to after the closing bracket
///   block           from the first character of the first key or from the first `-`
///                   (or `?`) to the end of the last entry
///   alias           `*name`
///   nothing written (the null of `key:`) begin == end: the place after the `:` or `-` (or after
///                   the anchor and tag, where there are any)
struct Node {
  std::uint32_t begin = 0;
  std::uint32_t end = 0;
  NodeId next = 0;
  Kind kind : 4 = Kind::scalar;
  Style style : 4 = Style::plain;
  std::uint8_t flags = 0;
  std::uint16_t indent = 0;  ///< literal, folded: columns of indentation before their text
};
static_assert(sizeof(Node) == 16);

/// Bits of Node::flags.
enum NodeFlag : std::uint8_t {
  has_properties = 1,  ///< an anchor or a tag stands before it: Tree::properties()
  empty = 2,           ///< nothing written: an implicit null
  multi_line = 4,      ///< a scalar that spans lines
  explicit_key = 8,    ///< a key written with `? `, in block or flow style
  single_pair = 16,    ///< the mapping in `[a: b]`, which has no braces of its own
};

/// Anchor and tag of a node; both as written, without `&`; the tag with its `!`.
struct Properties {
  NodeId node = no_node;
  std::uint32_t begin = 0;  ///< offset of the first of them
  std::uint32_t end = 0;    ///< offset after the last of them
  std::string_view anchor;
  std::string_view tag;
};

/// An alias and the node its anchor names (always an earlier one).
struct AliasTarget {
  NodeId alias = no_node;
  NodeId target = no_node;
};

/// One document, read. The text must outlive the tree.
struct Tree {
  std::string_view text;             ///< the document, markers and directives included
  std::size_t base = 0;              ///< where text starts in its source
  std::vector<Node> nodes;           ///< node 0 is the root; never empty after reading
  std::vector<Properties> props;     ///< ordered by node
  std::vector<AliasTarget> aliases;  ///< ordered by alias
  std::vector<std::pair<std::string_view, std::string_view>> tag_handles;  ///< from %TAG
  std::uint32_t content_begin = 0;  ///< after directives and `---`
  bool explicit_start = false;      ///< `---` is written
  bool explicit_end = false;        ///< `...` is written
  bool has_content = false;         ///< something other than comments and markers is there

  const Node& operator[](NodeId id) const { return nodes[id]; }
  void clear();

  /// Anchor and tag of the node, or nullptr.
  const Properties* properties(NodeId id) const {
    return (nodes[id].flags & has_properties) != 0 ? find_properties(id) : nullptr;
  }
  /// The anchored node that an alias node names; the node itself when it is none.
  NodeId resolve(NodeId id) const { return nodes[id].kind == Kind::alias ? target_of(id) : id; }
  /// True when an alias somewhere names this node.
  bool is_aliased(NodeId id) const;

  std::string_view raw(NodeId id) const {
    return text.substr(nodes[id].begin, nodes[id].end - nodes[id].begin);
  }

 private:
  const Properties* find_properties(NodeId id) const;
  NodeId target_of(NodeId alias) const;
};

/// Walks the children of a collection: `for (NodeId c = first_child(t, n); c != no_node; c =
/// next_sibling(t, n, c))`. In a mapping every second one is a value.
inline NodeId first_child(const Tree& tree, NodeId parent) {
  return tree[parent].next > parent + 1 ? parent + 1 : no_node;
}
inline NodeId next_sibling(const Tree& tree, NodeId parent, NodeId child) {
  return tree[child].next < tree[parent].next ? tree[child].next : no_node;
}
/// The value that belongs to a key node of a mapping.
inline NodeId value_of(const Tree& tree, NodeId key) {
  return tree[key].next;
}

}  // namespace gpuspec::yaml
