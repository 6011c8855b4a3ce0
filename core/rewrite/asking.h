#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kube/pod.h"
#include "core/profile/profile.h"
#include "core/rewrite/model.h"

// Who asks for an accelerator (semantics.md §1).
namespace gpuspec::rewrite {

/// Flyte's generic name, which becomes the resource in force.
inline constexpr std::string_view generic_resource = "gpu";

/// The accelerator's extended resource.
std::string_view resource_in_force(const profile::Profile& profile);

/// Whether a container that names this resource asks for an accelerator.
bool is_asked_by(const profile::Profile& profile, std::string_view resource);

/// Whether it asks for the accelerator that the profile's device is one of: the resource in force,
/// another one of its vendor, or one that the profile lists.
bool is_the_accelerator(const profile::Profile& profile, std::string_view resource);

/// Whether the profile gives its containers an accelerator: by a number, or in its limits and
/// requests.
bool gives_accelerator(const profile::Profile& profile);

/// Whether a pod of the manifest asks, generic name included. Reads no more than it must.
bool asks(const yaml::Tree& tree, const kube::Pod& pod, const profile::Profile& profile);

/// Likewise for a model and its containers.
bool asks(const PodModel& pod, const profile::Profile& profile);
bool asks(const ContainerModel& container, const profile::Profile& profile);

/// Whether the container names the resource with a quantity other than zero.
bool asks_for(const ContainerModel& container, std::string_view resource);

/// All resources that a pod's containers name with a quantity other than zero, sorted, each once.
std::vector<std::string> resources_of(const PodModel& pod);

}  // namespace gpuspec::rewrite
