#include <algorithm>

#include "core/yaml/reader_impl.h"

namespace gpuspec::yaml {

/// s-l+block-node: exactly one node, empty ones included. p_ stands behind an indicator (or at the
/// start of the document), or at fresh content.
void Reader::block_node(int n, Where where) {
  static constexpr Props none;
  const char* place = p_;
  Props own;
  if (!fresh_) {
    const bool tab = skip_spaces();
    const int col = column(p_);
    if (at_properties()) own = read_properties(false);
    if (!at_line_end()) {
      const bool compact = where == Where::entry || where == Where::explicit_entry;
      tabbed_ = tab && compact;
      return block_content(n, compact && !tab, col, none, own);
    }
  }
  for (;;) {
    advance();
    const bool sequence = at(p_) == '-' && ends_indicator(p_ + 1);
    const bool at_same_column = where == Where::value || where == Where::explicit_entry;
    const int least = at_same_column && sequence ? n : n + 1;
    if (col_ < least) return push_empty(place, own);
    if (!at_properties()) return block_content(n, !tabbed_, col_, own, none);
    const int col = col_;
    const bool tabbed = tabbed_;
    const Props line = read_properties(false);
    if (!at_line_end()) return block_content(n, !tabbed, col, own, line);
    own = merge(own, line);  // properties on a line of their own are the node's
  }
}

/// A node whose first character is at p_, in column col. `line`: properties before it on its line,
/// `own`: those on lines above.
void Reader::block_content(int n, bool block_allowed, int col, const Props& own,
                           const Props& line) {
  const char c = at(p_);
  const char* start = line.any() ? line.begin : p_;
  const auto require_block = [&](const char* what) {
    if (block_allowed) return;
    if (tabbed_) fail(p_, "a tab may not stand in indentation", "use spaces");
    fail(p_, std::string(what) + " may not start here", "it must start on a line of its own");
  };
  if ((c == '-' || c == '?') && ends_indicator(p_ + 1)) {
    require_block(c == '-' ? "a block sequence" : "a block mapping");
    if (line.any())
      fail(line.begin, "an anchor or tag of a block collection must stand on the line above");
    return c == '-' ? block_sequence(col, own) : block_mapping(col, own, nullptr, {});
  }
  if (c == ':' && ends_indicator(p_ + 1)) {
    require_block("a mapping with an empty key");
    const char* place = line.any() ? line.end : p_;
    const Leaf nothing = leaf_at(place, Kind::scalar, Style::plain, empty);
    return block_mapping(col, own, &nothing, line);
  }
  if (c == '|' || c == '>') return block_scalar(n, merge(own, line));
  if (c == '[' || c == '{') {
    const auto id = static_cast<NodeId>(tree_.nodes.size());
    const char* start_line = line_;
    fresh_ = false;
    c == '[' ? flow_sequence(n, line) : flow_mapping(n, line);
    if (!key_colon_follows()) {
      if (own.any()) {
        if (line.any()) {
          for (Properties& p : tree_.props) {
            if (p.node != id) continue;
            const Props both = merge(own, line);
            p = {id, offset(both.begin), offset(both.end), both.anchor, both.tag};
            if (!both.anchor.empty()) anchors_[both.anchor] = id;
          }
        } else {
          attach(id, own);
        }
      }
      return;
    }
    if (line_ != start_line) fail(p_, "a key must stand on one line");
    require_block("a block mapping");
    wrap_in_mapping(id, start, 0);
    attach(id, own);
    const Depth depth(*this);
    take_key_colon();
    return block_mapping_rest(id, col, value_node(col));
  }
  const char* start_line = line_;
  const Leaf scalar = leaf(n, false);
  // A fresh line below means that the scalar took all of its own line.
  if (fresh_ || !key_colon_follows()) {
    return own.any() && line.any() ? push(scalar, merge(own, line))
                                   : push(scalar, own.any() ? own : line);
  }
  if (line_ != start_line)
    fail(p_, "a key must stand on one line", "is a quote or a `- ` missing above?");
  if (!block_allowed) {
    if (tabbed_) fail(start, "a tab may not stand in indentation", "use spaces");
    skip_spaces();
    fail(p_, "a mapping may not start here", "quote a value that contains `: `");
  }
  block_mapping(col, own, &scalar, line);
}

/// l+block-sequence with its `-` in column col; p_ is at the first.
void Reader::block_sequence(int col, const Props& props) {
  const Depth depth(*this);
  const NodeId id = push(Kind::sequence, Style::block, p_);
  attach(id, props);
  for (;;) {
    ++p_;
    fresh_ = false;
    const auto item = static_cast<NodeId>(tree_.nodes.size());
    block_node(col, Where::entry);
    tree_.nodes[id].end = tree_.nodes[item].end;
    advance();
    if (col_ != col || at(p_) != '-' || !ends_indicator(p_ + 1)) break;
    if (tabbed_) fail(p_, "a tab may not stand in indentation", "use spaces");
  }
  if (col_ > col) {
    fail(p_, "wrong indentation: this belongs to no item of the sequence above",
         "an item of it starts with `- ` in column " + std::to_string(col + 1));
  }
  tree_.nodes[id].next = static_cast<NodeId>(tree_.nodes.size());
}

/// l+block-mapping with its keys in column col. `first`: its first key, already passed over, with
/// the properties before it; nullptr when p_ is at the `?` of an explicit one.
void Reader::block_mapping(int col, const Props& props, const Leaf* first,
                           const Props& first_props) {
  const Depth depth(*this);
  const char* start = !first              ? p_
                      : first_props.any() ? first_props.begin
                                          : begin_ + first->node.begin;
  const NodeId id = push(Kind::mapping, Style::block, start);
  attach(id, props);
  NodeId value = no_node;
  if (first) {
    push(*first, first_props);
    take_key_colon();
    value = value_node(col);
  } else {
    value = explicit_entry(col);
  }
  block_mapping_rest(id, col, value);
}

NodeId Reader::value_node(int col) {
  const auto id = static_cast<NodeId>(tree_.nodes.size());
  block_node(col, Where::value);
  return id;
}

/// The entries after the first one.
void Reader::block_mapping_rest(NodeId mapping, int col, NodeId last_value) {
  for (advance(); col_ == col; advance()) {
    if (tabbed_) fail(p_, "a tab may not stand in indentation", "use spaces");
    const char c = at(p_);
    if (c == '-' && ends_indicator(p_ + 1)) {
      fail(p_, "a sequence item where a key of the mapping above is expected",
           "indent it below the key it belongs to");
    }
    if (c == '?' && ends_indicator(p_ + 1)) {
      last_value = explicit_entry(col);
    } else {
      implicit_key(col);
      last_value = value_node(col);
    }
  }
  if (col_ > col) {
    fail(p_, "wrong indentation: this belongs to no key of the mapping above",
         "its keys start in column " + std::to_string(col + 1));
  }
  close(mapping, begin_ + tree_.nodes[last_value].end);
}

/// A key with its `:`.
void Reader::implicit_key(int col) {
  const char* start = p_;
  const char* start_line = line_;
  const Props props = properties(false);
  const char c = at(p_);
  const bool collection = c == '[' || c == '{';
  if (c == ':' && ends_indicator(p_ + 1)) {
    push_empty(p_, props);
    fresh_ = false;
  } else if (collection) {
    fresh_ = false;
    c == '[' ? flow_sequence(col, props) : flow_mapping(col, props);
  } else {
    push(leaf(col, false), props);
  }
  if (fresh_ || !key_colon_follows()) {
    if (collection) fail(start, "a key without `:`");
    fail(start, "a key of the mapping above is expected here, but no `:` follows",
         "a key looks like `name: value`; text that goes on from the line above must be indented");
  }
  if (line_ != start_line) fail(start, "a key must stand on one line");
  take_key_colon();
}

/// `? key` and, when it is there, `: value`. Returns the value.
NodeId Reader::explicit_entry(int col) {
  ++p_;
  fresh_ = false;
  const auto key = static_cast<NodeId>(tree_.nodes.size());
  block_node(col, Where::explicit_entry);
  tree_.nodes[key].flags |= explicit_key;
  advance();
  const auto value = static_cast<NodeId>(tree_.nodes.size());
  if (col_ == col && at(p_) == ':' && ends_indicator(p_ + 1) && !tabbed_) {
    ++p_;
    fresh_ = false;
    block_node(col, Where::explicit_entry);
  } else {
    push_empty(begin_ + tree_.nodes[key].end, {});
  }
  return value;
}

bool Reader::key_colon_follows() const {
  const char* q = p_;
  while (q < end_ && is_space(*q)) ++q;
  return at(q) == ':' && ends_indicator(q + 1);
}

void Reader::take_key_colon() {
  skip_spaces();
  ++p_;
  fresh_ = false;
}

/// c-l+literal and c-l+folded. p_ is at the `|` or `>`.
void Reader::block_scalar(int n, const Props& props) {
  const char* start = p_;
  const Style style = *p_ == '|' ? Style::literal : Style::folded;
  int indent = -1;
  char chomp = 0;
  for (++p_; p_ < end_ && !is_space(*p_) && !is_break(*p_); ++p_) {
    if ((*p_ == '+' || *p_ == '-') && !chomp) {
      chomp = *p_;
    } else if (*p_ >= '1' && *p_ <= '9' && indent < 0) {
      indent = std::max(n, 0) + (*p_ - '0');
    } else {
      fail(p_,
           "this is no block scalar header: only one of `+` `-` and one digit from 1 to 9 may "
           "follow",
           "text that starts with `|` or `>` must be quoted");
    }
  }
  const char* content_end = p_;
  fresh_ = false;
  finish_line();         // leaves p_ and line_ at the start of the next line
  int blank_spaces = 0;  // the longest of the blank lines before the first content
  const char* blank_line = nullptr;
  const char* trailing_end = nullptr;
  while (p_ < end_) {
    const char* q = p_;
    const char* limit = indent < 0 ? end_ : std::min(end_, p_ + indent);
    while (q < limit && *q == ' ') ++q;
    const int spaces = static_cast<int>(q - p_);
    if (q >= end_ || is_break(*q)) {  // a blank line
      if (indent < 0 && spaces > blank_spaces) {
        blank_spaces = spaces;
        blank_line = p_;
      }
      if (q >= end_ && spaces == 0) break;
      trailing_end = q;
      p_ = line_ = next_line(q);
      continue;
    }
    if (indent < 0) {
      if (spaces <= n) {
        if (*q == '\t')
          fail(q, "a tab where the indentation of a block scalar is expected", "use spaces");
        break;
      }
      if (blank_spaces > spaces) {
        fail(blank_line, "a blank line of a block scalar is indented more than its first text line",
             "remove the spaces, or write the indentation into the header, like `|2`");
      }
      indent = spaces;
    } else if (spaces < indent) {
      break;
    }
    if (q == p_ && at_marker(q)) break;
    content_end = line_end(q);
    trailing_end = nullptr;
    p_ = line_ = next_line(content_end);
  }
  if (chomp == '+' && trailing_end) content_end = trailing_end;
  if (indent > UINT16_MAX) fail(start, "a block scalar indented by more than 65535 columns");
  Leaf scalar = leaf_at(start, Kind::scalar, style, multi_line);
  scalar.node.end = offset(content_end);
  // With no text line there is no indentation: all its blank lines are empty.
  scalar.node.indent = static_cast<std::uint16_t>(indent < 0 ? UINT16_MAX : indent);
  push(scalar, props);
}

}  // namespace gpuspec::yaml
