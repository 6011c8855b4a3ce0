#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/kube/pod.h"
#include "core/kube/selector.h"
#include "core/profile/profile.h"
#include "core/rewrite/model.h"

namespace gpuspec::rewrite {

/// A profile made ready for use on many objects.
class Selection {
 public:
  /// Throws profile::Error for a label selector that cannot be read.
  explicit Selection(const profile::Profile& profile);

  /// Whether the profile's select (kinds, names, namespaces, labels) takes this object.
  bool takes(const yaml::Tree& tree, const kube::Object& object) const;

 private:
  const profile::Select* select_;
  std::optional<kube::LabelSelector> labels_;
};

/// The containers that rules about containers change: those the profile names; else those that ask
/// for the accelerator; else the first one that is no init container.
std::vector<std::size_t> selected_containers(const PodModel& pod, const profile::Profile& profile);

/// The containers that get `gpus`: likewise, but those that ask for the resource in force first.
std::vector<std::size_t> containers_for_gpus(const PodModel& pod, const profile::Profile& profile);

/// kind/namespace/name or kind/name, for reports.
std::string object_name(const kube::Object& object);

}  // namespace gpuspec::rewrite
