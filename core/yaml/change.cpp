#include "core/yaml/change.h"

#include <algorithm>
#include <charconv>

#include "core/text/error.h"
#include "core/yaml/lookup.h"

namespace gpuspec::yaml {
namespace {

constexpr std::string_view merge_key = "<<";

/// N of a key "[N]".
std::optional<std::size_t> index_of(std::string_view key) {
  if (key.size() < 3 || key.front() != '[' || key.back() != ']') return std::nullopt;
  std::size_t index = 0;
  const char* end = key.data() + key.size() - 1;
  const auto result = std::from_chars(key.data() + 1, end, index);
  if (result.ec != std::errc() || result.ptr != end) return std::nullopt;
  return index;
}

/// The key "[N]".
std::string item_key(std::size_t index) {
  std::string key = std::to_string(index);
  key.insert(key.begin(), '[');
  return key += ']';
}

NodeId item_at(const Tree& tree, NodeId sequence, std::size_t index) {
  NodeId item = first_child(tree, sequence);
  for (; item != no_node && index > 0; --index) item = next_sibling(tree, sequence, item);
  return item;
}

bool is_merge_key(const Tree& tree, NodeId key) {
  return tree[key].kind == Kind::scalar && tree[key].style == Style::plain &&
         tree.raw(key) == merge_key;
}

bool is_merge_key(const Value& key) {
  return key.kind == Value::Kind::plain && key.text == merge_key;
}

std::string join(std::string path, std::string_view key) {
  if (!path.empty() && !index_of(key)) path += '.';
  return path += key;
}

}  // namespace

Place Place::operator/(std::string_view key) const {
  Place place = *this;
  place.keys.emplace_back(key);
  return place;
}

Place below(const Tree& tree, const Place& place, std::string_view key) {
  if (place.keys.empty()) {
    if (tree[place.node].kind == Kind::sequence) {
      const auto index = index_of(key);
      const NodeId item = index ? item_at(tree, place.node, *index) : no_node;
      if (item != no_node) return {item, {}};
    } else if (tree[place.node].kind == Kind::mapping) {
      if (const Found found = find(tree, place.node, key); found && !found.merged)
        return {found.value, {}};
    }
  }
  return place / key;
}

NodeId node_at(const Tree& tree, const Place& place) {
  NodeId node = tree.resolve(place.node);
  for (const std::string& key : place.keys) {
    const auto index = tree[node].kind == Kind::sequence ? index_of(key) : std::nullopt;
    node = index ? item_at(tree, node, *index) : get(tree, node, key);
    if (node == no_node) return no_node;
    node = tree.resolve(node);
  }
  return node;
}

namespace {

/// The keys that lead from one node down to another.
std::vector<std::string> keys_to(const Tree& tree, NodeId from, NodeId node) {
  std::vector<std::string> keys;
  for (NodeId at = from; at != node;) {
    NodeId child = first_child(tree, at);
    if (child == no_node) break;
    if (tree[at].kind == Kind::sequence) {
      std::size_t index = 0;
      for (; tree[child].next <= node; child = tree[child].next) ++index;
      keys.push_back(item_key(index));
    } else {
      while (tree[value_of(tree, child)].next <= node) child = tree[value_of(tree, child)].next;
      const NodeId key = tree.resolve(child);
      keys.push_back(tree[key].kind == Kind::scalar ? scalar_text(tree, key) : std::string("?"));
      if (tree[child].next > node) break;  // the key itself
      child = value_of(tree, child);
    }
    at = child;
  }
  return keys;
}

}  // namespace

std::string path_to(const Tree& tree, NodeId node) {
  std::string path;
  for (const std::string& key : keys_to(tree, 0, node)) path = join(std::move(path), key);
  return path;
}

/// Where a walk down a Place has got to, in the document as it will be: a node of the tree, or a
/// value that exists in memory only.
struct Cursor {
  NodeId node = no_node;
  Value* value = nullptr;  ///< when not null, `node` is the node whose change holds it
  bool original = false;   ///< behind an alias: changes made elsewhere do not show
};

/// The way down a Place, reading or writing. Reading never changes anything; writing makes what is
/// missing and copies what is shared.
class Changes::Walker {
 public:
  explicit Walker(Changes& changes) : changes_(changes), tree_(*changes.tree_) {}

  std::optional<Cursor> start(NodeId node);
  std::optional<Cursor> look(const Place& place);
  std::optional<Cursor> find(Cursor at, std::string_view key);
  bool means(const Cursor& at, const Value& value);

  enum class Want { mapping, sequence };
  Cursor reach(const Place& place, Want want);
  void put(const Cursor& mapping, std::string_view key, Value value);
  void append(const Cursor& sequence, Value item);
  void remove(const Cursor& mapping, std::string_view key);
  void rename(const Cursor& mapping, std::string_view key, std::string_view to);
  bool is_empty(const Cursor& at);

 private:
  Cursor at(NodeId node);
  NodeChange* change_of(const Cursor& at);
  void forget(NodeId begin, NodeId end);
  NodeId explicit_key(const Cursor& mapping, std::string_view key);
  std::optional<Cursor> find_merged(const Cursor& mapping, std::string_view key);
  std::optional<Cursor> find_in_merge(const Cursor& merged, std::string_view key);
  Value copy(const Cursor& at);
  Cursor child(const Cursor& parent, std::string_view key);
  template <typename Path>
  void become(Cursor& at, Want want, const Path& path);
  void own(Cursor& at);
  void remove_entry(NodeChange& mapping, NodeId key);
  void remove_from_merges(const Cursor& mapping, std::string_view key);
  bool rename_explicit(const Cursor& mapping, std::string_view key, std::string_view to);
  bool remove_merged(Cursor merged, std::string_view key);
  void check_duplicates(NodeId mapping);
  std::size_t offset(const Cursor& at) const { return tree_.base + tree_[at.node].begin; }
  Type type(const Cursor& at) const;

  Changes& changes_;
  const Tree& tree_;
};

Cursor Changes::Walker::at(NodeId node) {
  const auto change = changes_.nodes_.find(node);
  if (change != changes_.nodes_.end() && change->second.replaced)
    return {node, &*change->second.replaced};
  return {node};
}

NodeChange* Changes::Walker::change_of(const Cursor& at) {
  if (at.original) return nullptr;
  const auto change = changes_.nodes_.find(at.node);
  return change == changes_.nodes_.end() ? nullptr : &change->second;
}

Type Changes::Walker::type(const Cursor& at) const {
  if (!at.value) return type_of(tree_, at.node);
  switch (at.value->kind) {
    case Value::Kind::mapping:
      return Type::mapping;
    case Value::Kind::sequence:
      return Type::sequence;
    case Value::Kind::alias:
      return type_of(tree_, at.value->target);
    case Value::Kind::plain:
      return plain_type(at.value->text);
    case Value::Kind::string:
    case Value::Kind::quantity:
      break;
  }
  return Type::string;
}

/// The key node of an entry written in this very mapping, as it will be.
NodeId Changes::Walker::explicit_key(const Cursor& mapping, std::string_view key) {
  const NodeChange* change = change_of(mapping);
  NodeId last = no_node;
  for (NodeId k = first_child(tree_, mapping.node); k != no_node;
       k = next_sibling(tree_, mapping.node, value_of(tree_, k))) {
    if (change) {
      if (std::count(change->removed.begin(), change->removed.end(), k)) continue;
      const auto renamed = std::find_if(change->renamed.begin(), change->renamed.end(),
                                        [k](const auto& entry) { return entry.first == k; });
      if (renamed != change->renamed.end()) {
        if (renamed->second == key) last = k;
        continue;
      }
    }
    const NodeId scalar = tree_.resolve(k);
    if (tree_[scalar].kind == Kind::scalar && equals(tree_, scalar, key)) last = k;
  }
  return last;
}

std::optional<Cursor> Changes::Walker::find(Cursor from, std::string_view key) {
  if (from.value && from.value->kind == Value::Kind::alias)
    from = {from.value->target, nullptr, true};
  if (from.value) {
    if (from.value->is_sequence()) {
      const auto index = index_of(key);
      if (!index || *index >= from.value->items.size()) return std::nullopt;
      return Cursor{from.node, &from.value->items[*index]};
    }
    if (Value* value = from.value->find(key)) return Cursor{from.node, value};
    return find_merged(from, key);
  }
  if (tree_[from.node].kind == Kind::alias) from = {tree_.resolve(from.node), nullptr, true};
  if (tree_[from.node].kind == Kind::sequence) {
    const auto index = index_of(key);
    if (!index) return std::nullopt;
    if (const NodeId node = item_at(tree_, from.node, *index); node != no_node)
      return from.original ? Cursor{node, nullptr, true} : at(node);
    NodeChange* change = change_of(from);
    if (!change || change->appended.empty()) return std::nullopt;
    const std::size_t there = items(tree_, from.node).size();
    if (*index - there >= change->appended.size()) return std::nullopt;
    return Cursor{from.node, &change->appended[*index - there]};
  }
  if (tree_[from.node].kind != Kind::mapping) return std::nullopt;
  if (NodeChange* change = change_of(from)) {
    for (auto& [name, value] : change->added)
      if (name == key) return Cursor{from.node, &value};
  }
  if (const NodeId k = explicit_key(from, key); k != no_node) {
    const NodeId value = value_of(tree_, k);
    return from.original ? Cursor{value, nullptr, true} : at(value);
  }
  return find_merged(from, key);
}

std::optional<Cursor> Changes::Walker::find_merged(const Cursor& mapping, std::string_view key) {
  if (mapping.value) {
    for (auto& [name, value] : mapping.value->entries)
      if (is_merge_key(name))
        if (auto found = find_in_merge({mapping.node, &value}, key)) return found;
    return std::nullopt;
  }
  const NodeChange* change = change_of(mapping);
  for (NodeId k = first_child(tree_, mapping.node); k != no_node;
       k = next_sibling(tree_, mapping.node, value_of(tree_, k))) {
    if (!is_merge_key(tree_, k)) continue;
    if (change && std::count(change->removed.begin(), change->removed.end(), k)) continue;
    const NodeId value = value_of(tree_, k);
    const Cursor merged = mapping.original ? Cursor{value, nullptr, true} : at(value);
    if (auto found = find_in_merge(merged, key)) return found;
  }
  return std::nullopt;
}

/// `merged` is what stands after `<<:`: a mapping, or a list of them.
std::optional<Cursor> Changes::Walker::find_in_merge(const Cursor& merged, std::string_view key) {
  if (type(merged) == Type::mapping) return find(merged, key);
  if (type(merged) != Type::sequence) return std::nullopt;
  for (std::size_t i = 0;; ++i) {
    const auto item = find(merged, item_key(i));
    if (!item) return std::nullopt;
    if (type(*item) != Type::mapping) continue;
    if (auto found = find(*item, key)) return found;
  }
}

/// The node of a place. When it lies in something that was replaced, what is in its place now;
/// nothing when it was removed.
std::optional<Cursor> Changes::Walker::start(NodeId node) {
  auto range = changes_.gone_.upper_bound(node);
  if (range == changes_.gone_.begin() || (--range)->second <= node) return at(node);
  std::optional<Cursor> cursor = at(range->first);
  if (!cursor->value) return std::nullopt;
  for (const std::string& key : keys_to(tree_, range->first, node)) {
    cursor = find(*cursor, key);
    if (!cursor) break;
  }
  return cursor;
}

/// From now on nothing is found between these nodes.
void Changes::Walker::forget(NodeId begin, NodeId end) {
  auto& gone = changes_.gone_;
  gone.erase(gone.lower_bound(begin), gone.lower_bound(end));
  gone.emplace(begin, end);
}

std::optional<Cursor> Changes::Walker::look(const Place& place) {
  std::optional<Cursor> cursor = start(place.node);
  if (!cursor) return cursor;
  for (const std::string& key : place.keys) {
    cursor = find(*cursor, key);
    if (!cursor) return std::nullopt;
  }
  return cursor;
}

bool Changes::Walker::means(const Cursor& at, const Value& value) {
  if (!at.value) {
    // What was edited inside counts as different: then the change is made once more.
    if (!at.original) {
      const auto inside = changes_.nodes_.lower_bound(at.node);
      if (inside != changes_.nodes_.end() && inside->first < tree_[at.node].next) return false;
    }
    return yaml::means(tree_, at.node, value);
  }
  const Value& there = *at.value;
  return there.kind == value.kind && there.text == value.text && there.entries.empty() &&
         value.entries.empty() && there.items.empty() && value.items.empty();
}

Value Changes::Walker::copy(const Cursor& from) {
  if (!from.value) return copy_of(tree_, from.node);
  return from.value->kind == Value::Kind::alias ? copy_of(tree_, from.value->target) : *from.value;
}

/// Behind an alias: makes a copy at the place of use.
void Changes::Walker::own(Cursor& cursor) {
  if (cursor.value) {
    if (cursor.value->kind == Value::Kind::alias) *cursor.value = copy(cursor);
    return;
  }
  if (tree_[cursor.node].kind != Kind::alias) return;
  Value value = copy_of(tree_, cursor.node);
  cursor.value = &changes_.nodes_[cursor.node].replaced.emplace(std::move(value));
}

/// Makes the place a collection of this kind that can be added to.
template <typename Path>
void Changes::Walker::become(Cursor& cursor, Want want, const Path& path) {
  const Type wanted = want == Want::mapping ? Type::mapping : Type::sequence;
  const Type found = type(cursor);
  const bool nothing = found == Type::null || is_empty(cursor);
  if (nothing) {
    Value value = want == Want::mapping ? Value::mapping() : Value::sequence();
    if (cursor.value) {
      if (found != wanted) *cursor.value = std::move(value);
    } else if (found == wanted && first_child(tree_, cursor.node) != no_node) {
      // Emptied by other changes: what is added takes the place of what is removed.
    } else {
      cursor.value = &changes_.nodes_[cursor.node].replaced.emplace(std::move(value));
    }
    return;
  }
  if (found != wanted) {
    const std::string where = path();
    throw text::Error(offset(cursor), (where.empty() ? "the document" : where) + " is " +
                                          std::string(describe(found)) + ", expected " +
                                          std::string(describe(wanted)));
  }
  if (!cursor.value && want == Want::mapping) check_duplicates(cursor.node);
}

void Changes::Walker::check_duplicates(NodeId mapping) {
  if (!changes_.checked_.insert(mapping).second) return;
  const NodeId twice = duplicate_key(tree_, mapping);
  if (twice == no_node) return;
  const std::string path = path_to(tree_, mapping);
  throw text::Error(
      tree_.base + tree_[twice].begin,
      "duplicate key \"" + scalar_text(tree_, tree_.resolve(twice)) + "\"" +
          (path.empty() ? "" : " in " + path),
      "remove one of the two: Kubernetes takes the last and rejects both when strict");
}

/// One key further down, in a collection that `become` has made ready. What is missing is made, as
/// null.
Cursor Changes::Walker::child(const Cursor& parent, std::string_view key) {
  if (parent.value) {
    if (Value* value = parent.value->find(key)) return {parent.node, value};
    const auto merged = find_merged(parent, key);
    Value value = merged ? copy(*merged) : Value::plain("null");
    parent.value->entries.emplace_back(Value::string(key), std::move(value));
    return {parent.node, &parent.value->entries.back().second};
  }
  const auto found = find(parent, key);
  if (found && found->value && found->node == parent.node) return *found;
  if (const NodeId k = explicit_key(parent, key); k != no_node) return at(value_of(tree_, k));
  Value value = found ? copy(*found) : Value::plain("null");
  auto& added = changes_.nodes_[parent.node].added;
  added.emplace_back(key, std::move(value));
  return {parent.node, &added.back().second};
}

Cursor Changes::Walker::reach(const Place& place, Want want) {
  const std::optional<Cursor> first = start(place.node);
  if (!first) {
    throw text::Error(tree_.base + tree_[place.node].begin,
                      path_to(tree_, place.node) + " was removed by another change");
  }
  Cursor cursor = *first;
  for (std::size_t i = 0; i <= place.keys.size(); ++i) {
    // Only messages need the path, so it is built when there is one.
    const auto path = [&] {
      std::string text = path_to(tree_, place.node);
      for (std::size_t k = 0; k < i; ++k) text = join(std::move(text), place.keys[k]);
      return text;
    };
    own(cursor);
    const bool last = i == place.keys.size();
    const bool in_sequence = !last && type(cursor) == Type::sequence && index_of(place.keys[i]);
    become(cursor, last ? want : in_sequence ? Want::sequence : Want::mapping, path);
    if (last) break;
    if (!in_sequence) {
      cursor = child(cursor, place.keys[i]);
    } else if (const auto item = find(cursor, place.keys[i])) {
      cursor = *item;
    } else {
      throw text::Error(offset(cursor), path() + " has no item " + place.keys[i]);
    }
  }
  return cursor;
}

void Changes::Walker::put(const Cursor& mapping, std::string_view key, Value value) {
  if (mapping.value) {
    if (Value* there = mapping.value->find(key)) {
      *there = std::move(value);
    } else {
      mapping.value->entries.emplace_back(Value::string(key), std::move(value));
    }
    return;
  }
  NodeChange& change = changes_.nodes_[mapping.node];
  for (auto& [name, there] : change.added) {
    if (name == key) {
      there = std::move(value);
      return;
    }
  }
  if (const NodeId k = explicit_key(mapping, key); k != no_node) {
    NodeChange replacement;
    replacement.replaced = std::move(value);
    const NodeId node = value_of(tree_, k);
    changes_.nodes_[node] = std::move(replacement);
    forget(node, tree_[node].next);
    return;
  }
  change.added.emplace_back(key, std::move(value));
}

void Changes::Walker::append(const Cursor& sequence, Value item) {
  if (sequence.value) {
    sequence.value->items.push_back(std::move(item));
  } else {
    changes_.nodes_[sequence.node].appended.push_back(std::move(item));
  }
}

void Changes::Walker::remove(const Cursor& mapping, std::string_view key) {
  if (mapping.value) {
    std::erase_if(mapping.value->entries, [key](const auto& entry) {
      return entry.first.kind != Value::Kind::alias && entry.first.text == key &&
             entry.first.entries.empty() && entry.first.items.empty();
    });
  } else {
    NodeChange& change = changes_.nodes_[mapping.node];
    std::erase_if(change.added, [key](const auto& entry) { return entry.first == key; });
    if (const NodeId k = explicit_key(mapping, key); k != no_node) {
      std::erase_if(change.renamed, [k](const auto& entry) { return entry.first == k; });
      remove_entry(change, k);
    }
  }
  remove_from_merges(mapping, key);
}

/// Takes a key out of everything that a mapping merges.
void Changes::Walker::remove_from_merges(const Cursor& mapping, std::string_view key) {
  if (mapping.value) {
    std::erase_if(mapping.value->entries, [&](auto& entry) {
      return is_merge_key(entry.first) && remove_merged({mapping.node, &entry.second}, key);
    });
    return;
  }
  NodeChange& change = changes_.nodes_[mapping.node];
  std::vector<NodeId> merges;
  for (NodeId k = first_child(tree_, mapping.node); k != no_node;
       k = next_sibling(tree_, mapping.node, value_of(tree_, k))) {
    if (is_merge_key(tree_, k) && !std::count(change.removed.begin(), change.removed.end(), k))
      merges.push_back(k);
  }
  for (const NodeId k : merges)
    if (remove_merged(at(value_of(tree_, k)), key)) remove_entry(change, k);
}

void Changes::Walker::remove_entry(NodeChange& mapping, NodeId key) {
  mapping.removed.push_back(key);
  forget(key, tree_[value_of(tree_, key)].next);
}

/// Takes a key out of what stands after `<<:`, for this user of it only. True when nothing is left.
bool Changes::Walker::remove_merged(Cursor merged, std::string_view key) {
  if (!find_in_merge(merged, key)) return false;
  own(merged);
  if (type(merged) == Type::mapping) {
    remove(merged, key);
    return is_empty(merged);
  }
  for (std::size_t i = 0;; ++i) {
    const auto item = find(merged, item_key(i));
    if (!item) return false;
    if (type(*item) == Type::mapping) remove_merged(*item, key);
  }
}

void Changes::Walker::rename(const Cursor& mapping, std::string_view key, std::string_view to) {
  if (!rename_explicit(mapping, key, to)) {
    if (const auto merged = find_merged(mapping, key)) put(mapping, to, copy(*merged));
  }
  // What the old name hid would come to light.
  remove_from_merges(mapping, key);
}

bool Changes::Walker::rename_explicit(const Cursor& mapping, std::string_view key,
                                      std::string_view to) {
  if (mapping.value) {
    for (auto& [name, value] : mapping.value->entries) {
      if (name.kind == Value::Kind::alias || name.text != key) continue;
      const Style style = name.style;
      name = Value::string(to);
      name.style = style;
      return true;
    }
    return false;
  }
  NodeChange& change = changes_.nodes_[mapping.node];
  for (auto& [name, value] : change.added) {
    if (name != key) continue;
    name = to;
    return true;
  }
  const NodeId k = explicit_key(mapping, key);
  if (k == no_node) return false;
  std::erase_if(change.renamed, [k](const auto& entry) { return entry.first == k; });
  change.renamed.emplace_back(k, to);
  return true;
}

/// Whether it is a collection without entries or items, as it will be.
bool Changes::Walker::is_empty(const Cursor& at) {
  if (at.value) {
    return (at.value->is_mapping() && at.value->entries.empty()) ||
           (at.value->is_sequence() && at.value->items.empty());
  }
  if (tree_[at.node].kind == Kind::scalar || tree_[at.node].kind == Kind::alias) return false;
  const NodeChange* change = change_of(at);
  if (change && !(change->added.empty() && change->appended.empty())) return false;
  for (NodeId child = first_child(tree_, at.node); child != no_node;
       child = next_sibling(tree_, at.node, value_of(tree_, child))) {
    if (!change || !std::count(change->removed.begin(), change->removed.end(), child)) return false;
  }
  return true;
}

void Changes::set(const Place& mapping, std::string_view key, Value value, Why why) {
  Walker walker(*this);
  if (const auto parent = walker.look(mapping)) {
    const auto there = walker.find(*parent, key);
    if (there && walker.means(*there, value)) return;
  }
  const Cursor cursor = walker.reach(mapping, Walker::Want::mapping);
  asked_.push_back(
      {Change::Kind::set, mapping, std::string(key), value, {}, std::move(why), cursor.node});
  walker.put(cursor, key, std::move(value));
}

void Changes::append(const Place& sequence, Value item, Why why) {
  Walker walker(*this);
  const Cursor cursor = walker.reach(sequence, Walker::Want::sequence);
  asked_.push_back({Change::Kind::append, sequence, {}, item, {}, std::move(why), cursor.node});
  walker.append(cursor, std::move(item));
}

void Changes::remove(const Place& mapping, std::string_view key, Why why) {
  Walker walker(*this);
  const auto parent = walker.look(mapping);
  if (!parent || !walker.find(*parent, key)) return;
  const Cursor cursor = walker.reach(mapping, Walker::Want::mapping);
  asked_.push_back(
      {Change::Kind::remove, mapping, std::string(key), {}, {}, std::move(why), cursor.node});
  walker.remove(cursor, key);
}

void Changes::remove_and_prune(const Place& mapping, std::string_view key, Why why) {
  const std::size_t before = asked_.size();
  remove(mapping, key, std::move(why));
  if (asked_.size() == before) return;
  Walker walker(*this);
  Place place = mapping;
  while (!place.keys.empty()) {
    const auto cursor = walker.look(place);
    const std::string last = place.keys.back();
    if (!cursor || !walker.is_empty(*cursor) || index_of(last)) return;
    place.keys.pop_back();
    walker.remove(walker.reach(place, Walker::Want::mapping), last);
  }
}

void Changes::rename(const Place& mapping, std::string_view key, std::string_view to, Why why) {
  Walker walker(*this);
  const auto parent = walker.look(mapping);
  if (!parent || key == to || !walker.find(*parent, key)) return;
  const Cursor cursor = walker.reach(mapping, Walker::Want::mapping);
  if (walker.find(cursor, to)) {
    const NodeId node = node_at(*tree_, mapping);
    throw text::Error(
        tree_->base + (*tree_)[node == no_node ? mapping.node : node].begin,
        "cannot rename " + std::string(key) + ": " + std::string(to) + " is there already");
  }
  asked_.push_back({Change::Kind::rename,
                    mapping,
                    std::string(key),
                    {},
                    std::string(to),
                    std::move(why),
                    cursor.node});
  walker.rename(cursor, key, to);
}

}  // namespace gpuspec::yaml
