#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/command.h"
#include "core/kube/toleration.h"

namespace gpuspec::cli {

/// The `lint` section of .gpuspec.yaml. Flags of the command line win over it.
struct LintConfig {
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::string severity;                           ///< that makes lint fail
  std::map<std::string, std::string> severities;  ///< by code or name: instead of the rule's own
  std::vector<std::string> exclude;               ///< globs of paths that are not looked at
  std::string baseline;                           ///< files as seen from the configuration
  std::string nodes;
  bool resource_tolerations_added = false;  ///< the cluster runs ExtendedResourceToleration
  std::vector<kube::Taint> taints;          ///< of the cluster's accelerator nodes
};

/// Reads the section from a configuration file (find_config()); empty for an empty path. Throws
/// UsageError with file, line and column.
LintConfig load_lint_config(const std::string& path);

}  // namespace gpuspec::cli
