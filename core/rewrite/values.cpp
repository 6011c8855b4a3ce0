#include "core/rewrite/values.h"

#include <array>
#include <string_view>

#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

using yaml::Value;

std::string quoted(std::string_view text) {
  static constexpr std::string_view hex = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      result += '\\';
      result += c;
    } else if (c == '\n') {
      result += "\\n";
    } else if (byte < 0x20 || byte == 0x7f) {
      result += "\\u00";
      result += hex[byte >> 4];
      result += hex[byte & 15];
    } else {
      result += c;
    }
  }
  return result + '"';
}

Value list_of(const std::vector<kube::NodeSelectorRequirement>& requirements) {
  Value list = Value::sequence();
  for (const auto& requirement : requirements) list.items.push_back(value_of(requirement));
  return list;
}

/// Whether JSON can write the number the way YAML did.
bool is_json_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1);
  if (text.empty() || (text.front() == '0' && text.size() > 1)) return false;
  return text.find_first_not_of("0123456789") == std::string_view::npos;
}

std::string scalar_json(const Value& value) {
  if (value.kind != Value::Kind::plain) return quoted(value.text);
  switch (yaml::plain_type(value.text)) {
    case yaml::Type::null:
      return "null";
    case yaml::Type::boolean:
      return value.text == "true" || value.text == "false" ? value.text : quoted(value.text);
    case yaml::Type::integer:
      return is_json_number(value.text) ? value.text : quoted(value.text);
    default:
      return quoted(value.text);
  }
}

}  // namespace

Value value_of(const kube::Toleration& toleration) {
  std::vector<std::pair<std::string, Value>> entries;
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) entries.emplace_back(key, Value::string(text));
  };
  add("key", toleration.key);
  add("operator", toleration.op);
  add("value", toleration.value);
  add("effect", toleration.effect);
  if (toleration.seconds)
    entries.emplace_back("tolerationSeconds", Value::integer(*toleration.seconds));
  return Value::mapping(std::move(entries));
}

Value value_of(const kube::NodeSelectorRequirement& requirement) {
  Value value = Value::mapping(
      {{"key", Value::string(requirement.key)}, {"operator", Value::string(requirement.op)}});
  if (requirement.values.empty()) return value;
  Value values = Value::sequence();
  for (const std::string& text : requirement.values) values.items.push_back(Value::string(text));
  value.entries.emplace_back(Value::string("values"), std::move(values));
  return value;
}

Value value_of(const kube::NodeSelectorTerm& term) {
  std::vector<std::pair<std::string, Value>> entries;
  if (!term.match_expressions.empty())
    entries.emplace_back("matchExpressions", list_of(term.match_expressions));
  if (!term.match_fields.empty()) entries.emplace_back("matchFields", list_of(term.match_fields));
  return Value::mapping(std::move(entries));
}

Value value_of(const kube::PreferredTerm& term) {
  return Value::mapping(
      {{"weight", Value::integer(term.weight)}, {"preference", value_of(term.preference)}});
}

Value value_of(const Term& term) {
  kube::NodeSelectorTerm plain;
  for (const Requirement& r : term.expressions) plain.match_expressions.push_back(r.what);
  for (const Requirement& r : term.fields) plain.match_fields.push_back(r.what);
  return value_of(plain);
}

std::string to_json(const Value& value) {
  std::string text;
  switch (value.kind) {
    case Value::Kind::mapping:
      for (const auto& [key, item] : value.entries) {
        text += text.empty() ? "{" : ",";
        text += quoted(key.text) + ':' + to_json(item);
      }
      return text.empty() ? "{}" : text + '}';
    case Value::Kind::sequence:
      for (const Value& item : value.items) {
        text += text.empty() ? "[" : ",";
        text += to_json(item);
      }
      return text.empty() ? "[]" : text + ']';
    case Value::Kind::alias:
      return quoted('*' + value.text);
    default:
      return scalar_json(value);
  }
}

}  // namespace gpuspec::rewrite
