#include <algorithm>

#include "core/yaml/characters.h"
#include "core/yaml/edit_impl.h"
#include "core/yaml/lookup.h"

namespace gpuspec::yaml {

/// A node becomes another value. `key`: the key it is the value of, in a mapping.
void Editor::replace(NodeId node, NodeId key, Value value) {
  const Node& old = tree_[node];
  const Properties* props = tree_.properties(node);
  if (props && value.anchor.empty() && !plan_.detached.count(node)) value.anchor = props->anchor;
  if (old.kind == Kind::scalar && !(old.flags & empty) && value.style == Style::plain) {
    if (old.style == Style::single_quoted || old.style == Style::double_quoted) {
      value.style = old.style;
    } else if (value.kind == Value::Kind::quantity && plain_type(value.text) != Type::string) {
      value.kind = Value::Kind::plain;
    }
  }
  if (path_.empty()) {
    replace_root(node, value);
  } else if (is_flow(tree_, path_.back())) {
    replace_in_flow(node, key, value);
  } else if (tree_[path_.back()].kind == Kind::sequence) {
    replace_item(node, value);
  } else if (key == no_node) {
    put(full_begin(tree_, node), full_end(tree_, node), flow_value(value, "", Habits()));
  } else {
    replace_in_mapping(node, key, value);
  }
}

Habits Editor::habits_at(std::size_t end) {
  Habits habits = habits_.at(path_);
  habits.newline = newline_near(text_, end);
  habits.literals = may_use_literals(line_end(text_, end), false);
  return habits;
}

/// Puts the first line of `text` into the place, and its other lines after the line of the place,
/// where a comment may stand.
void Editor::put_split(std::size_t begin, std::size_t end, const std::string& text) {
  const std::size_t first = std::min(text.find_first_of("\r\n"), text.size());
  put(begin, end, text.substr(0, first));
  if (first < text.size()) {
    const std::size_t line = line_end(text_, end);
    put(line, line, text.substr(first));
  }
}

void Editor::replace_in_flow(NodeId node, NodeId key, const Value& value) {
  Habits habits = habits_.at(path_);
  const std::size_t begin = full_begin(tree_, node);
  const std::size_t end = full_end(tree_, node);
  std::string_view indent;
  if (habits.multi_line) {
    indent = indent_at(begin);
    habits.newline = newline_near(text_, begin);
  }
  std::string text = flow_value(value, indent, habits);
  if (begin == end) {
    const bool colon = key == no_node || after_colon(tree_, key) <= begin;
    text.insert(0, colon ? " " : ": ");
  }
  put(begin, end, std::move(text));
}

void Editor::replace_in_mapping(NodeId node, NodeId key, const Value& value) {
  const std::size_t begin = full_begin(tree_, node);
  const std::size_t end = full_end(tree_, node);
  const std::size_t slot = after_colon(tree_, key);
  const bool is_explicit = (tree_[key].flags & explicit_key) != 0;
  const Entry first = entries_of(tree_, path_.back(), 1).front();
  const std::size_t own = column(text_, first.begin);
  const bool block = is_collection(tree_, node) && !is_flow(tree_, node);
  Habits habits = habits_at(end);
  // Lines between the key and the old value would become lines of a literal.
  if (block && end_of_previous(text_, line_begin(text_, tree_[node].begin)) !=
                   line_end(text_, std::min(slot, end)))
    habits.literals = false;
  const std::string text = block_value(value, own, is_explicit, habits);
  if (slot == std::string_view::npos || slot > begin) {
    // `? key` without a value
    const std::size_t line = line_end(text_, full_end(tree_, key));
    put(line, line, habits.newline + std::string(own, ' ') + ":" + text);
    return;
  }
  const bool same_line = !has_break(text_.substr(slot, begin - slot));
  if (block && starts_line(text_, tree_[node].begin)) {
    replace_lines(node, slot, text);
  } else if (block || !same_line) {
    put_in_place(node, value, own + habits.step, habits);
  } else if (text.front() != ' ') {
    put_split(slot, end, text);
  } else if (begin == end) {
    put_split(begin, end, text);
  } else {
    put_split(begin, end, text.substr(1));
  }
}

/// A block collection that starts on a line of its own: its lines go, the line of the key stays.
void Editor::replace_lines(NodeId node, std::size_t slot, const std::string& text) {
  const std::size_t first = std::min(text.find_first_of("\r\n"), text.size());
  const std::size_t begin = end_of_previous(text_, line_begin(text_, tree_[node].begin));
  if (const Properties* props = tree_.properties(node)) {
    std::size_t from = props->begin;
    while (from > slot && is_space(text_[from - 1])) --from;
    put(from, props->end, text.substr(0, first));
  } else {
    put(slot, slot, text.substr(0, first));
  }
  put(begin, line_end(text_, tree_[node].end), text.substr(first));
}

/// The new value starts in the column of the old one. `tabbed`: the column to use where a tab
/// stands before that: tabs do not count as indentation.
void Editor::put_in_place(NodeId node, const Value& value, std::size_t tabbed,
                          const Habits& habits) {
  const std::size_t begin = full_begin(tree_, node);
  const std::size_t line = line_begin(text_, begin);
  if (starts_line(text_, begin) &&
      text_.substr(line, begin - line).find('\t') != std::string::npos) {
    put_split(line, full_end(tree_, node),
              std::string(tabbed, ' ') + block_inline(value, tabbed, habits));
  } else {
    put_split(begin, full_end(tree_, node), block_inline(value, column(text_, begin), habits));
  }
}

void Editor::replace_item(NodeId node, const Value& value) {
  const std::size_t begin = full_begin(tree_, node);
  const std::size_t end = full_end(tree_, node);
  const Habits habits = habits_at(end);
  if (begin == end) {
    const std::size_t content = column(text_, begin) + habits.gap;
    put_split(begin, end, std::string(habits.gap, ' ') + block_inline(value, content, habits));
  } else {
    const std::size_t dash = column(text_, tree_[path_.back()].begin);
    put_in_place(node, value, dash + 1 + habits.gap, habits);
  }
}

void Editor::replace_root(NodeId node, const Value& value) {
  path_.push_back(node);
  const std::size_t begin = full_begin(tree_, node);
  const std::size_t end = full_end(tree_, node);
  const Habits habits = habits_at(end);
  path_.pop_back();
  if (begin != end && starts_line(text_, begin)) {
    put_in_place(node, value, 0, habits);
  } else {
    put_split(tree_.content_begin, end, habits.newline + block_inline(value, 0, habits));
  }
}

}  // namespace gpuspec::yaml
