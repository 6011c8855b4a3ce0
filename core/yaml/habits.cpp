#include "core/yaml/habits.h"

#include <algorithm>

#include "core/yaml/characters.h"
#include "core/yaml/layout.h"
#include "core/yaml/lookup.h"
#include "core/yaml/spelling.h"

namespace gpuspec::yaml {
namespace {

// How far it looks: children of one collection, nodes at the start of the object.
constexpr std::size_t sample_children = 32;
constexpr NodeId sample_nodes = 512;

template <typename T>
void note(std::optional<T>& clue, T seen) {
  if (!clue) clue = std::move(seen);
}

/// Counts how scalars are quoted that could do without.
struct QuoteCount {
  int plain = 0;
  int single = 0;
  int doubled = 0;

  void count(const Tree& tree, NodeId node, bool flow) {
    if (tree[node].kind != Kind::scalar || (tree[node].flags & empty)) return;
    switch (tree[node].style) {
      case Style::plain:
        if (plain_type(tree.raw(node)) == Type::string) ++plain;
        break;
      case Style::single_quoted:
        if (can_be_plain(scalar_text(tree, node), flow)) ++single;
        break;
      case Style::double_quoted:
        if (can_be_plain(scalar_text(tree, node), flow)) ++doubled;
        break;
      default:
        break;
    }
  }
  bool any() const { return plain + single + doubled > 0; }
  Style style() const {
    if (plain > 0 || !any()) return Style::plain;
    return single > doubled ? Style::single_quoted : Style::double_quoted;
  }
};

bool all_keys_double_quoted(const Tree& tree, const std::vector<Entry>& entries) {
  return std::all_of(entries.begin(), entries.end(), [&tree](const Entry& entry) {
    return tree[entry.key].style == Style::double_quoted;
  });
}

/// How the numbers of a mapping are written, and other scalars where there are no numbers.
std::optional<Style> quantity_style(const Tree& tree, NodeId mapping) {
  if (tree[mapping].kind != Kind::mapping) return std::nullopt;
  Style quoted = Style::double_quoted;
  int numbers = 0, quoted_numbers = 0, others = 0, quoted_others = 0;
  for (const Entry& entry : entries_of(tree, mapping, sample_children)) {
    const Node& node = tree[entry.value];
    if (node.kind != Kind::scalar || (node.flags & empty)) continue;
    const bool is_quoted = node.style == Style::single_quoted || node.style == Style::double_quoted;
    if (!is_quoted && node.style != Style::plain) continue;
    if (is_quoted) quoted = node.style;
    const Type type =
        plain_type(is_quoted ? scalar_text(tree, entry.value) : tree.raw(entry.value));
    if (type == Type::integer || type == Type::floating) {
      ++numbers;
      quoted_numbers += is_quoted;
    } else if (type == Type::string) {
      ++others;
      quoted_others += is_quoted;
    }
  }
  if (numbers > 0) return quoted_numbers > 0 ? quoted : Style::plain;
  if (others > 0) return quoted_others == others ? quoted : Style::plain;
  return std::nullopt;
}

/// Keys of a mapping in their order; empty when one of them is no scalar.
std::vector<std::string> keys_of(const Tree& tree, NodeId mapping) {
  std::vector<std::string> keys;
  for (const Entry& entry : entries_of(tree, mapping, sample_children)) {
    if (tree[entry.key].kind != Kind::scalar) return {};
    keys.push_back(scalar_text(tree, entry.key));
  }
  return keys;
}

}  // namespace

void HabitFinder::learn_block(NodeId node, Clues& clues) {
  if (!is_collection(tree_, node) || is_flow(tree_, node) || clues.block_complete()) return;
  const std::vector<Entry> children = entries_of(tree_, node, sample_children);
  if (children.empty()) return;
  const std::string_view text = tree_.text;
  if (tree_[node].kind == Kind::sequence) {
    const Entry& first = children.front();
    const std::size_t dash = tree_[node].begin;
    if (!(tree_[first.value].flags & empty) && first.begin > dash + 1 &&
        !has_break(text.substr(dash, first.begin - dash)))
      note(clues.gap, first.begin - dash - 1);
    return;
  }
  const std::size_t own = column(text, children.front().begin);
  for (const Entry& child : children) {
    if (!is_collection(tree_, child.value) || is_flow(tree_, child.value)) continue;
    if (!starts_line(text, full_begin(tree_, child.value)) &&
        !starts_line(text, tree_[child.value].begin))
      continue;
    const std::size_t inner = column(text, tree_[child.value].begin);
    if (inner < own) continue;
    if (tree_[child.value].kind == Kind::sequence) {
      note(clues.sequence_offset, inner - own);
      learn_block(child.value, clues);
    } else {
      note(clues.step, inner - own);
    }
  }
}

void HabitFinder::learn_flow(NodeId node, Clues& clues) {
  if (!is_collection(tree_, node) || !is_flow(tree_, node)) return;
  const std::vector<Entry> children = entries_of(tree_, node, sample_children);
  if (children.empty()) return;
  const std::string_view text = tree_.text;
  const bool mapping = tree_[node].kind == Kind::mapping;
  const Entry& first = children.front();
  const std::size_t inside = tree_[node].begin + 1;
  if (mapping && !(tree_[first.value].flags & empty)) {
    const std::size_t colon = after_colon(tree_, first.key);
    if (colon != std::string_view::npos)
      note(clues.tight_colon,
           colon < text.size() && !is_space(text[colon]) && !is_break(text[colon]));
  }
  if (children.size() > 1) {
    const std::size_t at = skip_blanks(text, first.end);
    if (at + 1 < text.size() && text[at] == ',' && !is_break(text[at + 1]))
      note(clues.tight_comma, !is_space(text[at + 1]));
  }
  if (!starts_line(text, first.begin)) {
    const bool padded = is_space(text[inside]);
    note(mapping ? clues.padded_mapping : clues.padded_sequence, padded);
    if (!mapping && is_collection(tree_, first.value) && spans_lines(tree_, first.value))
      note(clues.cuddled, true);
  } else if (tree_[node].next != no_node) {
    const std::size_t close = tree_[node].end - 1;
    if (starts_line(text, close)) {
      const std::string_view outer =
          text.substr(line_begin(text, close), close - line_begin(text, close));
      const std::string_view inner =
          text.substr(line_begin(text, first.begin), first.begin - line_begin(text, first.begin));
      if (inner.size() > outer.size() && inner.substr(0, outer.size()) == outer)
        note(clues.flow_step, std::string(inner.substr(outer.size())));
    }
    if (!mapping && is_collection(tree_, first.value)) note(clues.cuddled, false);
    // Only a collection that was seen whole shows its end.
    if (children.size() < sample_children) {
      const std::size_t at = skip_to_content(text, children.back().end);
      note(clues.trailing_comma, at < text.size() && text[at] == ',');
    }
  }
}

std::size_t HabitFinder::enter(const std::vector<NodeId>& path) {
  std::size_t depth = 0;
  if (path.size() > 1 && tree_[path[0]].kind == Kind::sequence) {
    depth = 1;
  } else if (path.size() > 2 && tree_[path[1]].kind == Kind::sequence &&
             find(tree_, path[0], "items").value == path[1]) {
    depth = 2;
  }
  if (path[depth] != object_) {
    object_ = path[depth];
    object_clues_.reset();
    object_order_.reset();
  }
  return depth;
}

NodeId HabitFinder::sample_end() const {
  return std::min(tree_[object_].next, static_cast<NodeId>(object_ + sample_nodes));
}

const HabitFinder::Clues& HabitFinder::object() {
  if (!object_clues_) {
    object_clues_.emplace();
    for (NodeId node = object_; node < sample_end(); ++node) {
      learn_block(node, *object_clues_);
      learn_flow(node, *object_clues_);
    }
  }
  return *object_clues_;
}

Habits HabitFinder::at(const std::vector<NodeId>& path) {
  Clues clues;
  const NodeId here = path.back();
  const bool flow = is_flow(tree_, here);
  const auto outermost = path.rend() - static_cast<std::ptrdiff_t>(enter(path));
  // From the inside out. In each collection around: itself, then what lies in it.
  for (auto node = path.rbegin(); node != outermost; ++node) {
    learn_block(*node, clues);
    if (!flow) {
      if (clues.block_complete()) break;
      continue;
    }
    learn_flow(*node, clues);
    bool nested = false;
    bool nested_lines = false;
    for (const Entry& child : entries_of(tree_, *node, sample_children)) {
      if (!is_collection(tree_, child.value) || tree_[child.value].next == child.value + 1)
        continue;
      learn_flow(child.value, clues);
      nested = true;
      nested_lines = nested_lines || spans_lines(tree_, child.value);
    }
    if (nested && is_flow(tree_, *node)) note(clues.nested_lines, nested_lines);
  }

  Habits habits;
  const auto take = [&](auto Clues::*clue, auto& habit) {
    if (!(clues.*clue)) clues.*clue = object().*clue;
    if (clues.*clue) habit = *(clues.*clue);
  };
  take(&Clues::step, habits.step);
  take(&Clues::sequence_offset, habits.sequence_offset);
  take(&Clues::gap, habits.gap);
  if (flow) {
    take(&Clues::trailing_comma, habits.trailing_comma);
    take(&Clues::tight_colon, habits.tight_colon);
    habits.tight_comma = habits.tight_colon;
    take(&Clues::tight_comma, habits.tight_comma);
    take(&Clues::padded_mapping, habits.padded_mapping);
    take(&Clues::padded_sequence, habits.padded_sequence);
    take(&Clues::flow_step, habits.flow_step);
    habits.cuddled = habits.trailing_comma;  // what kubectl -o kyaml does
    take(&Clues::cuddled, habits.cuddled);
    habits.multi_line =
        clues.nested_lines.value_or(is_flow(tree_, object_) && spans_lines(tree_, object_));
  }
  quotes(path, habits);
  habits.quantities = quantities(path, habits);
  return habits;
}

/// Quotes of keys and strings: those of the collection itself, or of the last item of a sequence.
/// In flow style, where whole documents are quoted, the collections around count, too.
void HabitFinder::quotes(const std::vector<NodeId>& path, Habits& habits) {
  QuoteCount keys;
  QuoteCount strings;
  const auto outermost = path.rend() - static_cast<std::ptrdiff_t>(enter(path));
  for (auto node = path.rbegin(); node != outermost; ++node) {
    const bool flow = is_flow(tree_, *node);
    if (node != path.rbegin() && !flow) break;
    QuoteCount keys_here;
    QuoteCount strings_here;
    const auto count_mapping = [&](NodeId mapping) {
      const std::vector<Entry> entries = entries_of(tree_, mapping, sample_children);
      for (const Entry& entry : entries) {
        keys_here.count(tree_, entry.key, flow);
        strings_here.count(tree_, entry.value, flow);
      }
      if (flow && !entries.empty() && all_keys_double_quoted(tree_, entries)) habits.json = true;
    };
    if (tree_[*node].kind == Kind::mapping) {
      count_mapping(*node);
    } else {
      for (const Entry& item : entries_of(tree_, *node, sample_children)) {
        if (tree_[item.value].kind == Kind::mapping) {
          count_mapping(item.value);
        } else {
          strings_here.count(tree_, item.value, flow);
        }
      }
    }
    if (!keys.any()) keys = keys_here;
    if (!strings.any()) strings = strings_here;
    if (habits.json || (keys.any() && strings.any())) break;
  }
  habits.keys = habits.json ? Style::double_quoted : keys.style();
  habits.strings = habits.json ? Style::double_quoted : strings.style();
}

Style HabitFinder::quantities(const std::vector<NodeId>& path, const Habits& habits) {
  if (const auto style = quantity_style(tree_, path.back())) return *style;
  const auto among_children = [&](NodeId mapping) -> std::optional<Style> {
    for (const Entry& child : entries_of(tree_, mapping, sample_children))
      if (const auto style = quantity_style(tree_, child.value)) return style;
    return std::nullopt;
  };
  if (const auto style = among_children(path.back())) return *style;
  if (path.size() > 1 && tree_[path[path.size() - 2]].kind == Kind::mapping)
    if (const auto style = among_children(path[path.size() - 2])) return *style;
  // kubectl prints quantities as strings where it quotes all strings.
  return is_flow(tree_, path.back()) ? habits.strings : Style::plain;
}

Order HabitFinder::order(const std::vector<NodeId>& path, const std::vector<std::string>& keys) {
  if (keys.size() != 1) return order_of(keys);
  enter(path);
  if (!object_order_) {
    // One mapping out of order, or too little to go by, and the object is not sorted.
    object_order_ = Order::none;
    Order common = Order::natural;
    std::size_t sorted_keys = 0;
    for (NodeId node = object_; node < sample_end() && common != Order::none; ++node) {
      if (tree_[node].kind != Kind::mapping) continue;
      const std::vector<std::string> there = keys_of(tree_, node);
      if (there.size() < 2) continue;
      sorted_keys += there.size();
      common = order_of(there);
    }
    if (sorted_keys > 8) object_order_ = common;
  }
  return *object_order_;
}

}  // namespace gpuspec::yaml
