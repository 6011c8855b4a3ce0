#include <algorithm>

#include "core/text/error.h"
#include "core/yaml/characters.h"
#include "core/yaml/edit_impl.h"

namespace gpuspec::yaml {
namespace {

bool has_comment(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i)
    if (text[i] == '#' && (i == 0 || is_space(text[i - 1]) || is_break(text[i - 1]))) return true;
  return false;
}

}  // namespace

/// The blanks that a line starts with.
std::string_view Editor::indent_at(std::size_t at) const {
  const std::size_t begin = line_begin(text_, at);
  return text_.substr(begin, skip_blanks(text_, begin) - begin);
}

void Editor::add_flow(NodeId node, const std::vector<Entry>& entries, const NodeChange& change) {
  Habits habits = habits_.at(path_);
  // `[a: b]` has no braces to add to.
  const bool bare = (tree_[node].flags & single_pair) != 0;
  if (bare) put(tree_[node].begin, tree_[node].begin, "{");
  for (const Group& group : groups(entries, change)) insert_in_flow(entries, group, habits);
  if (bare) put(tree_[node].end, tree_[node].end, "}");
}

/// New entries on the line of their predecessor, or on lines of their own when it has its own.
void Editor::insert_in_flow(const std::vector<Entry>& entries, const Group& group, Habits& habits) {
  const bool before = group.after == no_entry;
  const Entry& entry = before ? entries.front() : entries[group.after];
  const bool own_line = starts_line(text_, entry.begin);
  std::string_view indent;
  if (own_line) {
    indent = indent_at(entry.begin);
    habits.newline = newline_near(text_, entry.begin);
  } else if (habits.multi_line) {
    indent = indent_at(entry.end - 1);
    habits.newline = newline_near(text_, entry.end - 1);
  }
  const std::string line = habits.newline + std::string(indent);
  std::vector<std::string> texts;
  for (const Addition& addition : group.values) {
    texts.push_back(addition.key
                        ? flow_entry(Value::string(*addition.key), *addition.value, indent, habits)
                        : flow_value(*addition.value, indent, habits));
  }
  const auto each = [&texts](std::string_view lead, std::string_view tail) {
    std::string all;
    for (const std::string& text : texts) all.append(lead).append(text).append(tail);
    return all;
  };
  if (before) {
    put(entry.begin, entry.begin, each("", own_line ? "," + line : std::string(comma(habits))));
    return;
  }
  const std::size_t next = skip_blanks(text_, entry.end);
  const bool comma_follows = next < text_.size() && text_[next] == ',';
  if (!own_line || (comma_follows && !ends_line(text_, next + 1))) {
    put(entry.end, entry.end, each(comma(habits), ""));
  } else if (comma_follows) {
    const std::size_t end = line_end(text_, next);
    put(end, end, each(line, ","));
  } else if (next < text_.size() && text_[next] == '#' &&
             text_[skip_to_content(text_, next)] != ',') {
    // The comment stays with its entry.
    put(entry.end, entry.end, ",");
    const std::size_t end = line_end(text_, next);
    std::string lines = each(line, ",");
    lines.pop_back();
    put(end, end, std::move(lines));
  } else {
    put(entry.end, entry.end, each("," + line, ""));
  }
}

void Editor::remove_flow(const std::vector<Entry>& entries, const std::set<NodeId>& removed) {
  const auto between = [this](std::size_t begin, std::size_t end) {
    return text_.substr(begin, end - begin);
  };
  bool leading = true;
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const Entry& entry = entries[i];
    if (!removed.count(entry.key)) {
      leading = false;
      continue;
    }
    const bool last = i + 1 == entries.size();
    const std::size_t comma_at = skip_blanks(text_, entry.end);
    const bool comma_follows = text_[comma_at] == ',';
    if (starts_line(text_, entry.begin) && comma_follows && ends_line(text_, comma_at + 1)) {
      const std::size_t begin = end_of_previous(text_, line_begin(text_, entry.begin));
      if (begin != std::string_view::npos) {
        put(begin, line_end(text_, comma_at), "");
        continue;
      }
    }
    if (leading && !last && !has_comment(between(entry.end, entries[i + 1].begin))) {
      put(entry.begin, entries[i + 1].begin, "");
    } else if (!leading && !has_comment(between(entries[i - 1].end, entry.begin))) {
      put(entries[i - 1].end, entry.end, "");
    } else if (!leading && starts_line(text_, entry.begin) && ends_line(text_, entry.end)) {
      // The last of lines with comments: its line goes, and the comma of the one before.
      const std::size_t comma_before = skip_to_content(text_, entries[i - 1].end);
      put(comma_before, comma_before + 1, "");
      put(end_of_previous(text_, line_begin(text_, entry.begin)), line_end(text_, entry.end), "");
    } else {
      throw text::Error(tree_.base + entry.begin,
                        "cannot remove this entry: comments stand between its commas",
                        "remove it by hand");
    }
  }
}

}  // namespace gpuspec::yaml
