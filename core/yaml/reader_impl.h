#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>

#include "core/yaml/block.h"
#include "core/yaml/characters.h"
#include "core/yaml/reader.h"
#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// Reads one document by recursive descent over its bytes, straight into the tree. The grammar is
/// YAML 1.2 (the production names in comments are the specification's); indentation `n` is the
/// column of the enclosing block collection, -1 at the root.
class Reader {
 public:
  Reader(std::string_view text, std::size_t base, Tree& tree);
  void document();

 private:
  /// What stands before a block node on its line.
  enum class Where {
    root,            ///< nothing, or `---`
    entry,           ///< `- `: a block collection may follow on the line
    explicit_entry,  ///< `? ` or the `: ` of an explicit key: likewise, or a sequence below at n
    value,  ///< the `: ` of an implicit key: a block sequence may start at column n below it
  };
  struct Props {
    const char* begin = nullptr;
    const char* end = nullptr;
    std::string_view anchor;
    std::string_view tag;
    bool any() const { return begin != nullptr; }
  };
  /// A scalar or alias that was passed over and is not in the tree yet.
  struct Leaf {
    Node node;
    NodeId target = no_node;  ///< of an alias
  };
  class Depth;

  // reader.cpp: lines, properties, tree building
  // Takes views, so that no string is made on the way that does not fail.
  [[noreturn, gnu::cold]] void fail(const char* at, std::string_view message,
                                    std::string_view hint = {}) const;
  [[noreturn, gnu::cold]] void fail_too_deep() const;
  void directives();
  void directive(std::string_view line);
  void finish();
  /// Goes to the first content of the next line that has any, over blank lines and comments. What
  /// is left of the current line must be blank or a comment.
  void advance() {
    if (!fresh_) find_content();
  }
  void find_content();
  void finish_line();
  /// Passes spaces and tabs; true when a tab was among them.
  bool skip_spaces() {
    bool tab = false;
    for (; p_ < end_ && is_space(*p_); ++p_) tab |= *p_ == '\t';
    return tab;
  }
  /// Whether nothing but a comment is left of the line. Call it after skip_spaces.
  bool at_line_end() const {
    return p_ >= end_ || is_break(*p_) || (*p_ == '#' && (p_ == line_ || is_space(p_[-1])));
  }
  bool at_marker(const char* at) const;
  const char* line_end(const char* from) const;
  const char* next_line(const char* line_end) const;
  char at(const char* where) const { return where < end_ ? *where : '\0'; }
  /// A blank, a line end or the end of the text.
  bool ends_indicator(const char* where) const {
    return where >= end_ || is_space(*where) || is_break(*where);
  }
  int column(const char* where) const { return static_cast<int>(where - line_); }
  std::uint32_t offset(const char* where) const {
    return static_cast<std::uint32_t>(where - begin_);
  }
  Leaf leaf_at(const char* where, Kind kind, Style style, std::uint8_t flags = 0) const {
    Leaf leaf;
    leaf.node.begin = leaf.node.end = offset(where);
    leaf.node.kind = kind;
    leaf.node.style = style;
    leaf.node.flags = flags;
    return leaf;
  }
  /// Anchor and tag at p_, in either order, and the blanks after them.
  Props properties(bool flow) { return at_properties() ? read_properties(flow) : Props{}; }
  bool at_properties() const {
    const char c = at(p_);
    return c == '&' || c == '!';
  }
  Props read_properties(bool flow);
  std::string_view tag(bool flow);
  Props merge(const Props& a, const Props& b) const;
  void attach(NodeId node, const Props& props);
  NodeId push(Kind kind, Style style, const char* begin);
  void push(const Leaf& leaf, const Props& props) {
    const auto id = static_cast<NodeId>(tree_.nodes.size());
    tree_.nodes.push_back(leaf.node);
    tree_.nodes.back().next = id + 1;
    if (leaf.node.kind == Kind::alias) push_target(leaf, props);
    if (props.any()) attach(id, props);
  }
  void push_target(const Leaf& alias, const Props& props);
  void push_empty(const char* where, const Props& props);
  void close(NodeId collection, const char* end);
  void wrap_in_mapping(NodeId first, const char* begin, std::uint8_t flags);

  // reader_block.cpp
  void block_node(int n, Where where);
  void block_content(int n, bool block_allowed, int col, const Props& own, const Props& line);
  void block_sequence(int col, const Props& props);
  void block_mapping(int col, const Props& props, const Leaf* first, const Props& first_props);
  void block_mapping_rest(NodeId mapping, int col, NodeId last_value);
  NodeId value_node(int col);
  void implicit_key(int col);
  NodeId explicit_entry(int col);
  void block_scalar(int n, const Props& props);
  bool key_colon_follows() const;
  void take_key_colon();

  // reader_flow.cpp
  void flow_node(int n);
  void flow_sequence(int n, const Props& props);
  void flow_mapping(int n, const Props& props);
  void flow_pair(int n, const char* start);
  void flow_value(int n);
  bool flow_colon(bool json_like) const;
  void skip_flow_space(int n);
  /// An alias or a scalar that is not a block scalar.
  Leaf leaf(int n, bool flow) {
    const char c = at(p_);
    if (c != '*' && c != '"' && c != '\'') return plain(n, flow);
    fresh_ = false;
    return c == '*' ? alias() : c == '"' ? double_quoted(n) : single_quoted(n);
  }
  Leaf alias();
  Leaf double_quoted(int n);
  Leaf single_quoted(int n);
  Leaf plain(int n, bool flow);
  /// ns-plain-first: `-`, `?` and `:` start a plain scalar when text follows them.
  bool starts_plain(const char* where, bool flow) const {
    const char c = at(where);
    if (starts_plain_always[static_cast<unsigned char>(c)]) return true;
    return (c == '-' || c == '?' || c == ':') && !ends_indicator(where + 1) &&
           !(flow && is_flow_indicator(where[1]));
  }
  /// The end of a plain scalar on its line, blanks before it included.
  const char* plain_line(const char* from, bool flow) const {
    for (const char* q = from;; ++q) {
      q = flow ? find_stop<':', '#', ',', '[', ']', '{', '}'>(q, end_)
               : find_stop<':', '#'>(q, end_);
      if (q >= end_) return q;
      if (*q == ':') {
        if (ends_indicator(q + 1) || (flow && is_flow_indicator(q[1]))) return q;
      } else if (*q == '#') {
        if (q > from && is_space(q[-1])) return q;
      } else if (*q != '\t') {
        return q;
      }
    }
  }
  const char* plain_continuation_in_flow(const char* from, int n);
  void quoted_line_break(int n, char quote);

  const char* const begin_;
  const char* const end_;
  const std::size_t base_;
  Tree& tree_;
  const bool has_cr_;

  const char* p_;     ///< next byte to read
  const char* line_;  ///< start of the line p_ is in
  /// True when p_ is the first content of its line, found by advance(); col_ is then the number of
  /// spaces before it, or -1 at the end of the document.
  bool fresh_ = false;
  int col_ = -1;
  bool tabbed_ = false;          ///< a tab stands between the indentation and p_
  bool passed_comment_ = false;  ///< the last advance() went over a comment
  int depth_ = 0;
  std::unordered_map<std::string_view, NodeId> anchors_;
};

/// Counts nesting; refuses what is deeper than max_depth before the stack does.
class Reader::Depth {
 public:
  explicit Depth(Reader& reader) : reader_(reader) {
    if (++reader_.depth_ > max_depth) reader_.fail_too_deep();
  }
  ~Depth() { --reader_.depth_; }
  Depth(const Depth&) = delete;
  Depth& operator=(const Depth&) = delete;

 private:
  Reader& reader_;
};

}  // namespace gpuspec::yaml
