#pragma once

#include <string_view>

// What the labels of nodes tell lint: schemas/labels.yaml, seen from here.
namespace gpuspec::lint {

/// "model", "partition", "count" … as schemas/labels.yaml says; empty for a key that says nothing
/// about accelerators.
std::string_view label_kind(std::string_view key);

/// The cloud whose nodes alone have this label: gcp, aws, azure, oci, digitalocean; empty when it
/// may be on any node. Nodes of two clouds are never one node.
std::string_view label_cloud(std::string_view key);

/// The cloud of a built-in platform; empty for those that run anywhere.
std::string_view platform_cloud(std::string_view platform);

/// Whether a pod that requires this label is sent to nodes with accelerators.
bool chooses_accelerator(std::string_view key);

}  // namespace gpuspec::lint
