#pragma once

#include <string_view>

#include "core/krm/function_config.h"
#include "core/text/source.h"
#include "core/yaml/tree.h"

namespace gpuspec::krm {

/// Whether the input is what a KRM function is given: one document, an object of kind ResourceList
/// in the group config.kubernetes.io. Looks at the edges of large input only.
bool is_resource_list(std::string_view input);

/// A ResourceList (KRM Functions Specification), read.
struct ResourceList {
  yaml::Tree tree;
  yaml::NodeId items = yaml::no_node;
  yaml::NodeId results = yaml::no_node;
  FunctionConfig config;
};

/// Reads it. Throws text::Error for input that is none.
ResourceList read_resource_list(const text::Source& source);

}  // namespace gpuspec::krm
