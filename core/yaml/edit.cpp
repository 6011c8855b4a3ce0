#include "core/yaml/edit.h"

#include <algorithm>

#include "core/text/error.h"
#include "core/yaml/characters.h"
#include "core/yaml/edit_impl.h"
#include "core/yaml/lookup.h"

namespace gpuspec::yaml {

Editor::Editor(const Changes& changes)
    : tree_(changes.tree()), text_(tree_.text), plan_(keep_meanings(changes)), habits_(tree_) {}

void Editor::run() {
  if (plan_.nodes.empty()) return;
  removes_ = std::any_of(plan_.nodes.begin(), plan_.nodes.end(),
                         [](const auto& change) { return !change.second.removed.empty(); });
  visit(0, no_node);
  // Insertions at one place stay in the order in which they were made, and come before what starts
  // there.
  std::stable_sort(pieces_.begin(), pieces_.end(), [](const Piece& a, const Piece& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.end < b.end;
  });
  std::vector<Piece> merged;
  for (Piece& piece : pieces_) {
    if (!merged.empty() && piece.begin < merged.back().end) {
      throw text::Error(tree_.base + piece.begin, "two changes meet in the same text",
                        "make one of them by hand");
    }
    if (!merged.empty() && piece.begin == merged.back().end) {
      merged.back().end = piece.end;
      merged.back().text += piece.text;
    } else {
      merged.push_back(std::move(piece));
    }
  }
  std::erase_if(merged, [this](const Piece& piece) {
    return text_.substr(piece.begin, piece.end - piece.begin) == piece.text;
  });
  pieces_ = std::move(merged);
}

std::vector<Edit> Editor::edits() const {
  std::vector<Edit> edits;
  edits.reserve(pieces_.size());
  for (const Piece& piece : pieces_)
    edits.push_back({tree_.base + piece.begin, tree_.base + piece.end, piece.text});
  return edits;
}

std::size_t Editor::offset_of(NodeId node) const {
  const auto piece = first_piece_.find(node);
  return tree_.base + (piece == first_piece_.end() ? tree_[node].begin : piece->second);
}

void Editor::visit(NodeId node, NodeId key) {
  const auto change = plan_.nodes.find(node);
  if (change != plan_.nodes.end() && change->second.replaced) {
    current_ = node;
    replace(node, key, *change->second.replaced);
    return;
  }
  const bool changes = change != plan_.nodes.end() && !change->second.none();
  const std::vector<Entry> entries = changes ? entries_of(tree_, node) : std::vector<Entry>();
  current_ = node;
  if (!entries.empty() && change->second.removed.size() == entries.size()) {
    empty_out(node, key, change->second);
    return;
  }
  if (plan_.detached.count(node)) drop_anchor(node);
  if (!is_collection(tree_, node)) return;
  path_.push_back(node);
  visit_children(node);
  current_ = node;
  if (changes) change_collection(node, entries, change->second);
  path_.pop_back();
}

/// All entries of a mapping go; others may come.
void Editor::empty_out(NodeId node, NodeId key, const NodeChange& change) {
  Value left = Value::mapping();
  for (const auto& [name, value] : change.added)
    left.entries.emplace_back(Value::string(name), value);
  if (is_flow(tree_, node)) {
    if (plan_.detached.count(node)) drop_anchor(node);
    refill_flow(node, left);
  } else {
    if (const Properties* props = tree_.properties(node)) left.tag = props->tag;
    replace(node, key, std::move(left));
  }
}

/// Goes on to the children that have changes in them.
void Editor::visit_children(NodeId collection) {
  const bool mapping = tree_[collection].kind == Kind::mapping;
  const auto own = plan_.nodes.find(collection);
  const auto is_removed = [&](NodeId key) {
    return own != plan_.nodes.end() &&
           std::count(own->second.removed.begin(), own->second.removed.end(), key) > 0;
  };
  auto change = plan_.nodes.upper_bound(collection);
  for (NodeId child = first_child(tree_, collection); child != no_node;) {
    if (change == plan_.nodes.end() || change->first >= tree_[collection].next) break;
    const NodeId key = mapping ? child : no_node;
    const NodeId value = mapping ? value_of(tree_, child) : child;
    const NodeId next = tree_[value].next;
    if (change->first < next) {
      if (!mapping || !is_removed(key)) {
        if (mapping && change->first < value) visit(key, no_node);
        change = plan_.nodes.lower_bound(value);
        if (change != plan_.nodes.end() && change->first < next) visit(value, key);
      }
      change = plan_.nodes.lower_bound(next);
    }
    child = next_sibling(tree_, collection, value);
  }
}

void Editor::change_collection(NodeId node, const std::vector<Entry>& entries,
                               const NodeChange& change) {
  const std::set<NodeId> removed(change.removed.begin(), change.removed.end());
  const bool flow = is_flow(tree_, node);
  for (const auto& [key, to] : change.renamed) rename(key, to);
  if (!removed.empty()) {
    flow ? remove_flow(entries, removed) : remove_block(entries, removed);
  }
  if (change.added.empty() && change.appended.empty()) return;
  std::vector<Entry> staying;
  for (const Entry& entry : entries)
    if (!removed.count(entry.key)) staying.push_back(entry);
  flow ? add_flow(node, staying, change) : add_block(node, staying, change);
}

/// The new entries of a collection by the place they go to.
std::vector<Editor::Group> Editor::groups(const std::vector<Entry>& entries,
                                          const NodeChange& change) {
  std::vector<Group> groups;
  const std::size_t last = entries.size() - 1;
  if (!change.appended.empty()) {
    Group group{last, {}};
    for (const Value& item : change.appended) group.values.push_back({nullptr, &item});
    groups.push_back(std::move(group));
    return groups;
  }
  const bool dash_line = !is_flow(tree_, path_.back()) &&
                         !starts_line(text_, entries_of(tree_, path_.back(), 1).front().begin);
  std::vector<std::string> keys;
  for (const Entry& entry : entries) {
    if (tree_[entry.key].kind != Kind::scalar) break;
    keys.push_back(scalar_text(tree_, entry.key));
  }
  const Order order = keys.size() == entries.size() ? habits_.order(path_, keys) : Order::none;
  std::vector<const std::pair<std::string, Value>*> added;
  for (const auto& entry : change.added) added.push_back(&entry);
  if (order != Order::none) {
    std::stable_sort(added.begin(), added.end(), [order](const auto* a, const auto* b) {
      return comes_before(order, a->first, b->first);
    });
  }
  for (const auto* entry : added) {
    std::size_t after = last;
    if (order != Order::none) {
      const auto next = std::find_if(keys.begin(), keys.end(), [&](const std::string& key) {
        return comes_before(order, entry->first, key);
      });
      after = next == keys.begin() ? no_entry : static_cast<std::size_t>(next - keys.begin()) - 1;
    }
    // The line of a dash stays as it is: nothing goes before an entry that stands on it.
    if (after == no_entry && dash_line) after = 0;
    if (groups.empty() || groups.back().after != after) groups.push_back({after, {}});
    groups.back().values.push_back({&entry->first, &entry->second});
  }
  return groups;
}

void Editor::rename(NodeId key, const std::string& to) {
  const Node& node = tree_[key];
  const bool quoted = node.style == Style::single_quoted || node.style == Style::double_quoted;
  const Style quotes = node.kind == Kind::scalar && quoted ? node.style : Style::plain;
  std::string text = spell_key(to, quotes, is_flow(tree_, path_.back()));
  const Properties* props = tree_.properties(key);
  if (props && !props->anchor.empty() && !plan_.detached.count(key))
    text.insert(0, std::string("&").append(props->anchor).append(" "));
  put(full_begin(tree_, key), full_end(tree_, key), std::move(text));
}

void Editor::drop_anchor(NodeId node) {
  const Properties& props = *tree_.properties(node);
  std::size_t begin = static_cast<std::size_t>(props.anchor.data() - text_.data()) - 1;
  std::size_t end = begin + 1 + props.anchor.size();
  if (!ends_line(text_, end)) {
    end = skip_blanks(text_, end);
  } else if (!starts_line(text_, begin)) {
    while (is_space(text_[begin - 1])) --begin;
  }
  put(begin, end, "");
}

/// Whether a block scalar may end at a line end. It takes blank lines and comments that follow for
/// its own; at the end of the text it loses its line break. What follows is not known when entries
/// are removed as well.
bool Editor::may_use_literals(std::size_t at, bool content_follows) const {
  return at < text_.size() && (content_follows || (!removes_ && !has_loose_lines(text_, at)));
}

void Editor::put(std::size_t begin, std::size_t end, std::string text) {
  const auto [first, fresh] = first_piece_.emplace(current_, begin);
  if (!fresh) first->second = std::min(first->second, begin);
  pieces_.push_back({begin, end, std::move(text)});
}

std::vector<Edit> edits_for(const Changes& changes, std::vector<std::size_t>* offsets) {
  Editor editor(changes);
  editor.run();
  if (offsets) {
    offsets->clear();
    for (const Change& change : changes.asked()) offsets->push_back(editor.offset_of(change.at));
  }
  return editor.edits();
}

std::vector<std::size_t> change_offsets(const Changes& changes) {
  std::vector<std::size_t> offsets;
  edits_for(changes, &offsets);
  return offsets;
}

std::string apply(std::string_view text, std::size_t base, const std::vector<Edit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += text.substr(at, edit.begin - base - at);
    out += edit.text;
    at = edit.end - base;
  }
  return out += text.substr(at);
}

}  // namespace gpuspec::yaml
