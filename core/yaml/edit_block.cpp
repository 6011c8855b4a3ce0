#include <algorithm>

#include "core/yaml/characters.h"
#include "core/yaml/edit_impl.h"

namespace gpuspec::yaml {

void Editor::add_block(NodeId node, const std::vector<Entry>& entries, const NodeChange& change) {
  Habits habits = habits_.at(path_);
  for (const Group& group : groups(entries, change)) insert_lines(node, entries, group, habits);
}

/// New lines directly after the last content line of an entry, before comments and blank lines; or
/// directly before the first entry.
void Editor::insert_lines(NodeId node, const std::vector<Entry>& entries, const Group& group,
                          Habits& habits) {
  const bool mapping = tree_[node].kind == Kind::mapping;
  const std::size_t indent = column(text_, mapping ? entries.front().begin : tree_[node].begin);
  const bool before = group.after == no_entry;
  const std::size_t at =
      before ? line_begin(text_, entries.front().begin) : line_end(text_, entries[group.after].end);
  habits.newline = newline_near(text_, before ? at : entries[group.after].end);
  // The last line of a text without final line break: a `|` would lose its own.
  habits.literals = may_use_literals(at, before);
  std::string lines;
  for (const Addition& addition : group.values) {
    if (!before) lines += habits.newline;
    lines.append(indent, ' ');
    lines += addition.key
                 ? block_entry(Value::string(*addition.key), *addition.value, indent, habits)
                 : block_item(*addition.value, indent, habits);
    if (before) lines += habits.newline;
  }
  if (at == text_.size()) keep_block_scalar(entries[group.after]);
  put(at, at, std::move(lines));
}

/// A block scalar that ends the text without a line break has none in its value. Before lines can
/// follow it, its header must say so.
void Editor::keep_block_scalar(const Entry& last) {
  const NodeId leaf = tree_[last.value].next - 1;
  const Node& node = tree_[leaf];
  if (node.kind != Kind::scalar || (node.style != Style::literal && node.style != Style::folded))
    return;
  // Blanks that only indent count as a line of their own.
  if (starts_line(text_, text_.size()) &&
      text_.size() - line_begin(text_, text_.size()) <= node.indent)
    return;
  for (auto change = plan_.nodes.lower_bound(last.value);
       change != plan_.nodes.end() && change->first <= leaf; ++change)
    if (change->second.replaced && tree_[change->first].next > leaf) return;
  if (!kept_scalars_.insert(leaf).second) return;
  const std::size_t header = node.begin + 1;
  const std::size_t end = std::min(text_.find_first_not_of("0123456789+-", header), text_.size());
  const std::size_t sign = text_.substr(0, end).find_first_of("+-", header);
  if (sign == std::string_view::npos) {
    put(header, header, "-");
  } else if (text_[sign] == '+') {
    put(sign, sign + 1, "-");
  }
}

/// Entries go with their lines. What stands on the line of a dash is replaced by what follows.
void Editor::remove_block(const std::vector<Entry>& entries, const std::set<NodeId>& removed) {
  std::size_t i = 0;
  if (!starts_line(text_, entries.front().begin)) {
    while (removed.count(entries[i].key)) ++i;
    if (i > 0) {
      const std::size_t end = line_end(text_, entries[i - 1].end);
      put(entries.front().begin, skip_blank_lines(text_, after_break(text_, end)), "");
    }
  }
  std::size_t done = 0;
  NodeId open = no_node;  // a block scalar that would go on in what follows the removed entries
  for (; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (!removed.count(entry.key)) {
      open = tree_[entry.value].next - 1;
      if (tree_[open].style != Style::literal && tree_[open].style != Style::folded) open = no_node;
      continue;
    }
    const std::size_t begin = line_begin(text_, entry.begin);
    const std::size_t end = line_end(text_, entry.end);
    // A line goes with the break before it, so that what is inserted after it stays apart; the
    // first line goes with its own, and so does the last line after a block scalar, whose value the
    // break before is part of.
    const std::size_t before = end_of_previous(text_, begin);
    const bool own_break = before == std::string_view::npos || before < done ||
                           (end == text_.size() && open != no_node);
    done = own_break ? after_break(text_, end) : end;
    put(own_break ? begin : before, done, "");
    if (!own_break && open != no_node &&
        (skip_blank_lines(text_, line_end(text_, entries[i - 1].end)) < begin ||
         end_block_scalar(end, column(text_, entry.begin))))
      open = no_node;
  }
}

/// After a removed line that ends at `at` and stood directly after a block scalar: that one would
/// take blank lines and comments for its own text. Blank lines go, a comment moves to the column
/// given. True when a comment ends the scalar.
bool Editor::end_block_scalar(std::size_t at, std::size_t indent) {
  const std::size_t rest = after_break(text_, at);
  const std::size_t next = skip_blank_lines(text_, rest);
  if (next == text_.size()) {
    if (next > rest) put(rest, next, "");
    return false;
  }
  const std::size_t line = line_begin(text_, next);
  const bool comment = text_[next] == '#';
  if (comment && (line > rest || column(text_, next) > indent)) {
    put(at, next, std::string(newline_near(text_, at)) + std::string(indent, ' '));
  } else if (!comment && line > rest) {
    put(at, end_of_previous(text_, line), "");
  }
  return comment;
}

}  // namespace gpuspec::yaml
