#pragma once

#include <string>
#include <utility>
#include <vector>

#include "core/yaml/tree.h"

namespace gpuspec::krm {

/// What the function is to do with the items.
enum class Mode {
  transform,  ///< rewrite them
  validate,   ///< report what would change and what lint finds; answer with no items
};

/// What a functionConfig, or the configuration of a legacy kustomize plugin, asks for.
struct FunctionConfig {
  enum class Form {
    absent,
    profile,  ///< a GpuProfile
    data,     ///< a ConfigMap whose data are flags of the command line
  };
  Form form = Form::absent;
  std::string profile;  ///< the GpuProfile as YAML for the profile loader, lines as in the source
  std::vector<std::pair<std::string, std::string>> data;  ///< name without dashes, value
  // spec.mode, spec.failOnWarnings … of a GpuProfile, or the same names in the data.
  Mode mode = Mode::transform;
  bool fail_on_warnings = false;
  std::string log_file;
  std::string report_file;
};

/// Reads a functionConfig: a GpuProfile, a ConfigMap, or nothing (no_node, null, {}). Throws
/// text::Error for anything else.
FunctionConfig read_function_config(const yaml::Tree& tree, yaml::NodeId config);

}  // namespace gpuspec::krm
