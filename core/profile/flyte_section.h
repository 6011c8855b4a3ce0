#pragma once

#include <string>
#include <vector>

#include "core/profile/node.h"

namespace gpuspec::profile {

/// The `plugins.k8s` section of a Flyte configuration and its path.
struct FlyteSection {
  const Node* node = nullptr;
  std::string path;
  bool found = false;  ///< also when there is nothing in it
};

/// Looks at the top, in flyte-core's configmap.k8s, in flyte-binary's configuration.inline, then at
/// any depth (charts that contain these charts).
FlyteSection find_flyte_section(const std::vector<Node>& documents);

/// The section with its keys as gpuspec reads them. Flyte's decoder does not look at case: its own
/// keys become lower case, fields of Kubernetes types get their usual spelling; keys that are
/// people's own (labels, resources, device names) stay.
Node normalise_flyte(const Node& section);

}  // namespace gpuspec::profile
