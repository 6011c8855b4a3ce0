#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gpuspec::cli {

/// A document as yaml-cpp understands it, aliases and merge keys resolved.
struct Witness {
  enum class Kind { null, scalar, mapping, sequence };
  struct Entry;

  Kind kind = Kind::null;
  std::string text;            ///< of a scalar
  std::optional<bool> quoted;  ///< of a scalar; unset: it does not matter how it is written
  std::vector<Entry> entries;
  std::vector<Witness> items;
  std::size_t begin = 0;  ///< where it is written, in bytes

  Witness* find(std::string_view key);
};

struct Witness::Entry {
  std::string key;
  Witness value;
};

/// All documents of a stream. Throws std::runtime_error: yaml-cpp cannot read it, or it has more
/// than a few million nodes once aliases are resolved.
std::vector<Witness> read_witness(std::string_view stream);

/// What a record's value means.
Witness witness_of_json(const std::string& json);

/// The path of the first difference, with what it is; empty when they are equal. The order of keys
/// does not count.
std::string first_difference(const Witness& expected, const Witness& found);

}  // namespace gpuspec::cli
