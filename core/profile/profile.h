#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/kube/workload.h"
#include "core/profile/error.h"
#include "core/yaml/value.h"

namespace gpuspec::profile {

enum class SelectorStyle { affinity, node_selector };
enum class Conflict { keep, replace, error };

/// A mapping whose order counts.
using Pairs = std::vector<std::pair<std::string, std::string>>;
using Fields = std::vector<std::pair<std::string, yaml::Value>>;

/// Which pods and containers a profile applies to. Lists are ORed, fields ANDed, globs allowed in
/// names; an empty list selects everything.
struct Select {
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> namespaces;
  std::string label_selector;  ///< kubectl's -l syntax
  std::vector<std::string> containers;
  bool all_pods = false;  ///< pods: all; also pods that ask for no accelerator
  /// Without container names: the first container that is no init container, whichever asks for
  /// the accelerator (KubeSpawner's notebook).
  bool first_container = false;
};

/// A resource name and its quantity; nullopt removes the resource.
using ResourceChanges = std::map<std::string, std::optional<std::string>>;

/// Names that differ by what is asked for: Flyte's accelerator-device-classes, and what a platform
/// says for GPUs, TPUs and so on. Unset fields: what the profile itself says.
struct DeviceClass {
  std::string name;  ///< NVIDIA_GPU, GOOGLE_TPU, …
  std::optional<std::string> resource;
  std::optional<std::string> device_label;
  std::optional<std::string> partition_label;
  std::optional<kube::NodeSelectorRequirement> unpartitioned_requirement;
  std::optional<kube::Toleration> unpartitioned_toleration;
  // What pods that name a device of this class get besides (Flyte's pod-template of the class).
  std::vector<kube::Toleration> tolerations;
  Pairs node_selector;
  std::vector<kube::NodeSelectorTerm> alternatives;
  std::vector<kube::PreferredTerm> preferred;
  Fields pod_defaults;
};

/// How the names that people use for devices become label values, and what else hangs on the name.
/// Only the loader needs it (core/profile/resolve.h); rules look at the resolved fields of Profile.
struct Vocabulary {
  std::string platform;   ///< a built-in one, whose tables know devices by alias; may be empty
  Pairs devices;          ///< name to label value; looked up before the platform's tables
  bool verbatim = false;  ///< Flyte: a name that `devices` lacks is the label value, whatever it is
  std::vector<DeviceClass> classes;
  std::string device_class;    ///< of `classes`, asked for by name; empty: by the device
  bool class_by_flag = false;  ///< --device-class: it counts even when no device is named
  bool lenient = false;        ///< Flyte: sizes that a device does not have are a warning only
  Place accelerator_at;        ///< where the profile names the device, for messages
  Place partition_at;
};

/// What changes when the pod may be interrupted (--interruptible), and when it may not.
struct Interruptible {
  std::vector<kube::Toleration> tolerations;
  Pairs node_selector;  ///< wins over what the pod and the profile say
  std::vector<kube::NodeSelectorRequirement> required;
  std::vector<kube::NodeSelectorRequirement> required_otherwise;  ///< of pods that may not
};

/// What GPU pods need (profile.md §1). Unset fields leave the manifest alone, or take the default
/// that semantics.md names. The flags of the command line fill the same struct.
struct Profile {
  std::string name;
  std::string source;       ///< file, for messages
  std::string description;  ///< annotation gpuspec.dev/description
  bool on_request =
      false;  ///< applies only when it is named: FILE:NAME, or a manifest's annotation
  Select select;
  std::optional<std::string> resource;  ///< default nvidia.com/gpu
  std::optional<long long> gpus;
  std::optional<std::string> accelerator;  ///< label value, aliases already resolved
  std::optional<std::string> partition;
  bool unpartitioned = false;
  std::optional<std::string> device_label;  ///< node label keys
  std::optional<std::string> partition_label;
  std::optional<SelectorStyle> selector_style;
  /// By resource name, in the order given. A resource without entry: {RESOURCE, Exists, NoSchedule}
  /// unless default_resource_tolerations is false. A name need not be an accelerator's: whatever a
  /// container lists in its limits or requests counts (Flyte allows cpu and ephemeral-storage).
  std::vector<std::pair<std::string, std::vector<kube::Toleration>>> resource_tolerations;
  std::optional<bool> default_resource_tolerations;  ///< default true
  std::optional<bool> device_tolerations;            ///< default true
  std::optional<kube::NodeSelectorRequirement> unpartitioned_requirement;
  std::optional<kube::Toleration> unpartitioned_toleration;
  std::vector<kube::Toleration> tolerations;
  Pairs node_selector;
  std::vector<kube::NodeSelectorRequirement> required;  ///< added to every required term
  std::vector<kube::PreferredTerm> preferred;
  ResourceChanges requests;
  ResourceChanges limits;
  Pairs env;
  std::optional<std::string> runtime_class;
  std::optional<std::string> priority_class;
  std::optional<std::string> scheduler;
  std::optional<std::string> shared_memory;
  std::optional<std::string> image;
  Pairs template_labels;
  Pairs template_annotations;
  std::optional<Conflict> conflict;
  bool all_extended_resources = false;

  // What only the dialects and the platforms need.

  /// The resources that ask for the accelerator, when it is these and no others (Flyte). Unset: the
  /// table, `resource`, and the names in resource_tolerations.
  std::optional<std::vector<std::string>> accelerator_resources;
  /// Further requirements and tolerations of the named device (Karpenter's instance-gpu-memory that
  /// tells two A100 apart; GKE's arm64 taint). As `required` and `tolerations`, but, like the
  /// device label, only for pods that ask for the accelerator; with style nodeSelector an In with
  /// one value becomes an entry.
  std::vector<kube::NodeSelectorRequirement> device_required;
  std::vector<kube::Toleration> device_also_tolerated;
  /// nodeSelector entries that replace what the pod has, whatever `conflict` says (Flyte's
  /// interruptible-node-selector).
  Pairs node_selector_overrides;
  /// The pod must match one of these terms besides what it requires already: with no terms of its
  /// own they become its terms; one term is added to each of the pod's; several give every
  /// combination of a pod's term and one of these (KubeSpawner's node_affinity_required).
  std::vector<kube::NodeSelectorTerm> required_terms;
  /// Terms put before the pod's own required terms as further alternatives (terms are ORed);
  /// `required` is not added to them, the device's and partition's requirements are (Flyte's class
  /// pod-template).
  std::vector<kube::NodeSelectorTerm> alternatives;
  /// The whole `affinity` of pods that have no such key (or null); the other rules then work on it
  /// (Flyte's default-affinity).
  std::optional<yaml::Value> default_affinity;
  /// Environment variables that are not plain text: name, and the body (valueFrom: …).
  Fields env_from;
  /// Variables and nodeSelector entries that are removed where they are (KubeSpawner's null).
  std::vector<std::string> env_removed;
  std::vector<std::string> node_selector_removed;
  /// Fields of the pod spec that are set when the pod has none, without a word when it has.
  Fields pod_defaults;
  /// Fields of the pod spec and of the selected containers that replace what is there, after all
  /// other rules (KubeSpawner's extra_pod_config and extra_container_config).
  Fields pod_fields;
  Fields container_fields;

  /// Kinds of manifests that this profile adds (semantics.md §6).
  std::vector<kube::UserKind> workloads;

  Vocabulary vocabulary;
  Interruptible interruptible;
  int origin = -1;  ///< its number in Loaded::choosable
  /// The device was named by a flag: a manifest's annotation does not change it.
  bool device_by_flag = false;
};

}  // namespace gpuspec::profile
