#include "core/rewrite/select.h"

#include <algorithm>
#include <cctype>
#include <stdexcept>
#include <string_view>

#include "core/kube/glob.h"
#include "core/profile/error.h"
#include "core/rewrite/asking.h"

namespace gpuspec::rewrite {
namespace {

std::string lower(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool any_matches(const std::vector<std::string>& patterns, std::string_view text) {
  return std::any_of(patterns.begin(), patterns.end(),
                     [&](const std::string& pattern) { return kube::matches_glob(pattern, text); });
}

std::vector<std::size_t> first_container(const PodModel& pod) {
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    if (!pod.containers[i].at->init) return {i};
  }
  return {};
}

template <typename Predicate>
std::vector<std::size_t> containers_that(const PodModel& pod, Predicate predicate) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < pod.containers.size(); ++i) {
    if (predicate(pod.containers[i])) result.push_back(i);
  }
  return result;
}

bool chooses_containers(const profile::Select& select) {
  return !select.containers.empty() || select.first_container;
}

}  // namespace

Selection::Selection(const profile::Profile& profile) : select_(&profile.select) {
  if (select_->label_selector.empty()) return;
  try {
    labels_.emplace(select_->label_selector);
  } catch (const std::invalid_argument& error) {
    throw profile::Error(profile::Place{.file = profile.source, .snippet = {}}, error.what());
  }
}

bool Selection::takes(const yaml::Tree& tree, const kube::Object& object) const {
  const auto kind_matches = [&](const std::string& pattern) {
    return kube::matches_glob(lower(pattern), lower(object.kind));
  };
  if (!select_->kinds.empty() &&
      std::none_of(select_->kinds.begin(), select_->kinds.end(), kind_matches))
    return false;
  if (!select_->names.empty() && !any_matches(select_->names, object.name)) return false;
  // A manifest without namespace goes to the one of the context; `default` is the usual one.
  const std::string name_space = object.name_space.empty() ? "default" : object.name_space;
  if (!select_->namespaces.empty() && !any_matches(select_->namespaces, name_space)) return false;
  return !labels_ || labels_->matches(kube::read_labels(tree, object.labels));
}

std::vector<std::size_t> selected_containers(const PodModel& pod, const profile::Profile& profile) {
  if (!profile.select.containers.empty())
    return containers_that(pod, [&](const ContainerModel& container) {
      return any_matches(profile.select.containers, container.at->name);
    });
  if (!profile.select.first_container) {
    auto asking = containers_that(
        pod, [&](const ContainerModel& container) { return asks(container, profile); });
    if (!asking.empty()) return asking;
  }
  return first_container(pod);
}

std::vector<std::size_t> containers_for_gpus(const PodModel& pod, const profile::Profile& profile) {
  if (!chooses_containers(profile.select)) {
    auto asking = containers_that(pod, [&](const ContainerModel& container) {
      return asks_for(container, resource_in_force(profile));
    });
    if (!asking.empty()) return asking;
  }
  return selected_containers(pod, profile);
}

std::string object_name(const kube::Object& object) {
  std::string name = object.kind;
  if (!object.name_space.empty()) name += '/' + object.name_space;
  if (!object.name.empty()) name += '/' + object.name;
  return name;
}

}  // namespace gpuspec::rewrite
