#include "core/profile/cursor.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

std::string joined(std::span<const std::string_view> words) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i > 0) out += i + 1 == words.size() ? " or " : ", ";
    out += words[i];
  }
  return out;
}

constexpr const char* label_value_hint =
    "at most 63 letters, digits, '-', '_' and '.', with a letter or digit at both ends";
constexpr const char* label_key_hint =
    "NAME or DOMAIN/NAME; the name of at most 63 letters, digits, '-', '_' and '.'";

std::string key_path(const std::string& path, std::string_view key) {
  return path.empty() ? std::string(key) : path + '.' + std::string(key);
}

}  // namespace

Error Cursor::error(const std::string& text, const std::string& hint) const {
  return {*source_, node_->offset, path_.empty() ? text : path_ + ": " + text, hint};
}

Error Cursor::unexpected(std::string_view what, const std::string& hint) const {
  return error("expected " + std::string(what) + ", found " + found(*node_), hint);
}

Warning Cursor::warning(const std::string& text, const std::string& hint) const {
  return {place_of(*source_, node_->offset), path_.empty() ? text : path_ + ": " + text, hint};
}

Cursor Cursor::at(const Node& node, std::string_view key) const {
  return {*source_, node, key_path(path_, key)};
}

Cursor Cursor::item(std::size_t index) const {
  return {*source_, node_->items[index], path_ + '[' + std::to_string(index) + ']'};
}

std::string Cursor::string() const {
  if (!node_->is_string()) {
    const bool bare = node_->is_scalar() && !node_->is_null();
    throw unexpected("a string", bare ? "quote it: \"" + node_->text + '"' : std::string());
  }
  if (node_->text.empty()) throw unexpected("a string that is not empty");
  return node_->text;
}

std::string Cursor::text() const {
  if (!node_->is_scalar() || node_->is_null()) throw unexpected("a string");
  return node_->text;
}

bool Cursor::boolean() const {
  if (node_->type != yaml::Type::boolean) throw unexpected("true or false");
  const char first = node_->text.empty() ? 'f' : node_->text.front();
  if (node_->text.size() == 2)
    return node_->text == "on" || node_->text == "On" || node_->text == "ON";
  return first == 't' || first == 'T' || first == 'y' || first == 'Y';
}

long long Cursor::integer(long long least) const {
  long long number = 0;
  const char* end = node_->text.data() + node_->text.size();
  const auto [stop, error] = std::from_chars(node_->text.data(), end, number);
  if (node_->type != yaml::Type::integer || error != std::errc() || stop != end || number < least) {
    throw unexpected("a whole number, at least " + std::to_string(least));
  }
  return number;
}

Map Cursor::map() const {
  return Map(*this);
}

std::vector<Cursor> Cursor::list() const {
  if (!node_->is_sequence()) throw unexpected("a list");
  std::vector<Cursor> items;
  for (std::size_t i = 0; i < node_->items.size(); ++i) items.push_back(item(i));
  return items;
}

std::vector<std::string> Cursor::strings() const {
  std::vector<std::string> texts;
  for (const Cursor& entry : list()) texts.push_back(entry.string());
  return texts;
}

std::string Cursor::one_of(std::span<const std::string_view> words) const {
  if (node_->is_string() && std::find(words.begin(), words.end(), node_->text) != words.end()) {
    return node_->text;
  }
  const auto near = text::closest(node_->text, words);
  throw unexpected(joined(words), near.empty() ? "" : "did you mean " + std::string(near) + "?");
}

std::string Cursor::quantity() const {
  std::string spelled = text();
  const auto value = kube::Quantity::parse(spelled);
  if (!value || value->is_negative()) {
    throw unexpected("a quantity", "write it like 2, 500m, 16Gi or 1.5G");
  }
  return spelled;
}

std::string Cursor::label_key() const {
  std::string key = string();
  if (!kube::check_label_key(key).empty())
    throw error('"' + key + "\" cannot be a label key", label_key_hint);
  return key;
}

std::string Cursor::label_value() const {
  if (node_->is_string() && node_->text.empty()) return {};
  std::string value = string();
  if (!kube::check_label_value(value).empty()) {
    throw error('"' + value + "\" cannot be a label value", label_value_hint);
  }
  return value;
}

std::string Cursor::resource_name() const {
  std::string name = string();
  const auto wrong = kube::check_container_resource_name(name);
  if (!wrong.empty()) throw error('"' + name + "\": " + wrong.front());
  return name;
}

std::string Cursor::extended_resource() const {
  std::string name = string();
  if (!kube::is_extended_resource(name)) {
    throw unexpected("the name of an extended resource",
                     "a domain, a slash and a name: nvidia.com/gpu");
  }
  return name;
}

std::string Cursor::dns_subdomain() const {
  std::string name = string();
  if (!kube::check_dns1123_subdomain(name).empty()) {
    throw error('"' + name + "\" cannot be the name of an object",
                "lower-case letters, digits, '-' and '.'");
  }
  return name;
}

void Cursor::check_label_key(const Member& member) const {
  if (kube::check_label_key(member.key).empty()) return;
  throw Error(*source_, member.offset, path_ + ": \"" + member.key + "\" cannot be a label key",
              label_key_hint);
}

Pairs Cursor::labels() const {
  if (!node_->is_mapping()) throw unexpected("a mapping");
  Pairs pairs;
  for (const Member& member : node_->members) {
    const Cursor value = at(member.value, member.key);
    check_label_key(member);
    pairs.emplace_back(member.key, value.label_value());
  }
  return pairs;
}

Map::Map(const Cursor& cursor) : cursor_(cursor) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping");
}

std::optional<Cursor> Map::take(std::string_view key) {
  known_.push_back(key);
  const Node* value = cursor_.node().find(key);
  if (!value) return std::nullopt;
  return cursor_.at(*value, key);
}

std::vector<const Member*> Map::left() const {
  std::vector<const Member*> members;
  for (const Member& member : cursor_.node().members) {
    const bool asked = std::find(known_.begin(), known_.end(), member.key) != known_.end();
    if (!asked) members.push_back(&member);
  }
  return members;
}

void Map::finish() const {
  const auto members = left();
  if (members.empty()) return;
  const Member& member = *members.front();
  const auto near = text::closest(member.key, known_);
  std::string hint;
  if (!near.empty()) {
    hint = "did you mean \"" + std::string(near) + "\"?";
  } else {
    hint = "known are " + joined(known_);
  }
  const std::string& path = cursor_.path();
  throw Error(cursor_.source(), member.offset,
              (path.empty() ? "" : path + ": ") + "unknown key \"" + member.key + '"', hint);
}

}  // namespace gpuspec::profile
