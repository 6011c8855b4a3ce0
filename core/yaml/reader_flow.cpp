#include <string_view>

#include "core/yaml/reader_impl.h"

namespace gpuspec::yaml {
namespace {

bool is_hex(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

}  // namespace

/// A node inside a flow collection; nothing at all is an empty node.
void Reader::flow_node(int n) {
  const char* place = p_;
  Props props;
  for (;;) {
    const Props line = properties(true);
    if (!line.any()) break;
    props = merge(props, line);
    place = p_;
    skip_flow_space(n);
  }
  const char c = at(p_);
  if (c == '[') return flow_sequence(n, props);
  if (c == '{') return flow_mapping(n, props);
  if (c == ',' || c == ']' || c == '}' || (c == ':' && flow_colon(false))) {
    return push_empty(place, props);
  }
  push(leaf(n, true), props);
}

void Reader::flow_sequence(int n, const Props& props) {
  const Depth depth(*this);
  const char* open = p_;
  const NodeId id = push(Kind::sequence, Style::flow, p_);
  attach(id, props);
  ++p_;
  for (;;) {
    skip_flow_space(n);
    const char c = at(p_);
    if (p_ >= end_) fail(open, "this `[` is never closed");
    if (c == ']') break;
    if (c == ',') fail(p_, "a `,` without an item before it");
    const char* start = p_;
    const char* start_line = line_;
    const auto item = static_cast<NodeId>(tree_.nodes.size());
    if (c == '?' && ends_indicator(p_ + 1)) {
      flow_pair(n, start);
    } else {
      flow_node(n);
      const Style style = tree_.nodes[item].style;
      const bool json_like =
          style == Style::double_quoted || style == Style::single_quoted || style == Style::flow;
      // A pair's key and its colon stand on one line (ns-s-implicit-yaml-key).
      const char* after = p_;
      while (after < end_ && is_space(*after)) ++after;
      if (at(after) == ':' && line_ == start_line) {
        const char* before = p_;
        p_ = after;
        if (flow_colon(json_like)) {
          wrap_in_mapping(item, start, single_pair);
          ++p_;
          flow_value(n);
          close(item, begin_ + tree_.nodes[tree_.nodes[item + 1].next].end);
        } else {
          p_ = before;
        }
      }
    }
    skip_flow_space(n);
    if (at(p_) == ',') {
      ++p_;
    } else if (at(p_) != ']') {
      if (p_ >= end_) fail(open, "this `[` is never closed");
      fail(p_, "`,` or `]` is expected here");
    }
  }
  ++p_;
  close(id, p_);
}

/// `? key : value` in a flow sequence; p_ is at the `?`.
void Reader::flow_pair(int n, const char* start) {
  const auto id = push(Kind::mapping, Style::flow, start);
  tree_.nodes[id].flags |= single_pair;
  ++p_;
  skip_flow_space(n);
  const auto key = static_cast<NodeId>(tree_.nodes.size());
  flow_node(n);
  tree_.nodes[key].flags |= explicit_key;
  const char* key_end = p_;
  skip_flow_space(n);
  if (at(p_) == ':') {
    ++p_;
    flow_value(n);
  } else {
    push_empty(key_end, {});
  }
  close(id, begin_ + tree_.nodes[tree_.nodes[key].next].end);
}

/// The value after a `:`, or nothing.
void Reader::flow_value(int n) {
  const char* place = p_;
  skip_flow_space(n);
  const char c = at(p_);
  if (c == ',' || c == ']' || c == '}') return push_empty(place, {});
  flow_node(n);
}

void Reader::flow_mapping(int n, const Props& props) {
  const Depth depth(*this);
  const char* open = p_;
  const NodeId id = push(Kind::mapping, Style::flow, p_);
  attach(id, props);
  ++p_;
  for (;;) {
    skip_flow_space(n);
    const char c = at(p_);
    if (p_ >= end_) fail(open, "this `{` is never closed");
    if (c == '}') break;
    if (c == ',') fail(p_, "a `,` without an entry before it");
    const auto key = static_cast<NodeId>(tree_.nodes.size());
    const bool is_explicit = c == '?' && ends_indicator(p_ + 1);
    if (is_explicit) {
      ++p_;
      skip_flow_space(n);
    }
    flow_node(n);
    if (is_explicit) tree_.nodes[key].flags |= explicit_key;
    const Node& key_node = tree_.nodes[key];
    const bool json_like = key_node.style == Style::double_quoted ||
                           key_node.style == Style::single_quoted || key_node.style == Style::flow;
    const char* key_end = p_;
    skip_flow_space(n);
    if (at(p_) == ':' && flow_colon(json_like)) {
      ++p_;
      flow_value(n);
    } else {
      push_empty(key_end, {});
    }
    skip_flow_space(n);
    if (at(p_) == ',') {
      ++p_;
    } else if (at(p_) != '}') {
      if (p_ >= end_) fail(open, "this `{` is never closed");
      fail(p_, "`,` or `}` is expected here");
    }
  }
  ++p_;
  close(id, p_);
}

/// Whether the `:` at p_ separates key and value: always after a quoted key or a collection.
bool Reader::flow_colon(bool json_like) const {
  return json_like || ends_indicator(p_ + 1) || is_flow_indicator(p_[1]);
}

/// Blanks, comments and line breaks inside a flow collection. Every line of it is indented more
/// than the block around it; a closing bracket may stand in the column of the block itself, which
/// is how many people write it and Kubernetes' parser takes it.
void Reader::skip_flow_space(int n) {
  for (;;) {
    const char* before = p_;
    skip_spaces();
    if (p_ >= end_) return;
    if (*p_ == '#') {
      if (p_ == before && p_ != line_ && !is_space(p_[-1])) {
        fail(p_, "a comment needs a space before its `#`");
      }
      p_ = line_end(p_);
      if (p_ >= end_) return;
    }
    if (!is_break(*p_)) return;
    p_ = line_ = next_line(p_);
    const char* q = p_;
    while (q < end_ && *q == ' ') ++q;
    const int spaces = static_cast<int>(q - p_);
    while (q < end_ && is_space(*q)) ++q;
    if (q >= end_ || is_break(*q) || *q == '#') continue;
    if (spaces == 0 && at_marker(q) && q == line_) {
      fail(q, "a document marker inside a flow collection", "a `[` or `{` above is not closed");
    }
    if (spaces <= n && !(spaces == n && (*q == ']' || *q == '}') && q == p_ + spaces)) {
      fail(q, "this line of a flow collection must be indented more than the block around it",
           "is a `[` or `{` above not closed?");
    }
  }
}

Reader::Leaf Reader::alias() {
  const char* start = p_++;
  while (p_ < end_ && !is_space(*p_) && !is_break(*p_) && !is_flow_indicator(*p_)) ++p_;
  const std::string_view name(start + 1, static_cast<std::size_t>(p_ - start - 1));
  if (name.empty()) fail(start, "an alias without a name", "quote text that starts with `*`");
  const auto found = anchors_.find(name);
  if (found == anchors_.end()) {
    fail(start, "the alias *" + std::string(name) + " has no anchor before it",
         "quote text that starts with `*`");
  }
  if (tree_.nodes[found->second].next == 0) {
    fail(start, "the alias *" + std::string(name) + " stands inside the very node it names");
  }
  Leaf result = leaf_at(start, Kind::alias, Style::plain);
  result.node.end = offset(p_);
  result.target = found->second;
  return result;
}

Reader::Leaf Reader::double_quoted(int n) {
  const char* start = p_++;
  Leaf result = leaf_at(start, Kind::scalar, Style::double_quoted);
  for (;;) {
    p_ = find_stop<'"', '\\'>(p_, end_);
    if (p_ >= end_) fail(start, "this double quote is never closed");
    if (*p_ == '"') break;
    if (*p_ == '\t') {
      ++p_;
      continue;
    }
    if (is_break(*p_)) {
      result.node.flags |= multi_line;
      quoted_line_break(n, '"');
      continue;
    }
    const char* escape = p_++;
    int digits = 0;
    switch (at(p_)) {
      case '\r':
      case '\n':
        result.node.flags |= multi_line;
        quoted_line_break(n, '"');
        continue;
      case '0':
      case 'a':
      case 'b':
      case 't':
      case '\t':
      case 'n':
      case 'v':
      case 'f':
      case 'r':
      case 'e':
      case ' ':
      case '"':
      case '/':
      case '\\':
      case 'N':
      case '_':
      case 'L':
      case 'P':
        break;
      case 'x':
        digits = 2;
        break;
      case 'u':
        digits = 4;
        break;
      case 'U':
        digits = 8;
        break;
      default:
        fail(escape, "this escape is not known",
             "write a backslash as `\\\\`, or use single quotes");
    }
    ++p_;
    for (; digits > 0; --digits, ++p_) {
      if (!is_hex(at(p_))) fail(escape, "this escape needs more hexadecimal digits");
    }
  }
  result.node.end = offset(++p_);
  return result;
}

Reader::Leaf Reader::single_quoted(int n) {
  const char* start = p_++;
  Leaf result = leaf_at(start, Kind::scalar, Style::single_quoted);
  for (;;) {
    p_ = find_stop<'\''>(p_, end_);
    if (p_ >= end_) fail(start, "this single quote is never closed");
    if (is_break(*p_)) {
      result.node.flags |= multi_line;
      quoted_line_break(n, '\'');
    } else if (*p_ == '\t') {
      ++p_;
    } else if (at(p_ + 1) == '\'') {
      p_ += 2;
    } else {
      break;
    }
  }
  result.node.end = offset(++p_);
  return result;
}

/// From a line break inside quotes to the first content of a later line. Like a bracket, the
/// closing quote may stand in the column of the block around it.
void Reader::quoted_line_break(int n, char quote) {
  for (;;) {
    p_ = line_ = next_line(p_);
    while (p_ < end_ && *p_ == ' ') ++p_;
    const int spaces = column(p_);
    skip_spaces();
    if (p_ >= end_) return;  // the caller says what is not closed
    if (is_break(*p_)) continue;
    if (p_ == line_ && at_marker(p_)) {
      fail(p_, "a document marker inside quotes", "a quote above is not closed");
    }
    if (spaces <= n && !(spaces == n && *p_ == quote && column(p_) == n)) {
      fail(p_, "a line of a quoted scalar must be indented more than the block around it",
           "is a quote above not closed?");
    }
    return;
  }
}

/// A plain scalar with its continuation lines. In block context the look for these is an advance(),
/// so the reader stands at fresh content when the scalar went to the end of its line.
Reader::Leaf Reader::plain(int n, bool flow) {
  if (!starts_plain(p_, flow)) {
    const char c = at(p_);
    if (p_ >= end_) fail(p_, "a value is expected here, but the document ends");
    fail(p_, std::string("a plain scalar cannot start with `") + c + "`", "quote it");
  }
  Leaf result = leaf_at(p_, Kind::scalar, Style::plain);
  const char* from = p_;
  fresh_ = false;
  for (;;) {
    const char* stop = plain_line(from, flow);
    const char* end = stop;
    while (end > from && is_space(end[-1])) --end;
    result.node.end = offset(end);
    p_ = end;
    if (stop < end_ && !is_break(*stop)) return result;
    if (flow) {
      const char* more = plain_continuation_in_flow(stop, n);
      if (!more) return result;
      from = p_ = more;
    } else {
      advance();
      // A comment ends the scalar; what follows is refused by whoever expects a key or an item.
      if (col_ <= n || passed_comment_) return result;
      from = p_;
      fresh_ = false;
    }
    result.node.flags |= multi_line;
  }
}

/// Where a plain scalar in a flow collection goes on after a line end; nullptr when it does not.
/// Moves line_ only when it does.
const char* Reader::plain_continuation_in_flow(const char* from, int n) {
  const char* q = from;
  const char* line = nullptr;
  int spaces = 0;
  do {
    if (q >= end_) return nullptr;
    line = q = next_line(q);
    while (q < end_ && *q == ' ') ++q;
    spaces = static_cast<int>(q - line);
    while (q < end_ && is_space(*q)) ++q;
  } while (q < end_ && is_break(*q));
  if (q >= end_ || spaces <= n || *q == '#' || is_flow_indicator(*q)) return nullptr;
  if (*q == ':' && (ends_indicator(q + 1) || is_flow_indicator(q[1]))) return nullptr;
  if (q == line && at_marker(q)) return nullptr;
  line_ = line;
  return q;
}

}  // namespace gpuspec::yaml
