#include "cli/config.h"

#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include <yaml-cpp/yaml.h>

#include "core/text/source.h"
#include "core/text/suggest.h"

namespace gpuspec::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view file_name = ".gpuspec.yaml";
constexpr std::array<std::string_view, 5> known_keys = {"profile", "profiles", "platform",
                                                        "workloads", "lint"};

class Loader {
 public:
  explicit Loader(std::string path) { config_.path = std::move(path); }

  Config load() {
    YAML::Node root;
    try {
      const text::Source source = text::Source::open(config_.path);
      root = YAML::Load(std::string(source.bytes()));
    } catch (const std::system_error& error) {
      throw UsageError("the configuration " + config_.path +
                       " cannot be read: " + error.code().message());
    } catch (const YAML::Exception& error) {
      fail(error.mark, error.msg);
    }
    if (root.IsNull()) return config_;
    if (!root.IsMap()) fail(root.Mark(), "expected a mapping");
    for (const auto& entry : root) read(entry.first.Scalar(), entry.first, entry.second);
    return config_;
  }

 private:
  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& problem,
                         std::string hint = {}) const {
    throw UsageError(config_.path + ':' + std::to_string(mark.line + 1) + ':' +
                         std::to_string(mark.column + 1) + ": " + problem,
                     std::move(hint));
  }

  void read(const std::string& key, const YAML::Node& key_node, const YAML::Node& value) {
    if (key == "profile" || key == "profiles") {
      for (const std::string& spec : strings(key, value)) {
        config_.profiles.push_back(beside_config(spec));
      }
    } else if (key == "platform") {
      config_.platform = scalar(key, value);
    } else if (key == "workloads") {
      if (!value.IsSequence()) fail(value.Mark(), "workloads: expected a list");
      for (const YAML::Node& item : value) config_.workloads.push_back(workload(item));
    } else if (key != "lint") {
      const std::string_view near = text::closest(key, known_keys);
      fail(key_node.Mark(), "unknown key \"" + key + '"',
           near.empty() ? "known are profile, platform, workloads and lint"
                        : "did you mean \"" + std::string(near) + "\"?");
    }
  }

  std::string scalar(const std::string& key, const YAML::Node& node) const {
    if (!node.IsScalar() || node.Scalar().empty()) fail(node.Mark(), key + ": expected a text");
    return node.Scalar();
  }

  std::vector<std::string> strings(const std::string& key, const YAML::Node& node) const {
    if (!node.IsSequence()) return {scalar(key, node)};
    std::vector<std::string> texts;
    for (const YAML::Node& item : node) texts.push_back(scalar(key, item));
    return texts;
  }

  kube::UserKind workload(const YAML::Node& node) const {
    if (!node.IsMap()) fail(node.Mark(), "workloads: expected {group, kind, paths}");
    kube::UserKind kind;
    for (const auto& entry : node) {
      const std::string key = entry.first.Scalar();
      if (key == "group") {
        kind.group = entry.second.IsNull() ? "" : entry.second.Scalar();
      } else if (key == "kind") {
        kind.kind = scalar(key, entry.second);
      } else if (key == "paths") {
        kind.paths = strings(key, entry.second);
      } else if (key == "shape") {
        kind.shape = scalar(key, entry.second);
      } else {
        fail(entry.first.Mark(), "workloads: unknown key \"" + key + '"',
             "known are group, kind, paths and shape");
      }
    }
    const std::string wrong = kube::check(kind);
    if (!wrong.empty()) fail(node.Mark(), "workloads: " + wrong);
    return kind;
  }

  /// Files are named as seen from the configuration, built-in profiles by their names.
  std::string beside_config(const std::string& spec) const {
    const fs::path candidate = fs::path(config_.path).parent_path() / spec;
    const std::string file = candidate.string();
    const fs::path without_name = file.substr(0, file.rfind(':'));
    return fs::exists(candidate) || fs::exists(without_name) ? file : spec;
  }

  Config config_;
};

}  // namespace

std::string find_config(const Common& common) {
  if (common.no_config) return {};
  if (!common.config_file.empty()) return common.config_file;
  std::error_code error;
  for (fs::path at = fs::current_path(error); !error; at = at.parent_path()) {
    const fs::path candidate = at / file_name;
    if (fs::is_regular_file(candidate, error)) {
      return at == fs::current_path() ? std::string(file_name) : candidate.string();
    }
    error.clear();
    if (at == at.root_path()) break;
  }
  return {};
}

Config load_config(const Common& common) {
  const std::string path = find_config(common);
  return path.empty() ? Config{} : Loader(path).load();
}

}  // namespace gpuspec::cli
