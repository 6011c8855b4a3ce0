#include "cli/lint_config.h"

#include <array>
#include <filesystem>
#include <stdexcept>
#include <string_view>

#include <yaml-cpp/yaml.h>

#include "core/text/source.h"
#include "core/text/suggest.h"

namespace gpuspec::cli {
namespace {

constexpr std::array<std::string_view, 9> known_keys = {
    "select",  "ignore",   "severity", "severities",
    "exclude", "baseline", "nodes",    "resourceTolerationsAdded",
    "taints"};

class Loader {
 public:
  explicit Loader(std::string path) : path_(std::move(path)) {}

  LintConfig load() {
    const text::Source source = text::Source::open(path_);
    YAML::Node root;
    try {
      root = YAML::Load(std::string(source.bytes()));
    } catch (const YAML::Exception& error) {
      fail(error.mark, error.msg);
    }
    if (!root.IsMap() || !root["lint"] || root["lint"].IsNull()) return config_;
    const YAML::Node section = root["lint"];
    if (!section.IsMap()) fail(section.Mark(), "lint: expected a mapping");
    for (const auto& entry : section) read(entry.first, entry.second);
    return config_;
  }

 private:
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& problem,
                         std::string hint = {}) const {
    throw UsageError(path_ + ':' + std::to_string(mark.line + 1) + ':' +
                         std::to_string(mark.column + 1) + ": " + problem,
                     std::move(hint));
  }

  void read(const YAML::Node& key_node, const YAML::Node& value) {
    const std::string& key = key_node.Scalar();
    if (key == "select") {
      config_.select = strings(key, value);
    } else if (key == "ignore") {
      config_.ignore = strings(key, value);
    } else if (key == "severity") {
      config_.severity = scalar(key, value);
    } else if (key == "severities") {
      if (!value.IsMap()) fail(value.Mark(), "lint.severities: expected {CODE: SEVERITY}");
      for (const auto& entry : value)
        config_.severities[entry.first.Scalar()] = scalar(key, entry.second);
    } else if (key == "exclude") {
      config_.exclude = strings(key, value);
    } else if (key == "baseline") {
      config_.baseline = beside_config(scalar(key, value));
    } else if (key == "nodes") {
      config_.nodes = beside_config(scalar(key, value));
    } else if (key == "resourceTolerationsAdded") {
      const std::string text = scalar(key, value);
      if (text != "true" && text != "false") fail(value.Mark(), "lint." + key + ": true or false");
      config_.resource_tolerations_added = text == "true";
    } else if (key == "taints") {
      for (const std::string& text : strings(key, value))
        config_.taints.push_back(taint(value, text));
    } else {
      const std::string_view near = text::closest(key, known_keys);
      std::string known;
      for (std::string_view name : known_keys)
        known += (known.empty() ? "" : ", ") + std::string(name);
      fail(key_node.Mark(), "unknown key \"lint." + key + '"',
           near.empty() ? "known are " + known : "did you mean \"" + std::string(near) + "\"?");
    }
  }

  std::string scalar(const std::string& key, const YAML::Node& node) const {
    if (!node.IsScalar() || node.Scalar().empty())
      fail(node.Mark(), "lint." + key + ": expected a text");
    return node.Scalar();
  }

  std::vector<std::string> strings(const std::string& key, const YAML::Node& node) const {
    if (!node.IsSequence()) return {scalar(key, node)};
    std::vector<std::string> texts;
    for (const YAML::Node& item : node) texts.push_back(scalar(key, item));
    return texts;
  }

  /// KEY=VALUE:EFFECT, as kubectl taint takes it.
  kube::Taint taint(const YAML::Node& node, const std::string& text) const {
    try {
      const kube::Toleration parsed = kube::parse_toleration(text);
      return {parsed.key, parsed.value, parsed.effect};
    } catch (const std::invalid_argument& error) {
      fail(node.Mark(), "lint.taints: " + text + ": " + error.what(),
           "nvidia.com/gpu=special:NoSchedule");
    }
  }

  std::string beside_config(const std::string& name) const {
    const std::filesystem::path file(name);
    if (file.is_absolute()) return name;
    const std::filesystem::path folder = std::filesystem::path(path_).parent_path();
    return folder.empty() ? name : (folder / file).string();
  }

  std::string path_;
  LintConfig config_;
};

}  // namespace

LintConfig load_lint_config(const std::string& path) {
  return path.empty() ? LintConfig{} : Loader(path).load();
}

}  // namespace gpuspec::cli
