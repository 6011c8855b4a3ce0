#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"

namespace gpuspec::profile {

enum class SelectorStyle { affinity, node_selector };
enum class Conflict { keep, replace, error };

/// Which pods and containers a profile applies to. Lists are ORed, fields ANDed, globs allowed in
/// names; an empty list selects everything.
struct Select {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> namespaces;
  std::string label_selector;  ///< kubectl's -l syntax
  std::vector<std::string> containers;
  bool all_pods = false;       ///< pods: all; also pods that ask for no accelerator
};

/// A resource name and its quantity; nullopt removes the resource.
using ResourceChanges = std::map<std::string, std::optional<std::string>>;

/// What GPU pods need (profile.md §1). Unset fields leave the manifest alone, or take the default
/// that semantics.md names. The flags of the command line fill the same struct.
struct Profile {
  std::string name;
  std::string source;       ///< file, for messages
  Select select;
  std::optional<std::string> resource;     ///< default nvidia.com/gpu
  std::optional<long long> gpus;
  std::optional<std::string> accelerator;  ///< label value, aliases already resolved
  std::optional<std::string> partition;
  bool unpartitioned = false;
  std::optional<std::string> device_label;     ///< node label keys
  std::optional<std::string> partition_label;
  std::optional<SelectorStyle> selector_style;
  /// By resource name, in the order given. A resource without entry: {RESOURCE, Exists, NoSchedule}
  /// unless default_resource_tolerations is false.
  std::vector<std::pair<std::string, std::vector<kube::Toleration>>> resource_tolerations;
  std::optional<bool> default_resource_tolerations;  ///< default true
  std::optional<bool> device_tolerations;            ///< default true
  std::optional<kube::NodeSelectorRequirement> unpartitioned_requirement;
  std::optional<kube::Toleration> unpartitioned_toleration;
  std::vector<kube::Toleration> tolerations;
  std::vector<std::pair<std::string, std::string>> node_selector;
  std::vector<kube::NodeSelectorRequirement> required;  ///< added to every required term
  std::vector<kube::PreferredTerm> preferred;
  ResourceChanges requests;
  ResourceChanges limits;
  std::vector<std::pair<std::string, std::string>> env;
  std::optional<std::string> runtime_class;
  std::optional<std::string> priority_class;
  std::optional<std::string> scheduler;
  std::optional<std::string> shared_memory;
  std::optional<std::string> image;
  std::vector<std::pair<std::string, std::string>> template_labels;
  std::vector<std::pair<std::string, std::string>> template_annotations;
  std::optional<Conflict> conflict;
  bool all_extended_resources = false;
};

}  // namespace gpuspec::profile
