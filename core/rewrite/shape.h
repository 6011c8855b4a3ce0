#pragma once

#include <string>

#include "core/kube/pod.h"
#include "core/yaml/tree.h"

namespace gpuspec::rewrite {

/// Throws text::Error unless the node is of this kind (an alias is followed), null or absent. The
/// message says `path: expected a mapping, found a string`.
void expect_kind(const yaml::Tree& tree, yaml::NodeId node, yaml::Kind kind,
                 const std::string& path);

/// The shapes that people write by mistake and that hide an accelerator from every reader: limits
/// or requests beside `resources`, resource names directly under it. Throws text::Error that says
/// where they belong.
void refuse_misplaced(const yaml::Tree& tree, const kube::Container& container);

}  // namespace gpuspec::rewrite
