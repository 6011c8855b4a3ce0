#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/tree.h"
#include "core/yaml/value.h"

namespace gpuspec::yaml {

/// Where something is or will be: a node that exists, and keys below it. A key of the form "[N]"
/// is the item N of a sequence that exists. `Place{pod, {"affinity", "nodeAffinity"}}` need not
/// exist yet.
struct Place {
  NodeId node = no_node;
  std::vector<std::string> keys;

  Place operator/(std::string_view key) const;
};

/// What asked for a change: shown in reports and messages.
struct Why {
  std::string rule;    ///< name of the rule, e.g. "resource-toleration"
  std::string reason;  ///< one sentence
};

/// One change as it was asked for.
struct Change {
  enum class Kind { set, append, remove, rename };
  Kind kind = Kind::set;
  Place place;        ///< set, remove, rename: the mapping · append: the sequence
  std::string key;    ///< set, remove, rename: the key
  Value value;        ///< set, append
  std::string to;     ///< rename: the new key
  Why why;
};

/// What one existing node becomes. Several changes of one node merge here.
struct NodeChange {
  std::optional<Value> replaced;                       ///< the node is replaced by this value
  std::vector<std::pair<std::string, Value>> added;    ///< mapping: new entries
  std::vector<Value> appended;                         ///< sequence: new items
  std::vector<NodeId> removed;                         ///< mapping: key nodes of entries that go
  std::vector<std::pair<NodeId, std::string>> renamed; ///< mapping: key node and its new name
  bool detached = false;  ///< an anchored node that changes while others use its anchor: it loses
                          ///< the anchor, which moves to a copy at the first alias that stays
};

/// The changes of one document, merged as they come. Nothing is written here: core/yaml/edit.h
/// does that. Methods throw text::Error (offset into the source: Tree::base added) when the
/// document's shape does not allow the change: a key that must be a mapping is a scalar, and so on;
/// the message names the path, what was found and what was expected.
class Changes {
 public:
  explicit Changes(const Tree& tree) : tree_(&tree) {}

  /// Gives a mapping a key, or replaces the value of one that is there. Parents that are missing,
  /// null or empty are made; parents reached through an alias or a merge key are copied to the
  /// place of use (rewriting.md, "Anchors").
  void set(const Place& mapping, std::string_view key, Value value, Why why);
  /// Appends an item to a sequence, which is made where it is missing, null or empty.
  void append(const Place& sequence, Value item, Why why);
  /// Removes an entry; a parent left empty stays `{}`. Nothing happens when it is not there.
  void remove(const Place& mapping, std::string_view key, Why why);
  /// Renames a key, value untouched.
  void rename(const Place& mapping, std::string_view key, std::string_view to, Why why);

  bool none() const { return asked_.empty(); }
  const Tree& tree() const { return *tree_; }
  const std::vector<Change>& asked() const { return asked_; }
  const std::map<NodeId, NodeChange>& nodes() const { return nodes_; }

 private:
  const Tree* tree_;
  std::vector<Change> asked_;
  std::map<NodeId, NodeChange> nodes_;
};

}  // namespace gpuspec::yaml
