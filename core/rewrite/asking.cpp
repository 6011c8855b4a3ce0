#include "core/rewrite/asking.h"

#include <algorithm>
#include <set>

#include "core/accelerator/resources.h"
#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

bool is_zero(std::string_view quantity) {
  const auto value = kube::Quantity::parse(quantity);
  return value && value->is_zero();
}

bool lists(const profile::Profile& profile, std::string_view resource) {
  return std::any_of(profile.resource_tolerations.begin(), profile.resource_tolerations.end(),
                     [&](const auto& entry) { return entry.first == resource; });
}

bool counts(std::string_view resource, const profile::Profile& profile) {
  return resource == generic_resource || is_asked_by(profile, resource);
}

/// Whether an entry of limits or requests in the manifest asks.
bool list_asks(const yaml::Tree& tree, yaml::NodeId list, const profile::Profile& profile) {
  if (list == yaml::no_node) return false;
  list = tree.resolve(list);
  if (tree[list].kind != yaml::Kind::mapping) return false;
  const auto entry_asks = [&](yaml::NodeId key, yaml::NodeId value) {
    key = tree.resolve(key);
    value = tree.resolve(value);
    if (tree[key].kind != yaml::Kind::scalar || tree[value].kind != yaml::Kind::scalar)
      return false;
    std::string buffer;
    if (!counts(yaml::scalar_text(tree, key, buffer), profile)) return false;
    if (yaml::type_of(tree, value) == yaml::Type::null) return false;
    return !is_zero(yaml::scalar_text(tree, value, buffer));
  };
  for (yaml::NodeId key = yaml::first_child(tree, list); key != yaml::no_node;) {
    const yaml::NodeId value = yaml::value_of(tree, key);
    if (tree.raw(key) == "<<") {
      const auto all = yaml::entries(tree, list);
      return std::any_of(all.begin(), all.end(), [&](const yaml::Found& entry) {
        return entry_asks(entry.key, entry.value);
      });
    }
    if (entry_asks(key, value)) return true;
    key = yaml::next_sibling(tree, list, value);
  }
  return false;
}

bool entries_ask(const Entries& entries, const profile::Profile& profile) {
  return std::any_of(entries.all().begin(), entries.all().end(), [&](const Entry& entry) {
    return !entry.removed && counts(entry.key, profile) && !entry.value.empty() &&
           !is_zero(entry.value);
  });
}

bool shape_asks(const kube::Pod& pod, const profile::Profile& profile) {
  return std::any_of(pod.asks.begin(), pod.asks.end(), [&](const kube::Ask& ask) {
    return ask.certain || is_asked_by(profile, ask.resource);
  });
}

std::string_view vendor(std::string_view resource) {
  return resource.substr(0, resource.find('/'));
}

}  // namespace

std::string_view resource_in_force(const profile::Profile& profile) {
  return profile.resource ? std::string_view(*profile.resource) : "nvidia.com/gpu";
}

bool is_asked_by(const profile::Profile& profile, std::string_view resource) {
  if (profile.all_extended_resources && kube::is_extended_resource(resource)) return true;
  if (profile.accelerator_resources) {
    const auto& names = *profile.accelerator_resources;
    return std::find(names.begin(), names.end(), resource) != names.end();
  }
  if (profile.resource && *profile.resource == resource) return true;
  // Accelerators of the table have a vendor; cpu and memory, which everything asks for, have none.
  if (resource.find('/') != std::string_view::npos &&
      accelerator::is_accelerator_resource(resource))
    return true;
  return lists(profile, resource);
}

bool is_the_accelerator(const profile::Profile& profile, std::string_view resource) {
  if (!is_asked_by(profile, resource)) return false;
  if (profile.accelerator_resources || !profile.resource || lists(profile, resource)) return true;
  return vendor(resource) == vendor(*profile.resource);
}

bool gives_accelerator(const profile::Profile& profile) {
  if (profile.gpus && *profile.gpus > 0) return true;
  const auto gives = [&](const profile::ResourceChanges& changes) {
    return std::any_of(changes.begin(), changes.end(), [&](const auto& change) {
      return change.second && counts(change.first, profile) && !is_zero(*change.second);
    });
  };
  return gives(profile.limits) || gives(profile.requests);
}

bool asks(const yaml::Tree& tree, const kube::Pod& pod, const profile::Profile& profile) {
  for (const kube::Container& container : pod.containers) {
    if (!container.resources) continue;
    const yaml::NodeId resources = container.resources.get(tree);
    if (resources == yaml::no_node) continue;
    if (list_asks(tree, yaml::get(tree, resources, "limits"), profile) ||
        list_asks(tree, yaml::get(tree, resources, "requests"), profile))
      return true;
  }
  return shape_asks(pod, profile);
}

bool asks(const PodModel& pod, const profile::Profile& profile) {
  return std::any_of(pod.containers.begin(), pod.containers.end(),
                     [&](const ContainerModel& container) { return asks(container, profile); }) ||
         (pod.gpu_count.why && !is_zero(pod.gpu_count.value)) || shape_asks(*pod.at, profile);
}

bool asks(const ContainerModel& container, const profile::Profile& profile) {
  return entries_ask(container.limits, profile) || entries_ask(container.requests, profile);
}

bool asks_for(const ContainerModel& container, std::string_view resource) {
  for (const Entries* entries : {&container.limits, &container.requests}) {
    const Entry* entry = entries->find(resource);
    if (entry != nullptr && !entry->value.empty() && !is_zero(entry->value)) return true;
  }
  return false;
}

std::vector<std::string> resources_of(const PodModel& pod) {
  std::set<std::string> names;
  for (const ContainerModel& container : pod.containers) {
    for (const Entries* entries : {&container.limits, &container.requests}) {
      for (const Entry& entry : entries->all()) {
        if (!entry.removed && !entry.value.empty() && !is_zero(entry.value))
          names.insert(entry.key);
      }
    }
  }
  for (const kube::Ask& ask : pod.at->asks) names.insert(ask.resource);
  if (pod.gpu_count.why && !pod.gpu_resource.value.empty()) names.insert(pod.gpu_resource.value);
  return {names.begin(), names.end()};
}

}  // namespace gpuspec::rewrite
