#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/source.h"
#include "core/yaml/lookup.h"
#include "core/yaml/value.h"

namespace gpuspec::profile {

struct Member;

/// A value of a profile file and where it is: aliases and merge keys are resolved, so that readers
/// of profiles see what the file means.
struct Node {
  yaml::Type type = yaml::Type::null;
  std::string text;             ///< of a scalar: its value; of a number or boolean: as spelled
  std::size_t offset = 0;       ///< in the source
  std::vector<Member> members;  ///< of a mapping, in the order of the file
  std::vector<Node> items;      ///< of a sequence

  bool is_mapping() const { return type == yaml::Type::mapping; }
  bool is_sequence() const { return type == yaml::Type::sequence; }
  bool is_null() const { return type == yaml::Type::null; }
  bool is_string() const { return type == yaml::Type::string; }
  bool is_scalar() const { return !is_mapping() && !is_sequence(); }

  /// The value of a key, or nullptr.
  const Node* find(std::string_view key) const;
};

struct Member {
  std::string key;
  std::size_t offset = 0;  ///< of the key
  Node value;
};

/// The documents of a profile file. Throws Error: YAML that cannot be read, a key written twice, a
/// key that is no scalar, more values than a profile can have (an alias bomb).
std::vector<Node> read_documents(const text::Source& source);

/// A word for a node in messages: `a list`, `a mapping`, `"text"`, `true`, `null`.
std::string found(const Node& node);

/// The node as something to write.
yaml::Value to_value(const Node& node);

}  // namespace gpuspec::profile
