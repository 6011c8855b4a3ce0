#include "core/krm/kustomize_plugin.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

#include "core/text/error.h"
#include "core/yaml/reader.h"

namespace gpuspec::krm {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

}  // namespace

bool is_plugin_call(const std::string& program, const std::string& argument) {
  // The text of the configuration is left out of the environment when it is very long; the root is
  // always there.
  if (std::getenv("KUSTOMIZE_PLUGIN_CONFIG_ROOT") == nullptr &&
      std::getenv("KUSTOMIZE_PLUGIN_CONFIG_STRING") == nullptr) {
    return false;
  }
  if (program == plugin_kind) return true;
  return std::filesystem::path(argument).filename().string().starts_with("kust-plugin-config-");
}

FunctionConfig read_plugin_config(const text::Source& file) {
  yaml::Tree tree;
  yaml::read_document(file.bytes(), 0, tree);
  if (!tree.has_content) throw text::Error(0, "the plugin configuration is empty");
  return read_function_config(tree, 0);
}

std::vector<PluginHome> plugin_homes() {
  std::vector<PluginHome> homes;
  const auto add = [&](const std::string& base, const std::string& below) {
    if (base.empty()) return;
    const std::string path = base + below;
    std::error_code ignored;
    homes.push_back({path, std::filesystem::is_directory(path, ignored)});
  };
  const std::string home = environment("HOME");
  add(environment("KUSTOMIZE_PLUGIN_HOME"), "");
  add(environment("XDG_CONFIG_HOME"), "/kustomize/plugin");
  add(home, "/.config/kustomize/plugin");
  add(home, "/kustomize/plugin");
  return homes;
}

std::string plugin_path(const std::string& home) {
  std::string directory = plugin_kind;
  std::transform(directory.begin(), directory.end(), directory.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; });
  return home + '/' + plugin_group + '/' + plugin_version + '/' + directory + '/' + plugin_kind;
}

}  // namespace gpuspec::krm
