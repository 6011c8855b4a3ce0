#pragma once

#include <string>
#include <vector>

#include "core/kube/selector.h"
#include "core/rewrite/model.h"

namespace gpuspec::rewrite {

/// Whether some node's label can meet all of these requirements, which are about one key.
bool satisfiable(const std::vector<kube::NodeSelectorRequirement>& requirements);

/// A part of the pod that leaves no node when a requirement is added.
struct Clash {
  Entry* entry = nullptr;             ///< in nodeSelector, or
  Requirement* expression = nullptr;  ///< in a term
  yaml::NodeId node = yaml::no_node;
  std::string says;  ///< `nodeSelector requires KEY=VALUE`
};

/// What contradicts the requirement. Pointers into the model, valid until it changes.
/// `alternatives`: also in the terms that are a profile's alternatives.
std::vector<Clash> clashes(PodModel& pod, const kube::NodeSelectorRequirement& wanted,
                           bool alternatives);

/// `key In [a, b]` as people read it: `key=a` for one value.
std::string describe(const kube::NodeSelectorRequirement& requirement);

}  // namespace gpuspec::rewrite
