#pragma once

#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/pod.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// One thing the API server refuses, in its words (kubernetes.md §3).
struct Violation {
  yaml::NodeId node = yaml::no_node;  ///< what to point at
  std::string path;                   ///< spec.tolerations[0].key
  std::string type;                   ///< Invalid value, Required value, Forbidden, …
  std::string value;                  ///< the bad value as the server prints it; may be empty
  std::string detail;

  /// `Invalid value: "x": detail`
  std::string message() const;
};

using Violations = std::vector<Violation>;

/// How the API server is set up.
struct ValidationOptions {
  bool comparison_operators = false;  ///< feature gate TaintTolerationComparisonOperators
};

// Each function checks one field: `node` is its value (no_node: nothing to check), `path` its path,
// with which the paths of the violations begin. What a reader of the right shape would not take
// (a mapping for a list) is not judged here.

Violations validate_tolerations(const yaml::Tree& tree, yaml::NodeId node, const std::string& path,
                                const ValidationOptions& options = {});
Violations validate_taints(const yaml::Tree& tree, yaml::NodeId node, const std::string& path);
/// spec.nodeSelector; labels and the like are checked the same way.
Violations validate_labels(const yaml::Tree& tree, yaml::NodeId node, const std::string& path);
/// affinity.nodeAffinity, required and preferred.
Violations validate_node_affinity(const yaml::Tree& tree, yaml::NodeId node,
                                  const std::string& path);
/// The items of required…nodeSelectorTerms. `label_values`: values must be label values, as in
/// required terms.
Violations validate_node_selector_terms(const yaml::Tree& tree, yaml::NodeId node,
                                        const std::string& path, bool label_values = true);
/// resources of a container. `claims`: names in the pod's resourceClaims.
Violations validate_resources(const yaml::Tree& tree, yaml::NodeId node, const std::string& path,
                              const std::set<std::string>& claims = {});
/// spec.resourceClaims; the names go to `claims`.
Violations validate_resource_claims(const yaml::Tree& tree, yaml::NodeId node,
                                    const std::string& path, std::set<std::string>& claims);
Violations validate_scheduling_gates(const yaml::Tree& tree, yaml::NodeId node,
                                     const std::string& path);

/// All of the above for a pod. `object`: where paths start.
Violations validate_pod(const yaml::Tree& tree, yaml::NodeId object, const Pod& pod,
                        const ValidationOptions& options = {});

}  // namespace gpuspec::kube
