#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/profile/profile.h"
#include "core/rewrite/model.h"
#include "core/rewrite/rewrite.h"

// The rules, one file each. Each reads and changes the model of one pod as one profile wants it;
// none touches text. apply_profile() runs them in the order in which they depend on each other.
namespace gpuspec::rewrite {

/// What a rule works on.
struct Work {
  const profile::Profile& profile;
  PodModel& pod;
  std::vector<Message>& messages;
  std::vector<std::size_t> containers;  ///< those that rules about containers change
  std::vector<std::string> resources;   ///< all that the pod's containers ask for, sorted
  bool asks_accelerator = false;        ///< the one the profile's device is one of
  bool device_kept = false;             ///< the pod's own device stays (conflict: keep)
  bool partition_kept = false;

  /// Offset of a node of the manifest; of the pod for no_node.
  std::size_t offset(yaml::NodeId node) const;
  /// `Deployment/ml/train: spec.template.spec`: how messages begin.
  std::string where() const;
  void warn(yaml::NodeId node, const std::string& text) const;
  void note(yaml::NodeId node, const std::string& text) const;
  /// The end of a reason: ` (profile NAME)`, or nothing for flags.
  std::string by_profile() const;
};

/// Node label keys of the device and the partition: the profile's, else Flyte's.
std::string device_label(const profile::Profile& profile);
std::string partition_label(const profile::Profile& profile);

/// Decides a conflict: true when what the manifest has is to be replaced. Warns when it is kept,
/// throws text::Error when the profile wants an error. `consequence`: what keeping means.
bool may_replace(const Work& work, yaml::NodeId node, const std::string& has,
                 const std::string& wants, const std::string& consequence);

/// Sets a field that holds one string when it is absent; the conflict rule decides otherwise.
void set_scalar(Work& work, Scalar& field, const std::string& value, std::string_view name,
                std::string_view rule);

void name_generic_resource(Work& work);  ///< Flyte's `gpu`
void merge_resources(Work& work);        ///< requests, limits
void set_gpus(Work& work);               ///< gpus, and Ray's own counts
void complete_limits(Work& work);        ///< a lone request gets its limit
void tell_ray(Work& work);               ///< of GPUs that KubeRay does not count by itself
void set_defaults(Work& work);           ///< default_affinity, pod_defaults
void select_nodes(Work& work);           ///< device, partition, node_selector, required, preferred
void add_tolerations(Work& work);
void set_environment(Work& work);
void add_shared_memory(Work& work);
void set_fields(Work& work);       ///< runtime class, priority class, scheduler, image
void label_template(Work& work);   ///< labels and annotations of the pod template
void override_fields(Work& work);  ///< pod_fields, container_fields

/// All rules of a profile on a pod.
void apply_profile(const profile::Profile& profile, PodModel& pod, std::vector<Message>& messages);

}  // namespace gpuspec::rewrite
