#include "core/kube/read.h"

#include <charconv>
#include <cstddef>
#include <optional>

#include "core/yaml/lookup.h"

namespace gpuspec::kube {
namespace {

std::string text_at(const yaml::Tree& tree, yaml::NodeId mapping, std::string_view key) {
  return yaml::get_text(tree, mapping, key).value_or("");
}

std::optional<long long> integer_at(const yaml::Tree& tree, yaml::NodeId mapping,
                                    std::string_view key) {
  const std::optional<std::string> text = yaml::get_text(tree, mapping, key);
  if (!text) return std::nullopt;
  long long value = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return value;
}

/// Reads every item of a sequence; anything else has none.
template <typename Read>
auto read_all(const yaml::Tree& tree, yaml::NodeId sequence, Read read) {
  std::vector<decltype(read(tree, sequence))> result;
  if (sequence == yaml::no_node) return result;
  sequence = tree.resolve(sequence);
  if (tree[sequence].kind != yaml::Kind::sequence) return result;
  for (const yaml::NodeId item : yaml::items(tree, sequence)) result.push_back(read(tree, item));
  return result;
}

}  // namespace

Toleration read_toleration(const yaml::Tree& tree, yaml::NodeId mapping) {
  return {.key = text_at(tree, mapping, "key"),
          .op = text_at(tree, mapping, "operator"),
          .value = text_at(tree, mapping, "value"),
          .effect = text_at(tree, mapping, "effect"),
          .seconds = integer_at(tree, mapping, "tolerationSeconds")};
}

std::vector<Toleration> read_tolerations(const yaml::Tree& tree, yaml::NodeId sequence) {
  return read_all(tree, sequence, read_toleration);
}

NodeSelectorRequirement read_requirement(const yaml::Tree& tree, yaml::NodeId mapping) {
  return {.key = text_at(tree, mapping, "key"),
          .op = text_at(tree, mapping, "operator"),
          .values = read_strings(tree, yaml::get(tree, mapping, "values"))};
}

NodeSelectorTerm read_term(const yaml::Tree& tree, yaml::NodeId mapping) {
  return {
      .match_expressions =
          read_all(tree, yaml::get(tree, mapping, "matchExpressions"), read_requirement),
      .match_fields = read_all(tree, yaml::get(tree, mapping, "matchFields"), read_requirement)};
}

std::vector<NodeSelectorTerm> read_terms(const yaml::Tree& tree, yaml::NodeId sequence) {
  return read_all(tree, sequence, read_term);
}

std::vector<PreferredTerm> read_preferred(const yaml::Tree& tree, yaml::NodeId sequence) {
  return read_all(tree, sequence, [](const yaml::Tree& t, yaml::NodeId item) {
    return PreferredTerm{.weight = static_cast<int>(integer_at(t, item, "weight").value_or(0)),
                         .preference = read_term(t, yaml::get(t, item, "preference"))};
  });
}

std::vector<std::string> read_strings(const yaml::Tree& tree, yaml::NodeId sequence) {
  return read_all(tree, sequence, [](const yaml::Tree& t, yaml::NodeId item) {
    item = t.resolve(item);
    return t[item].kind == yaml::Kind::scalar ? yaml::scalar_text(t, item) : std::string();
  });
}

std::string path_in_object(const yaml::Tree& tree, yaml::NodeId from, yaml::NodeId to) {
  std::string path;
  while (from < to && to < tree[from].next) {
    const bool mapping = tree[from].kind == yaml::Kind::mapping;
    std::size_t index = 0;
    yaml::NodeId key = yaml::no_node;
    yaml::NodeId child = yaml::first_child(tree, from);
    for (; child != yaml::no_node; child = yaml::next_sibling(tree, from, child)) {
      if (mapping && key == yaml::no_node) {
        key = child;
        if (to >= tree[child].next) continue;
        // The key itself: the path names its entry.
      }
      if (to < tree[child].next) break;
      key = yaml::no_node;
      ++index;
    }
    if (child == yaml::no_node) return path;
    if (mapping) {
      if (!path.empty()) path += '.';
      if (tree[key].kind == yaml::Kind::scalar) path += yaml::scalar_text(tree, key);
    } else {
      path += '[' + std::to_string(index) + ']';
    }
    if (child == key) return path;
    from = child;
  }
  return path;
}

}  // namespace gpuspec::kube
