#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "core/yaml/tree.h"
#include "core/yaml/value.h"

namespace gpuspec::yaml {

/// Where something is or will be: a node that exists, and keys below it. A key of the form "[N]" is
/// the item N of a sequence that exists. `Place{pod, {"affinity", "nodeAffinity"}}` need not exist
/// yet.
///
/// `node` must be the node at the place of use: the alias, not what it names. What lies behind an
/// alias or a merge key is named by keys from there, so that the change is made for this user of
/// the anchor and for no other.
struct Place {
  NodeId node = no_node;
  std::vector<std::string> keys;

  Place operator/(std::string_view key) const;
};

/// The place of a key (or item "[N]") below a place, with as few keys as possible: the node itself
/// where it is written in the document, a longer list of keys where it comes through an alias or a
/// merge key or is not there.
Place below(const Tree& tree, const Place& place, std::string_view key);

/// The node that a place means in the document as it was read, aliases and merge keys followed;
/// no_node where it is not there.
NodeId node_at(const Tree& tree, const Place& place);

/// What asked for a change: shown in reports and messages.
struct Why {
  std::string rule;    ///< name of the rule, e.g. "resource-toleration"
  std::string reason;  ///< one sentence
};

/// One change as it was asked for.
struct Change {
  enum class Kind { set, append, remove, rename };
  Kind kind = Kind::set;
  Place place;      ///< set, remove, rename: the mapping · append: the sequence
  std::string key;  ///< set, remove, rename: the key
  Value value;      ///< set, append
  std::string to;   ///< rename: the new key
  Why why;
  NodeId at = no_node;  ///< the node that is edited for it
};

/// What one existing node becomes. Several changes of one node merge here.
struct NodeChange {
  std::optional<Value> replaced;                        ///< the node is replaced by this value
  std::vector<std::pair<std::string, Value>> added;     ///< mapping: new entries
  std::vector<Value> appended;                          ///< sequence: new items
  std::vector<NodeId> removed;                          ///< mapping: key nodes of entries that go
  std::vector<std::pair<NodeId, std::string>> renamed;  ///< mapping: key node and its new name

  bool none() const {
    return !replaced && added.empty() && appended.empty() && removed.empty() && renamed.empty();
  }
};

/// The changes of one document, merged as they come. Nothing is written here: core/yaml/edit.h
/// does that. Methods throw text::Error (offset into the source: Tree::base added) when the
/// document's shape does not allow the change: a key that must be a mapping is a scalar, a mapping
/// that is edited has a key twice, and so on; the message names the path, what was found and what
/// was expected.
class Changes {
 public:
  explicit Changes(const Tree& tree) : tree_(&tree) {}

  /// Gives a mapping a key, or replaces the value of one that is there. Parents that are missing,
  /// null or empty are made; parents reached through an alias or a merge key are copied to the
  /// place of use (rewriting.md, "Anchors"). Nothing happens when the value is there already.
  void set(const Place& mapping, std::string_view key, Value value, Why why);
  /// Appends an item to a sequence, which is made where it is missing, null or empty.
  void append(const Place& sequence, Value item, Why why);
  /// Removes an entry; a mapping left empty stays as `{}`. Nothing happens when it is not there.
  void remove(const Place& mapping, std::string_view key, Why why);
  /// Removes an entry, and the mapping it was in when that is left empty, and so on upwards along
  /// the keys of `mapping` (Place::node itself stays).
  void remove_and_prune(const Place& mapping, std::string_view key, Why why);
  /// Renames a key, value untouched. Nothing happens when it is not there; when the new name is
  /// there already, that is an error.
  void rename(const Place& mapping, std::string_view key, std::string_view to, Why why);

  bool none() const { return asked_.empty(); }
  const Tree& tree() const { return *tree_; }
  const std::vector<Change>& asked() const { return asked_; }
  const std::map<NodeId, NodeChange>& nodes() const { return nodes_; }

 private:
  class Walker;

  const Tree* tree_;
  std::vector<Change> asked_;
  std::map<NodeId, NodeChange> nodes_;
  std::map<NodeId, NodeId> gone_;       ///< first and past-the-last of nodes replaced or removed
  std::unordered_set<NodeId> checked_;  ///< mappings known to have no key twice
};

/// The path of a node from the root, for messages: spec.containers[0].resources; empty for the
/// root.
std::string path_to(const Tree& tree, NodeId node);

}  // namespace gpuspec::yaml
