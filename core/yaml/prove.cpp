#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/text/error.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

// The proof of an edit. It reads the result and compares it with what was there and what was meant;
// it knows nothing of how edits are placed and spelled.
namespace gpuspec::yaml {
namespace {

class Prover {
 public:
  Prover(const Changes& changes, const Tree& after)
      : changes_(changes), before_(changes.tree()), after_(after) {}

  std::string run() { return same_as_changed(0, 0) ? std::string() : difference(); }

 private:
  // Each of these compares a node of the result with what it should be, and notes the first
  // difference on its way back.

  /// A node as it was, with the changes in it.
  bool same_as_changed(NodeId old, NodeId now) {
    auto change = changes_.nodes().lower_bound(old);
    if (change == changes_.nodes().end() || change->first >= before_[old].next) {
      // Nothing was meant to change here. Anchors may have moved, the meaning may not.
      return same(old, now, true);
    }
    const NodeChange* own = change->first == old ? &change->second : nullptr;
    if (own && own->replaced) return same_as_value(*own->replaced, now);
    now = after_.resolve(now);
    if (before_[old].kind != after_[now].kind) return differ(now, "it has become something else");
    if (!same_tag(old, now)) return differ(now, "its tag is another one");
    return before_[old].kind == Kind::mapping ? same_mapping(old, own, now)
                                              : same_sequence(old, own, now);
  }

  bool same_mapping(NodeId old, const NodeChange* change, NodeId now) {
    NodeId key = first_child(before_, old);
    std::vector<bool> seen(change ? change->added.size() : 0);
    const auto skip_removed = [&] {
      while (key != no_node && change && contains(change->removed, key))
        key = next_sibling(before_, old, value_of(before_, key));
    };
    skip_removed();
    for (NodeId k = first_child(after_, now); k != no_node;
         k = next_sibling(after_, now, value_of(after_, k))) {
      const NodeId v = value_of(after_, k);
      // An entry is the next of the old ones or one of the new ones.
      if (key != no_node && same_key(key, change, k)) {
        if (!same_as_changed(value_of(before_, key), v)) return inside(k);
        key = next_sibling(before_, old, value_of(before_, key));
        skip_removed();
        continue;
      }
      bool found = false;
      for (std::size_t i = 0; change && !found && i < change->added.size(); ++i) {
        const auto& [name, value] = change->added[i];
        if (seen[i] || !is_string(k, name)) continue;
        if (!same_as_value(value, v)) return inside(k);
        found = seen[i] = true;
      }
      if (!found) return differ(k, "it was not meant to be here");
    }
    if (key != no_node) return differ(now, "the entry " + key_text(before_, key) + " is gone");
    for (std::size_t i = 0; i < seen.size(); ++i)
      if (!seen[i]) return differ(now, "the new entry " + change->added[i].first + " is missing");
    return true;
  }

  bool same_key(NodeId old, const NodeChange* change, NodeId now) {
    if (change) {
      for (const auto& [key, to] : change->renamed)
        if (key == old) return is_string(now, to);
    }
    const bool equal = same_as_changed(old, now);
    if (!equal) {
      forget();
      equal_.clear();
    }
    return equal;
  }

  bool same_sequence(NodeId old, const NodeChange* change, NodeId now) {
    std::size_t index = 0;
    NodeId item = first_child(after_, now);
    for (NodeId o = first_child(before_, old); o != no_node; o = next_sibling(before_, old, o)) {
      if (item == no_node) return differ(now, "an item is gone");
      if (!same_as_changed(o, item)) return inside(index);
      item = next_sibling(after_, now, item);
      ++index;
    }
    for (std::size_t i = 0; change && i < change->appended.size(); ++i, ++index) {
      if (item == no_node) return differ(now, "a new item is missing");
      if (!same_as_value(change->appended[i], item)) return inside(index);
      item = next_sibling(after_, now, item);
    }
    return item == no_node || differ(item, "it was not meant to be here");
  }

  /// A node as it was read. `strict`: at its own place, where an alias must not become another
  /// node's meaning and anchors count; else only the meaning.
  bool same(NodeId old, NodeId now, bool strict) {
    if (strict && before_[old].kind == Kind::alias && after_[now].kind == Kind::alias &&
        before_.raw(old) != after_.raw(now))
      return differ(now, "the alias has another name");
    const bool followed = before_[old].kind == Kind::alias || after_[now].kind == Kind::alias;
    old = before_.resolve(old);
    now = after_.resolve(now);
    if (followed || !strict) {
      // What aliases name is compared once for each pair: aliases may multiply without end.
      if (!equal_.insert(std::uint64_t{old} << 32 | now).second) return true;
      strict = false;
    }
    if (before_[old].kind != after_[now].kind) return differ(now, "it has become something else");
    if (!same_tag(old, now)) return differ(now, "its tag is another one");
    if (before_[old].kind == Kind::scalar) return same_scalar(old, now);
    NodeId child = first_child(after_, now);
    std::size_t index = 0;
    NodeId key = no_node;
    for (NodeId o = first_child(before_, old); o != no_node; o = next_sibling(before_, old, o)) {
      if (child == no_node) return differ(now, "something is gone");
      if (!same(o, child, strict)) {
        if (before_[old].kind == Kind::sequence) return inside(index);
        return index % 2 == 1 ? inside(key) : false;
      }
      if (index % 2 == 0) key = child;
      child = next_sibling(after_, now, child);
      ++index;
    }
    return child == no_node || differ(child, "it was not meant to be here");
  }

  bool same_scalar(NodeId old, NodeId now) {
    const Node& a = before_[old];
    const Node& b = after_[now];
    const bool block = a.style == Style::literal || a.style == Style::folded;
    // The value of a plain or quoted scalar depends on its characters only.
    if (a.style == b.style && !block && before_.raw(old) == after_.raw(now)) return true;
    const Type type = type_of(before_, old);
    if (type != type_of(after_, now)) return differ(now, "its type is another one");
    if (type == Type::null) return true;
    return scalar_text(before_, old, buffer_a_) == scalar_text(after_, now, buffer_b_) ||
           differ(now, "its text is another one");
  }

  bool same_as_value(const Value& value, NodeId now) {
    if (value.kind == Value::Kind::alias) return same(value.target, now, false);
    now = after_.resolve(now);
    const Node& node = after_[now];
    if (value.is_mapping()) {
      if (node.kind != Kind::mapping) return differ(now, "it should be a mapping");
      NodeId key = first_child(after_, now);
      for (const auto& [name, entry] : value.entries) {
        if (key == no_node) return differ(now, "a new entry is missing");
        if (!same_as_value(name, key)) return differ(key, "its key is another one");
        const NodeId v = value_of(after_, key);
        if (!same_as_value(entry, v)) return inside(key);
        key = next_sibling(after_, now, v);
      }
      if (key != no_node) return differ(key, "it was not meant to be here");
    } else if (value.is_sequence()) {
      if (node.kind != Kind::sequence) return differ(now, "it should be a sequence");
      NodeId item = first_child(after_, now);
      for (std::size_t i = 0; i < value.items.size(); ++i) {
        if (item == no_node) return differ(now, "a new item is missing");
        if (!same_as_value(value.items[i], item)) return inside(i);
        item = next_sibling(after_, now, item);
      }
      if (item != no_node) return differ(item, "it was not meant to be here");
    } else if (!same_as_scalar(value, now)) {
      return false;
    }
    const Properties* props = after_.properties(now);
    return (props ? props->tag : std::string_view()) == value.tag ||
           differ(now, "its tag is another one");
  }

  bool same_as_scalar(const Value& value, NodeId now) {
    if (after_[now].kind != Kind::scalar) return differ(now, "it should be a scalar");
    const std::string_view text = scalar_text(after_, now, buffer_b_);
    if (!value.tag.empty()) return text == value.text || differ(now, "its text is another one");
    const Type type = type_of(after_, now);
    switch (value.kind) {
      case Value::Kind::plain:
        if (type != plain_type(value.text)) return differ(now, "its type is another one");
        if (type == Type::null) return true;
        break;
      case Value::Kind::quantity:
        if (type == Type::null || type == Type::boolean)
          return differ(now, "it should be a quantity");
        break;
      default:
        if (type != Type::string) return differ(now, "it should be a string");
    }
    return text == value.text || differ(now, "its text is another one");
  }

  bool same_tag(NodeId old, NodeId now) {
    const Properties* a = before_.properties(old);
    const Properties* b = after_.properties(now);
    return (a ? a->tag : std::string_view()) == (b ? b->tag : std::string_view());
  }

  bool is_string(NodeId now, std::string_view text) {
    now = after_.resolve(now);
    return after_[now].kind == Kind::scalar && type_of(after_, now) == Type::string &&
           scalar_text(after_, now, buffer_b_) == text;
  }

  static bool contains(const std::vector<NodeId>& nodes, NodeId node) {
    for (const NodeId n : nodes)
      if (n == node) return true;
    return false;
  }

  static std::string key_text(const Tree& tree, NodeId key) {
    key = tree.resolve(key);
    return tree[key].kind == Kind::scalar ? scalar_text(tree, key) : std::string("?");
  }

  bool differ(NodeId, std::string what) {
    what_ = std::move(what);
    path_.clear();
    return false;
  }
  bool inside(NodeId key) {
    path_.insert(0, key_text(after_, key)).insert(0, 1, '.');
    return false;
  }
  bool inside(std::size_t index) {
    path_.insert(0, std::to_string(index).append("]")).insert(0, 1, '[');
    return false;
  }
  void forget() {
    what_.clear();
    path_.clear();
  }
  std::string difference() const {
    const std::string path = path_.empty() || path_.front() != '.' ? path_ : path_.substr(1);
    return (path.empty() ? "the document" : path) + ": " + what_;
  }

  const Changes& changes_;
  const Tree& before_;
  const Tree& after_;
  std::unordered_set<std::uint64_t> equal_;
  std::string what_, path_;
  std::string buffer_a_, buffer_b_;
};

}  // namespace

std::string prove(const Changes& changes, std::string_view edited) {
  Tree after;
  try {
    read_document(edited, 0, after);
  } catch (const text::Error& error) {
    return std::string("the result cannot be read: ") + error.what();
  }
  return Prover(changes, after).run();
}

}  // namespace gpuspec::yaml
