#include "core/yaml/layout.h"

#include <algorithm>

#include "core/text/utf8.h"
#include "core/yaml/characters.h"

namespace gpuspec::yaml {
namespace {

std::size_t byte_order_mark(std::string_view text) {
  return text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
}

/// The `?` before an explicit key.
std::size_t question_mark(const Tree& tree, std::size_t key) {
  std::size_t at = key;
  while (at > 0 && (is_space(tree.text[at - 1]) || is_break(tree.text[at - 1]))) --at;
  return at > 0 && tree.text[at - 1] == '?' ? at - 1 : key;
}

}  // namespace

std::size_t line_begin(std::string_view text, std::size_t at) {
  while (at > 0 && !is_break(text[at - 1])) --at;
  return at == 0 ? byte_order_mark(text) : at;
}

std::size_t line_end(std::string_view text, std::size_t at) {
  return std::min(text.find_first_of("\r\n", at), text.size());
}

std::size_t after_break(std::string_view text, std::size_t end) {
  if (end >= text.size()) return text.size();
  return text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? end + 2 : end + 1;
}

std::size_t end_of_previous(std::string_view text, std::size_t begin) {
  if (begin <= byte_order_mark(text)) return std::string_view::npos;
  return begin >= 2 && text[begin - 1] == '\n' && text[begin - 2] == '\r' ? begin - 2 : begin - 1;
}

std::size_t column(std::string_view text, std::size_t at) {
  const std::size_t begin = std::min(line_begin(text, at), at);
  return text::count_code_points(text.substr(begin, at - begin));
}

bool starts_line(std::string_view text, std::size_t at) {
  const std::size_t mark = byte_order_mark(text);
  while (at > mark && is_space(text[at - 1])) --at;
  return at <= mark || is_break(text[at - 1]);
}

bool ends_line(std::string_view text, std::size_t at) {
  at = skip_blanks(text, at);
  return at >= text.size() || is_break(text[at]) ||
         (text[at] == '#' && at > 0 && is_space(text[at - 1]));
}

bool has_loose_lines(std::string_view text, std::size_t at) {
  for (at = line_end(text, at); at < text.size();) {
    const std::size_t begin = after_break(text, at);
    at = skip_blanks(text, begin);
    if (at < text.size() && text[at] == '#') return true;
    if (at < text.size() && !is_break(text[at])) return false;
    if (at > begin) return true;
  }
  return false;
}

bool has_break(std::string_view text) {
  return text.find_first_of("\r\n") != std::string_view::npos;
}

std::string_view newline_near(std::string_view text, std::size_t at) {
  std::size_t end = line_end(text, at);
  if (end == text.size()) end = end_of_previous(text, line_begin(text, at));
  if (end == std::string_view::npos) return "\n";
  return text.substr(end, after_break(text, end) - end);
}

std::size_t skip_blanks(std::string_view text, std::size_t at) {
  while (at < text.size() && is_space(text[at])) ++at;
  return at;
}

std::size_t skip_blank_lines(std::string_view text, std::size_t at) {
  while (at < text.size() && (is_space(text[at]) || is_break(text[at]))) ++at;
  return at;
}

std::size_t skip_to_content(std::string_view text, std::size_t at) {
  for (; at < text.size(); ++at) {
    if (text[at] == '#') {
      at = line_end(text, at);
      if (at == text.size()) break;
    } else if (!is_space(text[at]) && !is_break(text[at])) {
      break;
    }
  }
  return at;
}

std::size_t full_begin(const Tree& tree, NodeId node) {
  const Properties* props = tree.properties(node);
  return props ? std::min<std::size_t>(props->begin, tree[node].begin) : tree[node].begin;
}

std::size_t full_end(const Tree& tree, NodeId node) {
  const Properties* props = tree.properties(node);
  return props ? std::max<std::size_t>(props->end, tree[node].end) : tree[node].end;
}

std::vector<Entry> entries_of(const Tree& tree, NodeId collection, std::size_t limit) {
  std::vector<Entry> entries;
  const bool mapping = tree[collection].kind == Kind::mapping;
  for (NodeId child = first_child(tree, collection); child != no_node && entries.size() < limit;) {
    Entry entry;
    entry.begin = full_begin(tree, child);
    entry.value = child;
    if (mapping) {
      entry.key = child;
      entry.value = value_of(tree, child);
      if (tree[child].flags & explicit_key) entry.begin = question_mark(tree, entry.begin);
      entry.end = full_end(tree, child);
    }
    entry.end = std::max(entry.end, full_end(tree, entry.value));
    entries.push_back(entry);
    child = next_sibling(tree, collection, entry.value);
  }
  return entries;
}

std::size_t after_colon(const Tree& tree, NodeId key) {
  const std::size_t at = skip_to_content(tree.text, full_end(tree, key));
  return at < tree.text.size() && tree.text[at] == ':' ? at + 1 : std::string_view::npos;
}

bool spans_lines(const Tree& tree, NodeId node) {
  return has_break(tree.raw(node).substr(0, 4096));
}

}  // namespace gpuspec::yaml
