#include "cli/witness.h"

#include <algorithm>
#include <stdexcept>

#include <nlohmann/json.hpp>
#include <yaml-cpp/yaml.h>

namespace gpuspec::cli {
namespace {

// An alias bomb must not be expanded.
constexpr std::size_t node_limit = 20'000'000;

class Converter {
 public:
  explicit Converter(std::size_t shift) : shift_(shift) {}

  Witness convert(const YAML::Node& node) {
    if (++nodes_ > node_limit) throw std::runtime_error("too many nodes behind aliases");
    Witness out;
    out.begin = static_cast<std::size_t>(std::max(node.Mark().pos, 0)) + shift_;
    if (node.IsScalar()) {
      out.kind = Witness::Kind::scalar;
      out.text = node.Scalar();
      out.quoted = node.Tag() != "?";
    } else if (node.IsSequence()) {
      out.kind = Witness::Kind::sequence;
      for (const YAML::Node& item : node) out.items.push_back(convert(item));
    } else if (node.IsMap()) {
      out.kind = Witness::Kind::mapping;
      for (const auto& entry : node) {
        if (!is_merge(entry.first)) add(out, key_of(entry.first), convert(entry.second), true);
      }
      for (const auto& entry : node) {
        if (is_merge(entry.first)) merge(out, convert(entry.second));
      }
    }
    return out;
  }

 private:
  static bool is_merge(const YAML::Node& key) {
    return key.IsScalar() && key.Scalar() == "<<" && key.Tag() == "?";
  }

  std::string key_of(const YAML::Node& key) {
    if (key.IsScalar()) return key.Scalar();
    return YAML::Dump(key);
  }

  /// Of a key that is written twice the last one counts.
  static void add(Witness& mapping, const std::string& key, Witness value, bool replace) {
    if (Witness* there = mapping.find(key)) {
      if (replace) *there = std::move(value);
    } else {
      mapping.entries.push_back({key, std::move(value)});
    }
  }

  static void merge(Witness& mapping, const Witness& merged) {
    for (const auto& [key, value] : merged.entries) add(mapping, key, value, false);
    for (const Witness& item : merged.items) merge(mapping, item);
  }

  std::size_t shift_;
  std::size_t nodes_ = 0;
};

Witness of_json(const nlohmann::ordered_json& json) {
  Witness out;
  if (json.is_object()) {
    out.kind = Witness::Kind::mapping;
    for (const auto& [key, value] : json.items()) out.entries.push_back({key, of_json(value)});
  } else if (json.is_array()) {
    out.kind = Witness::Kind::sequence;
    for (const auto& item : json) out.items.push_back(of_json(item));
  } else if (!json.is_null()) {
    out.kind = Witness::Kind::scalar;
    out.text = json.is_string() ? json.get<std::string>() : json.dump();
  }
  return out;
}

std::string shown(const Witness& value) {
  switch (value.kind) {
    case Witness::Kind::null:
      return "null";
    case Witness::Kind::scalar:
      return '"' + value.text + '"';
    case Witness::Kind::mapping:
      return "a mapping of " + std::to_string(value.entries.size());
    case Witness::Kind::sequence:
      return "a list of " + std::to_string(value.items.size());
  }
  return "";
}

bool same_scalar(const Witness& a, const Witness& b) {
  return a.text == b.text && (!a.quoted || !b.quoted || *a.quoted == *b.quoted);
}

std::string difference(const Witness& expected, const Witness& found, const std::string& path) {
  std::string differs = path + ": expected " + shown(expected) + ", found " + shown(found);
  if (expected.kind != found.kind) return differs;
  if (expected.kind == Witness::Kind::scalar && !same_scalar(expected, found)) return differs;
  if (expected.items.size() != found.items.size()) return differs;
  for (std::size_t i = 0; i < expected.items.size(); ++i) {
    std::string inside =
        difference(expected.items[i], found.items[i], path + '[' + std::to_string(i) + ']');
    if (!inside.empty()) return inside;
  }
  for (const auto& [key, value] : expected.entries) {
    const auto other =
        std::find_if(found.entries.begin(), found.entries.end(),
                     [&, &name = key](const auto& entry) { return entry.key == name; });
    std::string inner = path;
    if (!inner.empty()) inner += '.';
    inner += key;
    if (other == found.entries.end()) return inner + ": is missing";
    std::string inside = difference(value, other->value, inner);
    if (!inside.empty()) return inside;
  }
  if (expected.entries.size() != found.entries.size()) return differs;
  return {};
}

}  // namespace

Witness* Witness::find(std::string_view key) {
  const auto found = std::find_if(entries.begin(), entries.end(),
                                  [&](const auto& entry) { return entry.key == key; });
  return found == entries.end() ? nullptr : &found->value;
}

std::vector<Witness> read_witness(std::string_view stream) {
  std::vector<Witness> documents;
  try {
    // Its positions do not count a byte order mark.
    Converter converter(stream.starts_with("\xEF\xBB\xBF") ? 3 : 0);
    for (const YAML::Node& node : YAML::LoadAll(std::string(stream))) {
      documents.push_back(converter.convert(node));
    }
  } catch (const YAML::Exception& error) {
    throw std::runtime_error("yaml-cpp cannot read it: " + std::string(error.what()));
  }
  return documents;
}

Witness witness_of_json(const std::string& json) {
  return of_json(nlohmann::ordered_json::parse(json));
}

std::string first_difference(const Witness& expected, const Witness& found) {
  return difference(expected, found, {});
}

}  // namespace gpuspec::cli
