#pragma once

#include <string>
#include <vector>

#include "core/krm/function_config.h"
#include "core/text/source.h"

// kustomize's legacy exec plugins: the only ones that `kubectl kustomize` runs. kustomize starts
// $PLUGIN_HOME/GROUP/VERSION/LOWERCASE-KIND/KIND with the configuration in a file named by argv[1]
// and the objects on standard input.
namespace gpuspec::krm {

inline constexpr const char* plugin_group = "gpuspec.dev";
inline constexpr const char* plugin_version = "v1alpha1";
inline constexpr const char* plugin_kind = "GpuProfile";

/// Whether kustomize started this process as a plugin: it bears the plugin's name or `argument`,
/// argv[1], is a file as kustomize makes them, and the environment has what kustomize sets. A
/// script that kustomize runs and that calls gpuspec by itself is not taken for it, though it hands
/// the environment on.
bool is_plugin_call(const std::string& program, const std::string& argument);

/// Reads the plugin's configuration. Throws text::Error.
FunctionConfig read_plugin_config(const text::Source& file);

/// The directories where kustomize looks for plugins, in its order, and whether each is there.
struct PluginHome {
  std::string path;
  bool exists = false;
};
std::vector<PluginHome> plugin_homes();

/// Where the plugin's executable has to be below a plugin home.
std::string plugin_path(const std::string& home);

}  // namespace gpuspec::krm
