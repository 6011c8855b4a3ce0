#include "core/yaml/anchors.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <unordered_map>

#include "core/text/error.h"
#include "core/yaml/reader.h"

namespace gpuspec::yaml {
namespace {

/// Values that copies of anchored nodes may add up to in one document.
constexpr std::size_t max_copied = 200'000;

class Keeper {
 public:
  explicit Keeper(const Changes& changes) : tree_(changes.tree()) { plan_.nodes = changes.nodes(); }

  Plan run() {
    find_gone();
    for (const Properties& props : tree_.props)
      if (!props.anchor.empty()) anchors_[props.anchor].push_back(props.node);
    for (const AliasTarget& alias : tree_.aliases)
      if (!is_gone(alias.alias) && is_changed(alias.target)) take_over(alias);
    for (auto& [node, change] : plan_.nodes) {
      // What is added stands somewhere in the collection, what replaces stands in its place.
      if (change.replaced) keep(*change.replaced, node, node);
      for (auto& [key, value] : change.added) keep(value, node, tree_[node].next);
      for (Value& item : change.appended) keep(item, node, tree_[node].next);
    }
    return std::move(plan_);
  }

 private:
  struct Range {
    NodeId begin, end;
  };

  /// Stretches of nodes that are not in the result: removed entries, replaced nodes.
  void find_gone() {
    for (const auto& [node, change] : plan_.nodes) {
      for (const auto& [key, to] : change.renamed) renamed_.insert(key);
      if (change.replaced) gone_.push_back({node, tree_[node].next});
      for (const NodeId key : change.removed)
        gone_.push_back({key, tree_[value_of(tree_, key)].next});
    }
    std::sort(gone_.begin(), gone_.end(), [](const Range& a, const Range& b) {
      return a.begin != b.begin ? a.begin < b.begin : a.end > b.end;
    });
    // Nested ones are within their predecessor: keep the outermost.
    std::vector<Range> outermost;
    for (const Range& range : gone_)
      if (outermost.empty() || range.begin >= outermost.back().end) outermost.push_back(range);
    gone_ = std::move(outermost);
  }

  bool is_gone(NodeId node) const {
    const auto after =
        std::upper_bound(gone_.begin(), gone_.end(), node,
                         [](NodeId n, const Range& range) { return n < range.begin; });
    return after != gone_.begin() && node < std::prev(after)->end;
  }

  /// Whether the node's meaning is another one in the result, or the node is not there.
  bool is_changed(NodeId target) {
    const auto known = changed_.find(target);
    if (known != changed_.end()) return known->second;
    bool changed = is_gone(target) || renamed_.count(target) > 0;
    for (auto change = plan_.nodes.lower_bound(target);
         !changed && change != plan_.nodes.end() && change->first < tree_[target].next; ++change)
      changed = !change->second.none() && !taken_over_.count(change->first);
    return changed_[target] = changed;
  }

  void take_over(const AliasTarget& alias) {
    if (!first_user_.emplace(alias.target, alias.alias).second) return;
    const Properties& props = *tree_.properties(alias.target);
    Value value = copy(alias.target, alias.alias);
    value.anchor = props.anchor;
    plan_.nodes[alias.alias].replaced = std::move(value);
    taken_over_.insert(alias.alias);
    plan_.detached.insert(alias.target);
  }

  Value copy(NodeId target, NodeId user) {
    copied_ += tree_[target].next - target;
    if (copied_ > max_copied) {
      throw text::Error(tree_.base + tree_[user].begin,
                        "the aliases here stand for too much text to copy",
                        "write the pod spec out instead of composing it from aliases");
    }
    return copy_of(tree_, target);
  }

  /// Whether `*name` means the target, as it was read, for something that stands between the nodes
  /// `begin` and `end`.
  bool names(NodeId target, std::string_view name, NodeId begin, NodeId end) {
    NodeId from = target;
    if (is_changed(target)) {
      const auto user = first_user_.find(target);
      if (user == first_user_.end()) return false;
      from = user->second;
    }
    if (from >= begin) return false;
    const std::vector<NodeId>& same = anchors_[name];
    return std::none_of(same.begin(), same.end(), [&](NodeId other) {
      return other != target && other > from && other < std::max(begin, end);
    });
  }

  void keep(Value& value, NodeId begin, NodeId end, int depth = 0) {
    if (value.kind == Value::Kind::alias) {
      if (names(value.target, value.text, begin, end)) return;
      value = copy(value.target, begin);
    }
    if (depth > max_depth) {
      throw text::Error(tree_.base + tree_[begin].begin,
                        "nested more than " + std::to_string(max_depth) + " levels deep");
    }
    for (auto& [key, entry] : value.entries) {
      keep(key, begin, end, depth + 1);
      keep(entry, begin, end, depth + 1);
    }
    for (Value& item : value.items) keep(item, begin, end, depth + 1);
  }

  const Tree& tree_;
  Plan plan_;
  std::vector<Range> gone_;
  std::set<NodeId> renamed_;
  std::map<NodeId, bool> changed_;
  std::map<NodeId, NodeId> first_user_;  ///< of a changed target: the alias that took over
  std::set<NodeId> taken_over_;
  std::unordered_map<std::string_view, std::vector<NodeId>> anchors_;
  std::size_t copied_ = 0;
};

}  // namespace

Plan keep_meanings(const Changes& changes) {
  if (changes.tree().aliases.empty()) return {changes.nodes(), {}};
  return Keeper(changes).run();
}

}  // namespace gpuspec::yaml
