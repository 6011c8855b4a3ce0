#pragma once

#include <string>

#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// The first node below `root` that is shaped like a pod spec (a mapping whose `containers` is a
/// list of mappings); no_node when there is none.
yaml::NodeId find_pod_like(const yaml::Tree& tree, yaml::NodeId root);

/// How to get from one node to another below it: spec.groups[0].template.
std::string path_between(const yaml::Tree& tree, yaml::NodeId root, yaml::NodeId node);

}  // namespace gpuspec::kube
