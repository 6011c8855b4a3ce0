#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/yaml/tree.h"
#include "core/yaml/value.h"

namespace gpuspec::krm {

/// An entry of `results` (KRM Functions Specification).
struct Result {
  enum class Severity { error, warning, info };
  std::string message;
  Severity severity = Severity::error;
  // resourceRef
  std::string api_version;
  std::string kind;
  std::string name;
  std::string name_space;
  // field
  std::string field;
  std::string proposed;  ///< compact JSON
  // file
  std::string file;
  long index = 0;
  std::string rule;  ///< goes to tags
};

yaml::Value to_value(const Result& result);

/// The text of a ResourceList with the results after those it has. Throws text::Error when it
/// cannot be edited.
std::string with_results(std::string text, const std::vector<Result>& results);

/// Finds the item that a place in a ResourceList belongs to. What is wrapped in an item belongs to
/// the item: the host knows no other.
class ItemIndex {
 public:
  /// `items`: the sequence; no_node: there are none.
  ItemIndex(const yaml::Tree& tree, yaml::NodeId items);
  /// Fills in resourceRef and file for a byte offset in the source.
  void describe(std::size_t offset, Result& result) const;

 private:
  const yaml::Tree& tree_;
  std::vector<yaml::NodeId> items_;
};

}  // namespace gpuspec::krm
