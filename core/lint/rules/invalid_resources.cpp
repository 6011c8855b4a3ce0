#include <algorithm>
#include <set>

#include "core/accelerator/resources.h"
#include "core/kube/names.h"
#include "core/kube/validation.h"
#include "core/lint/rules/rules.h"

// What the API server refuses in resources, other than what GPU001, GPU002, GPU003 and GPU007 say.
namespace gpuspec::lint::rules {
namespace {

/// The entry of limits or requests that a violation is about, or nullptr.
bool about_accelerator(const ContainerView& container, const kube::Violation& violation) {
  const auto hit = [&](const ResourceEntry& entry) {
    return (kube::is_extended_resource(entry.key) ||
            accelerator::is_accelerator_resource(entry.key)) &&
           (entry.key_node == violation.node || entry.value_node == violation.node ||
            violation.path.find(entry.key) != std::string::npos ||
            violation.detail.find(entry.key) != std::string::npos);
  };
  return std::any_of(container.limits.begin(), container.limits.end(), hit) ||
         std::any_of(container.requests.begin(), container.requests.end(), hit);
}

bool about_name(const ContainerView& container, const kube::Violation& violation) {
  const auto hit = [&](const ResourceEntry& entry) {
    return (entry.key_node == violation.node || entry.value_node == violation.node) &&
           !kube::check_container_resource_name(entry.key).empty();
  };
  return std::any_of(container.limits.begin(), container.limits.end(), hit) ||
         std::any_of(container.requests.begin(), container.requests.end(), hit);
}

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  std::set<std::string> claims;
  for (const kube::Violation& violation : kube::validate_resource_claims(
           pod.tree, pod.field("resourceClaims"), pod.path("resourceClaims"), claims))
    report.add({.node = violation.node, .field = violation.path, .message = violation.message()});
  for (const ContainerView& container : pod.containers) {
    const yaml::NodeId resources = container.at->resources.get(pod.tree);
    for (const kube::Violation& violation :
         kube::validate_resources(pod.tree, resources, container.path() + ".resources", claims)) {
      if (about_name(container, violation)) continue;
      if (violation.detail.starts_with("Limit must be set for non overcommitable") ||
          about_accelerator(container, violation))
        continue;
      report.add({.node = violation.node,
                  .field = violation.path,
                  .message = violation.message(),
                  .container = container.at->name});
    }
  }
}

}  // namespace

constinit const Rule invalid_resources{
    .code = "GPU008",
    .name = "invalid-resources",
    .severity = Severity::error,
    .summary = "Resources or resource claims that the API server refuses",
    .why =
        R"(Everything else the API server checks in the resources of a container: a CPU or memory
request above its limit, a quantity that is none, huge pages that are no multiple of their size or
come without CPU and memory, and claims (Dynamic Resource Allocation) that the pod does not declare,
declares twice, or declares without saying where they come from. The message is the server's. In a
pod template nobody says so until the controller tries to make a pod.)",
    .remedy = "Mend what the message names.",
    .source = "Kubernetes API validation, container resources and pod resource claims",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 32Gi
      limits:
        memory: 16Gi
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 16Gi
      limits:
        memory: 16Gi
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
