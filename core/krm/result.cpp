#include "core/krm/result.h"

#include <algorithm>
#include <charconv>

#include "core/text/error.h"
#include "core/yaml/change.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace gpuspec::krm {
namespace {

using yaml::Value;

const char* word(Result::Severity severity) {
  switch (severity) {
    case Result::Severity::error:
      return "error";
    case Result::Severity::warning:
      return "warning";
    case Result::Severity::info:
      return "info";
  }
  return "error";
}

/// JSON's meaning, to be spelled as the list around it is.
Value json_node(const yaml::Tree& tree, yaml::NodeId node) {
  if (tree[node].kind == yaml::Kind::mapping) {
    Value out = Value::mapping();
    for (const yaml::Found& entry : yaml::entries(tree, node)) {
      out.entries.emplace_back(Value::string(yaml::scalar_text(tree, entry.key)),
                               json_node(tree, entry.value));
    }
    return out;
  }
  if (tree[node].kind == yaml::Kind::sequence) {
    Value out = Value::sequence();
    for (const yaml::NodeId item : yaml::items(tree, node)) {
      out.items.push_back(json_node(tree, item));
    }
    return out;
  }
  const std::string text = yaml::scalar_text(tree, node);
  return yaml::type_of(tree, node) == yaml::Type::string ? Value::string(text) : Value::plain(text);
}

Value json_value(const std::string& json) {
  yaml::Tree tree;
  yaml::read_document(json, 0, tree);
  return json_node(tree, 0);
}

}  // namespace

Value to_value(const Result& result) {
  Value out = Value::mapping();
  const auto put = [](Value& mapping, std::string_view key, Value value) {
    mapping.entries.emplace_back(Value::string(key), std::move(value));
  };
  put(out, "message", Value::string(result.message));
  put(out, "severity", Value::string(word(result.severity)));
  if (!result.name.empty()) {
    Value ref = Value::mapping();
    put(ref, "apiVersion", Value::string(result.api_version));
    put(ref, "kind", Value::string(result.kind));
    put(ref, "name", Value::string(result.name));
    if (!result.name_space.empty()) put(ref, "namespace", Value::string(result.name_space));
    put(out, "resourceRef", std::move(ref));
    // The specification has a field only together with an object.
    if (!result.field.empty()) {
      Value field = Value::mapping();
      put(field, "path", Value::string(result.field));
      if (!result.proposed.empty()) put(field, "proposedValue", json_value(result.proposed));
      put(out, "field", std::move(field));
    }
  }
  if (!result.file.empty()) {
    Value file = Value::mapping();
    put(file, "path", Value::string(result.file));
    if (result.index != 0) put(file, "index", Value::integer(result.index));
    put(out, "file", std::move(file));
  }
  if (!result.rule.empty()) {
    put(out, "tags", Value::mapping({{"rule", Value::string(result.rule)}}));
  }
  return out;
}

std::string with_results(std::string text, const std::vector<Result>& results) {
  if (results.empty()) return text;
  yaml::Tree tree;
  for (const yaml::Segment& segment : yaml::split_documents(text)) {
    yaml::read_document(std::string_view(text).substr(segment.begin, segment.end - segment.begin),
                        segment.begin, tree);
    if (tree.has_content) break;
  }
  yaml::Changes changes(tree);
  const yaml::Place place{0, {"results"}};
  for (const Result& result : results) changes.append(place, to_value(result), {});
  return yaml::apply(text, 0, yaml::edits_for(changes));
}

ItemIndex::ItemIndex(const yaml::Tree& tree, yaml::NodeId items) : tree_(tree) {
  if (items != yaml::no_node && tree[items].kind == yaml::Kind::sequence) {
    items_ = yaml::items(tree, items);
  }
}

void ItemIndex::describe(std::size_t offset, Result& result) const {
  const auto after = std::upper_bound(
      items_.begin(), items_.end(), offset,
      [&](std::size_t at, yaml::NodeId item) { return at < tree_.base + tree_[item].begin; });
  if (after == items_.begin()) return;
  const yaml::NodeId item = *(after - 1);
  if (offset > tree_.base + tree_[item].end) return;
  const yaml::NodeId metadata = yaml::get(tree_, item, "metadata");
  result.api_version = yaml::get_text(tree_, item, "apiVersion").value_or("");
  result.kind = yaml::get_text(tree_, item, "kind").value_or("");
  result.name = yaml::get_text(tree_, metadata, "name").value_or("");
  result.name_space = yaml::get_text(tree_, metadata, "namespace").value_or("");
  const yaml::NodeId annotations = yaml::get(tree_, metadata, "annotations");
  for (const std::string prefix : {"internal.config.kubernetes.io/", "config.kubernetes.io/"}) {
    if (!result.file.empty()) break;
    result.file = yaml::get_text(tree_, annotations, prefix + "path").value_or("");
    const std::string index = yaml::get_text(tree_, annotations, prefix + "index").value_or("");
    std::from_chars(index.data(), index.data() + index.size(), result.index);
  }
}

}  // namespace gpuspec::krm
