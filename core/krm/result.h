#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/kube/workload.h"
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

/// Finds the object that a place in a document belongs to.
class ObjectIndex {
 public:
  ObjectIndex(const yaml::Tree& tree, const std::vector<kube::Object>& objects);
  /// Fills in resourceRef and file for a byte offset in the source.
  void describe(std::size_t offset, Result& result) const;

 private:
  const yaml::Tree& tree_;
  const std::vector<kube::Object>& objects_;
};

}  // namespace gpuspec::krm
