#pragma once

#include <string>
#include <vector>

#include "core/kube/pod.h"
#include "core/profile/profile.h"
#include "core/rewrite/rewrite.h"

// What a manifest says about itself (profile.md §1): gpuspec.dev/profile, gpuspec.dev/accelerator,
// gpuspec.dev/partition, gpuspec.dev/ignore.
namespace gpuspec::rewrite {

struct Choice {
  bool ignore = false;
  std::string profile;
  std::string accelerator;
  std::string partition;
  yaml::NodeId node = yaml::no_node;  ///< the annotations, for messages

  bool empty() const { return profile.empty() && accelerator.empty() && partition.empty(); }
};

/// The annotations of an object, or of a pod template.
Choice read_choice(const yaml::Tree& tree, yaml::NodeId annotations);

/// The object's choice with what the pod template says on top.
Choice choice_of(const yaml::Tree& tree, const kube::Pod& pod, const Choice& object);

/// The profiles to apply instead of the usual ones. Throws text::Error at the annotations.
std::vector<profile::Profile> chosen_profiles(const yaml::Tree& tree, const Choice& choice,
                                              const std::vector<profile::Profile>& usual,
                                              const Settings& settings,
                                              std::vector<Message>& messages);

}  // namespace gpuspec::rewrite
