#include "core/rewrite/annotations.h"

#include "core/profile/error.h"
#include "core/profile/load.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {

Choice read_choice(const yaml::Tree& tree, yaml::NodeId annotations) {
  Choice choice;
  if (annotations == yaml::no_node ||
      tree.raw(tree.resolve(annotations)).find("gpuspec.dev/") == std::string_view::npos)
    return choice;
  choice.node = annotations;
  choice.ignore = kube::read_label(tree, annotations, "gpuspec.dev/ignore") == "true";
  choice.profile = kube::read_label(tree, annotations, "gpuspec.dev/profile");
  choice.accelerator = kube::read_label(tree, annotations, "gpuspec.dev/accelerator");
  choice.partition = kube::read_label(tree, annotations, "gpuspec.dev/partition");
  return choice;
}

Choice choice_of(const yaml::Tree& tree, const kube::Pod& pod, const Choice& object) {
  if (pod.template_metadata == yaml::no_node) return object;
  Choice own = read_choice(tree, yaml::get(tree, pod.template_metadata, "annotations"));
  if (own.node == yaml::no_node) return object;
  own.ignore = own.ignore || object.ignore;
  if (own.profile.empty()) own.profile = object.profile;
  if (own.accelerator.empty()) own.accelerator = object.accelerator;
  if (own.partition.empty()) own.partition = object.partition;
  return own;
}

std::vector<profile::Profile> chosen_profiles(const yaml::Tree& tree, const Choice& choice,
                                              const std::vector<profile::Profile>& usual,
                                              const Settings& settings,
                                              std::vector<Message>& messages) {
  const std::size_t offset = tree.base + tree[choice.node].begin;
  std::vector<profile::Profile> result;
  for (const profile::Profile& base : usual) {
    // A chosen profile takes the place of all others.
    if (!choice.profile.empty() && !result.empty()) break;
    if (settings.loaded == nullptr) {
      if (!choice.profile.empty())
        throw text::Error(offset, "gpuspec.dev/profile: no profile is called " + choice.profile);
      profile::Profile profile = base;
      if (!profile.device_by_flag && !choice.accelerator.empty())
        profile.accelerator = choice.accelerator;
      if (!profile.device_by_flag && !choice.partition.empty())
        profile.partition = choice.partition;
      result.push_back(std::move(profile));
      continue;
    }
    try {
      profile::Warnings warnings;
      result.push_back(profile::choose(*settings.loaded, base, choice.profile, choice.accelerator,
                                       choice.partition, warnings));
      for (const profile::Warning& warning : warnings)
        messages.push_back({Message::Level::warning, offset, warning.text});
    } catch (const profile::Error& error) {
      throw text::Error(offset, error.what(), error.hint());
    }
  }
  return result;
}

}  // namespace gpuspec::rewrite
