#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/yaml/anchors.h"
#include "core/yaml/change.h"
#include "core/yaml/edit.h"
#include "core/yaml/habits.h"
#include "core/yaml/layout.h"

namespace gpuspec::yaml {

/// Turns the changes of one document into edits of its text. Goes down the tree to every changed
/// node, inner nodes before outer ones, so that texts inserted at one place come in the right
/// order.
class Editor {
 public:
  explicit Editor(const Changes& changes);
  void run();

  /// Ordered and disjoint; offsets in the source.
  std::vector<Edit> edits() const;
  /// Where the first edit of a node begins, in the source; `fallback` when it has none.
  std::size_t offset_of(NodeId node) const;

 private:
  /// An edit in the making; offsets in the tree's text.
  struct Piece {
    std::size_t begin, end;
    std::string text;
  };
  /// A new entry of a mapping, or item of a sequence (without key).
  struct Addition {
    const std::string* key;
    const Value* value;
  };
  /// Additions that go after the entry with the index `after` (no_entry: before the first).
  struct Group {
    std::size_t after;
    std::vector<Addition> values;
  };
  static constexpr std::size_t no_entry = static_cast<std::size_t>(-1);

  // edit.cpp: the way to the changed nodes
  void visit(NodeId node, NodeId key);
  void visit_children(NodeId collection);
  void empty_out(NodeId node, NodeId key, const NodeChange& change);
  void change_collection(NodeId node, const std::vector<Entry>& entries, const NodeChange& change);
  void rename(NodeId key, const std::string& to);
  void drop_anchor(NodeId node);
  void put(std::size_t begin, std::size_t end, std::string text);
  std::vector<Group> groups(const std::vector<Entry>& entries, const NodeChange& change);

  // edit_block.cpp
  void add_block(NodeId node, const std::vector<Entry>& entries, const NodeChange& change);
  void insert_lines(NodeId node, const std::vector<Entry>& entries, const Group& group,
                    Habits& habits);
  void remove_block(const std::vector<Entry>& entries, const std::set<NodeId>& removed);
  bool end_block_scalar(std::size_t at, std::size_t indent);
  void keep_block_scalar(const Entry& last);

  // edit_flow.cpp
  void refill_flow(NodeId node, const Value& value);
  void add_flow(NodeId node, const std::vector<Entry>& entries, const NodeChange& change);
  void insert_in_flow(const std::vector<Entry>& entries, const Group& group, bool bare,
                      Habits& habits);
  void remove_flow(const std::vector<Entry>& entries, const std::set<NodeId>& removed);
  void remove_flow_run(const std::vector<Entry>& entries, std::size_t first, std::size_t last);
  std::string_view indent_at(std::size_t at) const;

  // edit_replace.cpp
  void replace(NodeId node, NodeId key, Value value);
  void replace_in_flow(NodeId node, NodeId key, const Value& value);
  void replace_in_mapping(NodeId node, NodeId key, const Value& value);
  void replace_lines(NodeId node, std::size_t slot, const std::string& text);
  void replace_item(NodeId node, const Value& value);
  void replace_root(NodeId node, const Value& value);
  void put_in_place(NodeId node, const Value& value, std::size_t tabbed, const Habits& habits);
  void put_split(std::size_t begin, std::size_t end, const std::string& text);
  Habits habits_at(std::size_t end_of_text);
  bool may_use_literals(std::size_t at, bool content_follows) const;

  const Tree& tree_;
  const std::string_view text_;
  const Plan plan_;
  bool removes_ = false;  ///< some entry is removed
  HabitFinder habits_;
  std::vector<NodeId> path_;  ///< collections from the root to the one at hand
  std::vector<Piece> pieces_;
  std::map<NodeId, std::size_t> first_piece_;
  NodeId current_ = no_node;  ///< the node that pieces are made for
  std::set<NodeId> kept_scalars_;
  std::set<NodeId> joined_;  ///< values in flow style after which the comma was removed
};

}  // namespace gpuspec::yaml
