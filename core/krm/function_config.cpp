#include "core/krm/function_config.h"

#include <algorithm>

#include "core/text/error.h"
#include "core/yaml/change.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace gpuspec::krm {
namespace {

using yaml::no_node;
using yaml::NodeId;

[[noreturn]] void refuse(const yaml::Tree& tree, NodeId node, const std::string& message,
                         const std::string& hint = {}) {
  throw text::Error(tree.base + tree[node].begin, message, hint);
}

std::string text_at(const yaml::Tree& tree, NodeId node, std::string_view key) {
  const NodeId value = yaml::get(tree, node, key);
  if (value == no_node || yaml::type_of(tree, value) == yaml::Type::null) return {};
  if (tree[value].kind != yaml::Kind::scalar) {
    refuse(tree, value, "functionConfig: " + std::string(key) + " is to be a string");
  }
  return yaml::scalar_text(tree, value);
}

bool truth(const yaml::Tree& tree, NodeId holder, std::string_view key) {
  const std::string text = text_at(tree, holder, key);
  if (text.empty() || text == "false") return false;
  if (text == "true") return true;
  refuse(tree, yaml::get(tree, holder, key),
         "functionConfig: " + std::string(key) + " is true or false");
}

/// The settings of the function itself, which are no part of a profile.
constexpr const char* own_keys[] = {"mode", "failOnWarnings", "logFile", "reportFile"};

void read_own(const yaml::Tree& tree, NodeId holder, FunctionConfig& config) {
  const std::string mode = text_at(tree, holder, "mode");
  if (mode == "validate") {
    config.mode = Mode::validate;
  } else if (!mode.empty() && mode != "transform") {
    refuse(tree, yaml::get(tree, holder, "mode"),
           "functionConfig: there is no mode \"" + mode + '"', "transform or validate");
  }
  config.fail_on_warnings = truth(tree, holder, "failOnWarnings");
  config.log_file = text_at(tree, holder, "logFile");
  config.report_file = text_at(tree, holder, "reportFile");
}

/// The YAML of a subtree as a document, on the lines where it is in its source, so that messages
/// about it name the right ones.
std::string document_of(const yaml::Tree& tree, NodeId node) {
  const std::size_t begin = tree[node].begin;
  const std::string_view before = tree.text.substr(0, begin);
  const std::size_t line_start =
      before.rfind('\n') == std::string_view::npos ? 0 : before.rfind('\n') + 1;
  std::string out(static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n')), '\n');
  out.append(begin - line_start, ' ');
  out += tree.raw(node);
  out += '\n';
  return out;
}

/// Takes out of a profile what is addressed to this function or to its host.
std::string without_own_keys(std::string document) {
  yaml::Tree tree;
  yaml::read_document(document, 0, tree);
  yaml::Changes changes(tree);
  const yaml::Place root{0, {}};
  for (const char* key : {"argsOneLiner", "argsFromFile"}) changes.remove(root, key, {});
  if (yaml::get(tree, 0, "spec") != no_node) {
    for (const char* key : own_keys) changes.remove(root / "spec", key, {});
  }
  if (changes.none()) return document;
  return yaml::apply(document, 0, yaml::edits_for(changes));
}

void read_data(const yaml::Tree& tree, NodeId config, FunctionConfig& out) {
  const NodeId data = yaml::get(tree, config, "data");
  if (data == no_node || yaml::type_of(tree, data) == yaml::Type::null) return;
  if (tree[data].kind != yaml::Kind::mapping) {
    refuse(tree, data, "functionConfig: data is to be a mapping");
  }
  read_own(tree, data, out);
  for (const yaml::Found& entry : yaml::entries(tree, data)) {
    const std::string key = yaml::scalar_text(tree, entry.key);
    if (std::find(std::begin(own_keys), std::end(own_keys), key) != std::end(own_keys)) continue;
    out.data.emplace_back(key, text_at(tree, data, key));
  }
}

}  // namespace

FunctionConfig read_function_config(const yaml::Tree& tree, NodeId config) {
  FunctionConfig out;
  if (config == no_node) return out;
  config = tree.resolve(config);
  if (yaml::type_of(tree, config) == yaml::Type::null) return out;
  if (tree[config].kind != yaml::Kind::mapping) {
    refuse(tree, config, "functionConfig is to be an object");
  }
  if (yaml::first_child(tree, config) == no_node) return out;
  const std::string kind = text_at(tree, config, "kind");
  if (kind == "ConfigMap") {
    out.form = FunctionConfig::Form::data;
    read_data(tree, config, out);
  } else if (kind == "GpuProfile") {
    out.form = FunctionConfig::Form::profile;
    const NodeId spec = yaml::get(tree, config, "spec");
    if (spec != no_node) read_own(tree, spec, out);
    out.profile = without_own_keys(document_of(tree, config));
  } else {
    refuse(tree, config, "functionConfig: this function does not know the kind \"" + kind + '"',
           "a GpuProfile (gpuspec.dev/v1alpha1), a ConfigMap whose data are flags, or none");
  }
  return out;
}

}  // namespace gpuspec::krm
