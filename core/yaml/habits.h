#pragma once

#include <optional>
#include <vector>

#include "core/yaml/order.h"
#include "core/yaml/render.h"
#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// Finds out how a document is written near a place: first in the collection at hand, then in those
/// around it, then at the start of the object. An object is the document, or an item of a list:
/// what the list around it looks like does not count, so that an object is edited alike wherever it
/// stands. Looks at a bounded number of nodes.
class HabitFinder {
 public:
  explicit HabitFinder(const Tree& tree) : tree_(tree) {}

  /// For text that becomes part of `path.back()`; `path` leads there from the root.
  Habits at(const std::vector<NodeId>& path);

  /// The order in which a mapping keeps its keys. A mapping with one key goes by the object: if
  /// all others in sight are in order, it is taken to be, too.
  Order order(const std::vector<NodeId>& path, const std::vector<std::string>& keys);

 private:
  struct Clues;

  void learn_block(NodeId node, Clues& clues);
  void learn_flow(NodeId node, Clues& clues);
  /// The index in the path of the object it leads through, which `object_` becomes.
  std::size_t enter(const std::vector<NodeId>& path);
  NodeId sample_end() const;
  const Clues& object();
  void quotes(const std::vector<NodeId>& path, Habits& habits);
  Style quantities(const std::vector<NodeId>& path, const Habits& habits);

  struct Clues {
    std::optional<std::size_t> step, sequence_offset, gap;
    std::optional<bool> trailing_comma, cuddled, nested_lines, tight_colon, tight_comma,
        padded_mapping, padded_sequence;
    std::optional<std::string> flow_step;
    bool block_complete() const { return step && sequence_offset && gap; }
  };

  const Tree& tree_;
  NodeId object_ = no_node;
  std::optional<Clues> object_clues_;
  std::optional<Order> object_order_;
};

}  // namespace gpuspec::yaml
