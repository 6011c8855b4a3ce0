#include <algorithm>

#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/rewrite/asking.h"
#include "core/rewrite/rules.h"
#include "core/rewrite/select.h"
#include "core/text/concat.h"

namespace gpuspec::rewrite {
namespace {

void set_quantity(Entries& entries, const std::string& resource, const std::string& quantity,
                  const yaml::Why& why) {
  const Entry* entry = entries.find(resource);
  if (entry == nullptr || !kube::same_quantity(entry->value, quantity))
    entries.set(resource, quantity, why);
}

void merge(const Work& work, Entries& entries, const profile::ResourceChanges& changes,
           const std::string& list) {
  for (const auto& [resource, quantity] : changes) {
    const std::string name =
        resource == generic_resource ? std::string(resource_in_force(work.profile)) : resource;
    if (quantity) {
      set_quantity(
          entries, name, *quantity,
          {"resources", text::concat({list, " of ", name, " is ", *quantity, work.by_profile()})});
    } else {
      entries.remove(name,
                     {"resources", text::concat({list, " of ", name, " goes", work.by_profile()})});
    }
  }
}

}  // namespace

void name_generic_resource(Work& work) {
  const std::string resource(resource_in_force(work.profile));
  if (resource == generic_resource) return;
  const yaml::Why why{"generic-gpu", "gpu is the generic name of " + resource + work.by_profile()};
  for (ContainerModel& container : work.pod.containers) {
    for (Entries* entries : {&container.limits, &container.requests}) {
      const Entry* generic = entries->find(generic_resource);
      if (generic == nullptr) continue;
      if (entries->find(resource) == nullptr) {
        entries->rename(generic_resource, resource, why);
      } else {
        // As in Flyte, the generic quantity wins.
        const std::string quantity = generic->value;
        entries->remove(generic_resource, why);
        set_quantity(*entries, resource, quantity, why);
      }
    }
  }
}

void merge_resources(Work& work) {
  if (work.profile.limits.empty() && work.profile.requests.empty()) return;
  for (const std::size_t i : work.containers) {
    ContainerModel& container = work.pod.containers[i];
    merge(work, container.limits, work.profile.limits, "limit");
    merge(work, container.requests, work.profile.requests, "request");
  }
}

void complete_limits(Work& work) {
  for (ContainerModel& container : work.pod.containers) {
    for (const Entry& request : container.requests.all()) {
      if (request.removed || request.value.empty() || !kube::is_extended_resource(request.key) ||
          !is_asked_by(work.profile, request.key))
        continue;
      const Entry* limit = container.limits.find(request.key);
      if (limit == nullptr || limit->value.empty()) {
        container.limits.set(request.key, request.value,
                             {"limit", "the limit of " + request.key + " must equal its request"});
      } else if (!kube::same_quantity(limit->value, request.value)) {
        work.warn(request.node, request.key + ": the request is " + request.value +
                                    ", the limit is " + limit->value +
                                    "; the API server wants them equal");
      }
    }
  }
}

}  // namespace gpuspec::rewrite
