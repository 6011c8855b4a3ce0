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
  for (const Group& group : groups(entries, change)) insert_in_flow(entries, group, bare, habits);
  if (bare) put(tree_[node].end, tree_[node].end, "}");
}

/// New entries on the line of their predecessor, or on lines of their own when it has its own.
void Editor::insert_in_flow(const std::vector<Entry>& entries, const Group& group, bool bare,
                            Habits& habits) {
  const bool before = group.after == no_entry;
  const Entry& entry = before ? entries.front() : entries[group.after];
  const bool own_line = !bare && starts_line(text_, entry.begin);
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
  const bool joined = joined_.count(entry.value) != 0;
  const bool same_line = !own_line || (comma_follows && !joined && !ends_line(text_, next + 1));
  if (same_line || joined) {
    put(entry.end, entry.end, each(same_line ? std::string(comma(habits)) : "," + line, ""));
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

/// All entries of a collection go, others may come.
void Editor::refill_flow(NodeId node, const Value& value) {
  path_.push_back(node);
  Habits habits = habits_.at(path_);
  path_.pop_back();
  const std::size_t end = tree_[node].end;
  std::string_view indent;
  habits.multi_line = starts_line(text_, entries_of(tree_, node, 1).front().begin);
  if (habits.multi_line) {
    indent = indent_at(end - 1);
    habits.newline = newline_near(text_, tree_[node].begin);
  }
  put(tree_[node].begin, end, flow_value(value, indent, habits));
}

/// Entries go with their comma, and with their line where it is theirs alone.
void Editor::remove_flow(const std::vector<Entry>& entries, const std::set<NodeId>& removed) {
  for (std::size_t i = 0; i < entries.size(); ++i) {
    if (!removed.count(entries[i].key)) continue;
    std::size_t last = i;
    while (last + 1 < entries.size() && removed.count(entries[last + 1].key)) ++last;
    remove_flow_run(entries, i, last);
    i = last;
  }
}

/// The entries from `first` to `last`, while at least one stays.
void Editor::remove_flow_run(const std::vector<Entry>& entries, std::size_t first,
                             std::size_t last) {
  bool lines = true;   // each stands on lines of its own
  bool commas = true;  // and has a comma there
  for (std::size_t i = first; i <= last; ++i) {
    const std::size_t after = skip_blanks(text_, entries[i].end);
    const bool comma_follows = after < text_.size() && text_[after] == ',';
    commas = commas && comma_follows;
    lines = lines && starts_line(text_, entries[i].begin) &&
            ends_line(text_, comma_follows ? after + 1 : entries[i].end);
  }
  const auto remove_lines = [&] {
    for (std::size_t i = first; i <= last; ++i) {
      const std::size_t begin = line_begin(text_, entries[i].begin);
      put(end_of_previous(text_, begin), line_end(text_, entries[i].end), "");
    }
  };
  const bool at_start = first == 0;
  const bool at_end = last + 1 == entries.size();
  const std::size_t begin = at_start ? entries[first].begin : entries[first - 1].end;
  const std::size_t end = at_start && !at_end ? entries[last + 1].begin : entries[last].end;
  // Comments between entries, not those inside them.
  bool comments = false;
  for (std::size_t i = first; i <= last + 1 && i < entries.size(); ++i) {
    if (i == 0 || (i == last + 1 && !at_start)) continue;
    const std::size_t from = entries[i - 1].end;
    comments = comments || has_comment(text_.substr(from, entries[i].begin - from));
  }
  if (lines && commas &&
      end_of_previous(text_, line_begin(text_, entries[first].begin)) != std::string_view::npos) {
    remove_lines();
  } else if (!comments) {
    put(begin, end, "");
    if (!at_start) joined_.insert(entries[first - 1].value);
  } else if (lines && at_end && !at_start) {
    // The comma before goes, too; comments stay.
    const std::size_t comma_before = skip_to_content(text_, entries[first - 1].end);
    put(comma_before, comma_before + 1, "");
    remove_lines();
    joined_.insert(entries[first - 1].value);
  } else {
    throw text::Error(tree_.base + entries[first].begin,
                      "cannot remove this entry: comments stand between its commas",
                      "remove it by hand");
  }
}

}  // namespace gpuspec::yaml
