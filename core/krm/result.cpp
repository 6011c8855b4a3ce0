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

Value json_value(const std::string& json) {
  yaml::Tree tree;
  yaml::read_document(json, 0, tree);
  return yaml::copy_of(tree, 0);
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

ObjectIndex::ObjectIndex(const yaml::Tree& tree, const std::vector<kube::Object>& objects)
    : tree_(tree), objects_(objects) {}

void ObjectIndex::describe(std::size_t offset, Result& result) const {
  const auto begin = [&](const kube::Object& object) {
    return tree_.base + tree_[object.node].begin;
  };
  // Objects lie in document order; what is wrapped comes after its wrapper, which is the one to
  // name (the host knows no other).
  auto found = std::upper_bound(
      objects_.begin(), objects_.end(), offset,
      [&](std::size_t at, const kube::Object& object) { return at < begin(object); });
  while (found != objects_.begin()) {
    const kube::Object& object = *--found;
    if (offset > tree_.base + tree_[object.node].end) continue;
    if (object.path.find('.') != std::string::npos) continue;
    result.api_version = object.api_version;
    result.kind = object.kind;
    result.name = object.name;
    result.name_space = object.name_space;
    for (const char* prefix : {"internal.config.kubernetes.io/", "config.kubernetes.io/"}) {
      if (!result.file.empty()) break;
      result.file = kube::read_label(tree_, object.annotations, std::string(prefix) + "path");
      const std::string index =
          kube::read_label(tree_, object.annotations, std::string(prefix) + "index");
      std::from_chars(index.data(), index.data() + index.size(), result.index);
    }
    return;
  }
}

}  // namespace gpuspec::krm
