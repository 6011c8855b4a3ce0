#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile/error.h"
#include "core/profile/node.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

class Map;

/// A value of a profile file that is being read: the node, its file, and its path for messages
/// (`spec.tolerations[0].effect`). What a reader does not expect is an Error with the place.
class Cursor {
 public:
  Cursor(const text::Source& source, const Node& node, std::string path)
      : source_(&source), node_(&node), path_(std::move(path)) {}

  const text::Source& source() const { return *source_; }
  const Node& node() const { return *node_; }
  const std::string& path() const { return path_; }
  bool is_null() const { return node_->is_null(); }

  /// An Error about this value: `PATH: TEXT`.
  Error error(const std::string& text, const std::string& hint = {}) const;
  /// `expected WHAT, found …`.
  Error unexpected(std::string_view what, const std::string& hint = {}) const;
  Warning warning(const std::string& text, const std::string& hint = {}) const;

  Cursor at(const Node& node, std::string_view key) const;
  Cursor item(std::size_t index) const;

  /// Readers. `string` refuses numbers and booleans (and says to quote them) and empty text; `text`
  /// takes any scalar but null as it is spelled.
  std::string string() const;
  std::string text() const;
  bool boolean() const;
  long long integer(long long least) const;
  Map map() const;
  std::vector<Cursor> list() const;
  std::vector<std::string> strings() const;
  /// One of the words; the hint suggests the one meant.
  std::string one_of(std::span<const std::string_view> words) const;
  std::string quantity() const;
  std::string label_key() const;
  std::string label_value() const;
  /// A name the API server accepts for a resource in limits and requests; extended: with a domain.
  std::string resource_name() const;
  std::string extended_resource() const;
  std::string dns_subdomain() const;

  kube::Toleration toleration() const;
  std::vector<kube::Toleration> tolerations() const;
  kube::NodeSelectorRequirement requirement() const;
  std::vector<kube::NodeSelectorRequirement> requirements() const;
  kube::NodeSelectorTerm term() const;
  std::vector<kube::NodeSelectorTerm> terms() const;
  kube::PreferredTerm preferred_term() const;
  std::vector<kube::PreferredTerm> preferred_terms() const;
  /// A mapping of label keys to label values.
  Pairs labels() const;
  /// Throws unless the key of this mapping's member can be a label key.
  void check_label_key(const Member& member) const;

 private:
  const text::Source* source_;
  const Node* node_;
  std::string path_;
};

/// A mapping whose keys are known. Ask for all of them with take(), then finish(): keys that nobody
/// asked for are an Error with the key's place and the key that was probably meant.
class Map {
 public:
  explicit Map(const Cursor& cursor);

  std::optional<Cursor> take(std::string_view key);
  void finish() const;
  /// Keys that nobody asked for.
  std::vector<const Member*> left() const;
  /// The keys asked for, for suggestions.
  const std::vector<std::string_view>& known() const { return known_; }
  const Cursor& cursor() const { return cursor_; }

 private:
  Cursor cursor_;
  std::vector<std::string_view> known_;
};

}  // namespace gpuspec::profile
