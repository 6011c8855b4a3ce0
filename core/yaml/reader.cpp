#include "core/yaml/reader.h"

#include <cstring>
#include <limits>

#include "core/text/utf8.h"
#include "core/yaml/reader_impl.h"

namespace gpuspec::yaml {

void read_document(std::string_view text, std::size_t base, Tree& tree) {
  tree.clear();
  tree.text = text;
  tree.base = base;
  if (text.size() >= std::numeric_limits<std::uint32_t>::max()) {
    throw text::Error(base, "a document of more than 4 GiB");
  }
  if (const std::size_t bad = text::find_invalid_utf8(text); bad != std::string_view::npos) {
    throw text::Error(base + bad, "this is not valid UTF-8",
                      "convert the file to UTF-8, for example with iconv");
  }
  if (const std::size_t bad = find_control_character(text); bad != std::string_view::npos) {
    throw text::Error(
        base + bad, "control characters are not allowed in YAML",
        "inside a double-quoted scalar they can be written as an escape, like \"\\x07\"");
  }
  Reader(text, base, tree).document();
}

Reader::Reader(std::string_view text, std::size_t base, Tree& tree)
    : begin_(text.data()),
      end_(text.data() + text.size()),
      base_(base),
      tree_(tree),
      has_cr_(!text.empty() && std::memchr(text.data(), '\r', text.size()) != nullptr),
      p_(begin_),
      line_(begin_) {}

void Reader::fail(const char* at, std::string_view message, std::string_view hint) const {
  throw text::Error(base_ + offset(at), std::string(message), std::string(hint));
}

void Reader::fail_too_deep() const {
  fail(p_, "nested more than " + std::to_string(max_depth) + " levels deep");
}

void Reader::document() {
  directives();
  tree_.content_begin = offset(p_);
  if (!tree_.explicit_start) {
    // Nothing at all: a stretch of comments is no document, but still has a (null) root.
    const char* start = p_;
    advance();
    if (col_ < 0) {
      push_empty(start, {});
      finish();
      return;
    }
  }
  block_node(-1, Where::root);
  finish();
  tree_.has_content = !(tree_.nodes[0].flags & empty) || (tree_.nodes[0].flags & has_properties);
}

void Reader::directives() {
  if (end_ - p_ >= 3 && std::memcmp(p_, "\xEF\xBB\xBF", 3) == 0) {
    p_ += 3;
    line_ = p_;
  }
  bool seen = false;
  bool yaml_seen = false;
  while (p_ < end_) {
    const char* eol = line_end(p_);
    if (*p_ == '%') {
      std::string_view text(p_, static_cast<std::size_t>(eol - p_));
      if (text.substr(0, 5) == "%YAML" && (text.size() == 5 || is_space(text[5]))) {
        if (yaml_seen) fail(p_, "a second %YAML directive for one document");
        yaml_seen = true;
      }
      directive(text);
      seen = true;
    } else if (at_marker(p_) && *p_ == '-') {
      tree_.explicit_start = true;
      p_ += 3;
      return;
    } else {
      const char* q = p_;
      while (q < eol && is_space(*q)) ++q;
      if (q < eol && *q != '#') {
        if (seen) fail(p_, "a directive must be followed by `---`");
        return;
      }
    }
    p_ = line_ = next_line(eol);
  }
  if (seen) fail(p_, "a directive must be followed by a document that starts with `---`");
  p_ = line_ = begin_;
  if (end_ - p_ >= 3 && std::memcmp(p_, "\xEF\xBB\xBF", 3) == 0) {
    p_ += 3;
    line_ = p_;
  }
}

void Reader::directive(std::string_view line) {
  const auto word = [&line]() {
    const std::size_t first = line.find_first_not_of(" \t");
    line.remove_prefix(first == std::string_view::npos ? line.size() : first);
    const std::size_t length = std::min(line.find_first_of(" \t"), line.size());
    const std::string_view result = line.substr(0, length);
    line.remove_prefix(length);
    return result;
  };
  const std::string_view name = word();
  if (name == "%YAML") {
    const std::string_view version = word();
    if (version.size() < 3 || version.substr(0, 2) != "1." ||
        version.find_first_not_of("0123456789", 2) != std::string_view::npos) {
      fail(p_, "this %YAML directive does not name a version 1.x");
    }
  } else if (name == "%TAG") {
    const std::string_view handle = word();
    const std::string_view prefix = word();
    if (handle.empty() || handle.front() != '!' || handle.back() != '!' || prefix.empty()) {
      fail(p_, "a %TAG directive has a handle and a prefix",
           "for example: %TAG !e! tag:example.com:");
    }
    tree_.tag_handles.emplace_back(handle, prefix);
  } else {
    return;  // directives reserved for later versions are passed over, parameters and all
  }
  const std::string_view rest = word();
  if (!rest.empty() && rest.front() != '#') fail(p_, "unexpected text after the directive");
}

/// After the root: only comments, and `...` with comments, may follow.
void Reader::finish() {
  advance();
  if (col_ >= 0) {
    fail(p_, "unexpected content after the end of the document's root",
         "two keys of one mapping start in the same column; two documents need `---` between them");
  }
  if (p_ < end_ && *p_ == '.') {
    tree_.explicit_end = true;
    p_ += 3;
    finish_line();
    for (line_ = p_; p_ < end_;) {
      const char* eol = line_end(p_);
      while (p_ < eol && is_space(*p_)) ++p_;
      if (p_ < eol && *p_ != '#') fail(p_, "unexpected content after `...`");
      p_ = line_ = next_line(eol);
    }
  } else if (p_ < end_) {
    fail(p_, "a second document starts here");
  }
}

void Reader::find_content() {
  passed_comment_ = false;
  if (p_ < end_ && *p_ == '\n') {
    p_ = line_ = p_ + 1;
  } else if (p_ != line_) {
    finish_line();
  }
  for (;;) {
    const char* q = skip_indentation(p_, end_);
    const char* spaces_end = q;
    if (q < end_ && *q == '\t') {
      do ++q;
      while (q < end_ && is_space(*q));
    }
    if (q >= end_) {
      p_ = line_ = end_;
      break;
    }
    const char c = *q;
    if (c == '\n' || c == '\r') {
      p_ = line_ = next_line(q);
      continue;
    }
    if (c == '#') {
      passed_comment_ = true;
      p_ = line_ = next_line(line_end(q));
      continue;
    }
    if (q == line_ && (c == '-' || c == '.') && at_marker(q)) {
      p_ = q;
      break;
    }
    tabbed_ = q != spaces_end;
    col_ = static_cast<int>(spaces_end - line_);
    p_ = q;
    fresh_ = true;
    return;
  }
  fresh_ = true;
  tabbed_ = false;
  col_ = -1;
}

/// Passes the rest of a line that must be blank or a comment, and its line break.
void Reader::finish_line() {
  const char* q = p_;
  while (q < end_ && is_space(*q)) ++q;
  if (q < end_ && !is_break(*q)) {
    if (*q != '#')
      fail(q, "unexpected content after a value", "text with spaces before it may need quotes");
    if (q == line_ || !is_space(q[-1])) fail(q, "a comment needs a space before its `#`");
    passed_comment_ = true;
    q = line_end(q);
  }
  p_ = line_ = next_line(q);
}

bool Reader::at_marker(const char* where) const {
  return end_ - where >= 3 && (*where == '-' || *where == '.') && where[1] == *where &&
         where[2] == *where && ends_indicator(where + 3);
}

const char* Reader::line_end(const char* from) const {
  const auto left = static_cast<std::size_t>(end_ - from);
  if (left == 0) return end_;
  const void* found = std::memchr(from, '\n', left);
  const char* eol = found ? static_cast<const char*>(found) : end_;
  if (has_cr_) {
    if (const void* cr = std::memchr(from, '\r', static_cast<std::size_t>(eol - from))) {
      eol = static_cast<const char*>(cr);
    }
  }
  return eol;
}

const char* Reader::next_line(const char* eol) const {
  if (eol >= end_) return end_;
  return *eol == '\r' && eol + 1 < end_ && eol[1] == '\n' ? eol + 2 : eol + 1;
}

Reader::Props Reader::read_properties(bool flow) {
  Props props;
  while (p_ < end_ && (*p_ == '&' || *p_ == '!')) {
    const char* start = p_;
    if (*p_ == '&') {
      if (!props.anchor.empty()) fail(p_, "a second anchor for one node");
      ++p_;
      while (p_ < end_ && !is_space(*p_) && !is_break(*p_) && !is_flow_indicator(*p_)) ++p_;
      props.anchor = std::string_view(start + 1, static_cast<std::size_t>(p_ - start - 1));
      if (props.anchor.empty()) fail(start, "an anchor without a name");
    } else {
      if (!props.tag.empty()) fail(p_, "a second tag for one node");
      props.tag = tag(flow);
    }
    if (!props.begin) props.begin = start;
    props.end = p_;
    if (!ends_indicator(p_) && !(flow && is_flow_indicator(*p_))) {
      fail(p_, *start == '&' ? "an anchor must be followed by a space"
                             : "a tag must be followed by a space");
    }
    skip_spaces();
  }
  fresh_ = false;
  return props;
}

std::string_view Reader::tag(bool flow) {
  const char* start = p_;
  ++p_;
  if (at(p_) == '<') {
    while (p_ < end_ && *p_ != '>' && !is_space(*p_) && !is_break(*p_)) ++p_;
    if (at(p_) != '>') fail(start, "a tag of the form !<…> is not closed");
    ++p_;
  } else {
    (void)flow;
    const char* handle_end = nullptr;
    while (p_ < end_ && !is_space(*p_) && !is_break(*p_) && !is_flow_indicator(*p_)) {
      if (*p_ == '!' && !handle_end) handle_end = p_ + 1;
      ++p_;
    }
    if (handle_end) {
      const std::string_view handle(start, static_cast<std::size_t>(handle_end - start));
      bool known = handle == "!!";
      for (const auto& [declared, prefix] : tree_.tag_handles) known |= declared == handle;
      if (!known)
        fail(start,
             "the tag handle " + std::string(handle) + " is not declared by a %TAG directive");
      if (handle_end == p_) fail(start, "a tag handle without a name after it");
    }
  }
  return {start, static_cast<std::size_t>(p_ - start)};
}

/// Properties that were spread over lines, as one.
Reader::Props Reader::merge(const Props& a, const Props& b) const {
  if (!a.any()) return b;
  if (!b.any()) return a;
  if (!a.anchor.empty() && !b.anchor.empty()) fail(b.begin, "a second anchor for one node");
  if (!a.tag.empty() && !b.tag.empty()) fail(b.begin, "a second tag for one node");
  return {a.begin, b.end, a.anchor.empty() ? b.anchor : a.anchor, a.tag.empty() ? b.tag : a.tag};
}

void Reader::attach(NodeId node, const Props& props) {
  if (!props.any()) return;
  tree_.nodes[node].flags |= has_properties;
  Properties entry{node, offset(props.begin), offset(props.end), props.anchor, props.tag};
  // Nearly always the last one; a flow collection gets its properties after its children.
  auto where = tree_.props.end();
  while (where != tree_.props.begin() && (where - 1)->node > node) --where;
  tree_.props.insert(where, entry);
  if (!props.anchor.empty()) anchors_[props.anchor] = node;
}

NodeId Reader::push(Kind kind, Style style, const char* begin) {
  Node node;
  node.begin = node.end = offset(begin);
  node.kind = kind;
  node.style = style;
  tree_.nodes.push_back(node);
  return static_cast<NodeId>(tree_.nodes.size() - 1);
}

/// What the alias that was just pushed names.
void Reader::push_target(const Leaf& alias, const Props& props) {
  if (props.any()) fail(props.begin, "an alias cannot have an anchor or a tag of its own");
  tree_.aliases.push_back({static_cast<NodeId>(tree_.nodes.size() - 1), alias.target});
}

void Reader::push_empty(const char* where, const Props& props) {
  const char* place = props.any() ? props.end : where;
  push(leaf_at(place, Kind::scalar, Style::plain, empty), props);
}

void Reader::close(NodeId collection, const char* end) {
  Node& node = tree_.nodes[collection];
  node.next = static_cast<NodeId>(tree_.nodes.size());
  node.end = offset(end);
}

/// Puts a mapping around the node `first` (and what follows it), which turned out to be a key after
/// it was read: `[a, b]: c`. The mapping is left open.
void Reader::wrap_in_mapping(NodeId first, const char* begin, std::uint8_t flags) {
  Node mapping;
  mapping.begin = mapping.end = offset(begin);
  mapping.kind = Kind::mapping;
  mapping.style = flags & single_pair ? Style::flow : Style::block;
  mapping.flags = flags;
  for (std::size_t i = first; i < tree_.nodes.size(); ++i) ++tree_.nodes[i].next;
  for (auto p = tree_.props.rbegin(); p != tree_.props.rend() && p->node >= first; ++p) {
    const auto anchor = anchors_.find(p->anchor);
    if (anchor != anchors_.end() && anchor->second == p->node) ++anchor->second;
    ++p->node;
  }
  for (auto a = tree_.aliases.rbegin(); a != tree_.aliases.rend() && a->alias >= first; ++a) {
    ++a->alias;
    a->target += a->target >= first ? 1 : 0;
  }
  tree_.nodes.insert(tree_.nodes.begin() + first, mapping);
}

}  // namespace gpuspec::yaml
