#pragma once

#include <string>
#include <vector>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

// API types read from a tree, aliases and merge keys followed. What has the wrong shape reads as
// empty: whoever edits checks shapes first (core/rewrite/shape.h), whoever lints reports them.
// Scalars that are no strings (`value: true`) read as they are spelled.

Toleration read_toleration(const yaml::Tree& tree, yaml::NodeId mapping);
std::vector<Toleration> read_tolerations(const yaml::Tree& tree, yaml::NodeId sequence);

NodeSelectorRequirement read_requirement(const yaml::Tree& tree, yaml::NodeId mapping);
NodeSelectorTerm read_term(const yaml::Tree& tree, yaml::NodeId mapping);
std::vector<NodeSelectorTerm> read_terms(const yaml::Tree& tree, yaml::NodeId sequence);
std::vector<PreferredTerm> read_preferred(const yaml::Tree& tree, yaml::NodeId sequence);

/// A sequence of strings.
std::vector<std::string> read_strings(const yaml::Tree& tree, yaml::NodeId sequence);

/// The path from a node down to another one, as people write it: `spec.containers[0].name`; empty
/// when it is the same node or lies elsewhere.
std::string path_in_object(const yaml::Tree& tree, yaml::NodeId from, yaml::NodeId to);

}  // namespace gpuspec::kube
