#include <algorithm>
#include <optional>

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/accelerator/resources.h"
#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

using accelerator::InstanceType;

/// The machine types that a requirement allows; empty when the tables do not know one of them.
std::vector<InstanceType> types_of(const RequirementView& requirement) {
  std::vector<InstanceType> types;
  for (const std::string& value : requirement.values) {
    const std::optional<InstanceType> type = accelerator::find_instance_type(value);
    if (!type) return {};
    types.push_back(*type);
  }
  return types;
}

std::string list(const RequirementView& requirement) {
  std::string text;
  for (const std::string& value : requirement.values) text += (text.empty() ? "" : ", ") + value;
  return text;
}

/// More devices than any of the machine types has.
void check_count(const PodView& pod, const RequirementView& requirement,
                 const std::vector<InstanceType>& types, Report& report) {
  const InstanceType& largest = *std::max_element(
      types.begin(), types.end(),
      [](const InstanceType& a, const InstanceType& b) { return a.count < b.count; });
  for (const AskView& ask : pod.asks) {
    const accelerator::Device* device = accelerator::find_device(largest.device);
    if (!device || ask.count <= largest.count) continue;
    // Shares and partitions are counted otherwise; another vendor's device is said below.
    if (ask.resource != device->resource) continue;
    report.add({
        .node = ask.node,
        .field = ask.field,
        .message = "asks for " + std::to_string(ask.count) + " of " + ask.resource + ", but " +
                   list(requirement) + " has " + std::to_string(largest.count) + " (" +
                   std::string(largest.device) + ")",
        .container = ask.container,
    });
  }
}

/// Devices of another vendor than the machine types have.
void check_vendor(const PodView& pod, const RequirementView& requirement,
                  const std::vector<InstanceType>& types, Report& report) {
  for (const AskView& ask : pod.asks) {
    const accelerator::Resource* resource = accelerator::find_resource(ask.resource);
    if (!resource || resource->vendor.empty()) continue;
    const bool none = std::none_of(types.begin(), types.end(), [&](const InstanceType& type) {
      const accelerator::Device* device = accelerator::find_device(type.device);
      return !device || device->vendor == resource->vendor;
    });
    if (!none) continue;
    report.add({
        .node = ask.node,
        .field = ask.field,
        .message = "asks for " + ask.resource + ", but " + list(requirement) + " has " +
                   std::string(types[0].device),
        .container = ask.container,
    });
  }
}

/// A100 of A100-80GB: some label values stand for both memory sizes of a device.
std::string_view model(std::string_view device) {
  const std::size_t dash = device.rfind('-');
  return dash != device.npos && device.ends_with("GB") ? device.substr(0, dash) : device;
}

/// A device label that names another device.
void check_device(const RequirementView& requirement, const std::vector<InstanceType>& types,
                  const RequirementView& label, Report& report) {
  if (label.op != "In" || label_kind(label.key) != "model") return;
  for (const std::string& value : label.values) {
    const accelerator::Device* device = accelerator::find_device(value);
    if (!device) return;
    for (const InstanceType& type : types) {
      const accelerator::Device* its = accelerator::find_device(type.device);
      if (!its || model(its->name) == model(device->name)) return;
    }
  }
  if (label.values.empty()) return;
  report.add({
      .node = requirement.key_node,
      .field = requirement.path,
      .message = list(requirement) + " has " + std::string(types[0].device) + ", but " + label.key +
                 " asks for " + list(label),
  });
}

void check(const PodView& pod, Report& report) {
  for (const auto& alternative : pod.alternatives()) {
    for (const RequirementView* requirement : alternative) {
      if (requirement->op != "In" || label_kind(requirement->key) != "instance-type") continue;
      const auto types = types_of(*requirement);
      if (types.empty()) continue;
      check_count(pod, *requirement, types, report);
      check_vendor(pod, *requirement, types, report);
      for (const RequirementView* label : alternative)
        check_device(*requirement, types, *label, report);
      if (alternative.size() == 1 || requirement->selector) return;  // the same for every term
    }
  }
}

}  // namespace

constinit const Rule instance_type{
    .code = "GPU211",
    .name = "instance-type",
    .severity = Severity::warning,
    .summary = "The machine type has fewer accelerators than asked for, or others",
    .why =
        R"(A machine type comes with a fixed number of fixed devices: g4dn.2xlarge has one T4,
p4d.24xlarge eight A100. A pod that selects the type and asks for more, for another vendor's device,
or by a second label for another model never finds its node; Karpenter says "no instance type
satisfied resources". Checked against the tables of machine types of AWS, Google Cloud, Azure,
Oracle and IBM. It is a warning because nodes that share devices by time slicing may advertise more
than they have.)",
    .remedy =
        "Choose a larger type (g4dn.12xlarge has four T4, g4dn.metal eight), or ask for less.",
    .source = "Karpenter issues 8064 and 6574; vendors' machine type tables",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    node.kubernetes.io/instance-type: g4dn.2xlarge
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 28Gi
      limits:
        nvidia.com/gpu: 2
    volumeMounts:
    - name: dshm
      mountPath: /dev/shm
  volumes:
  - name: dshm
    emptyDir:
      medium: Memory
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
  nodeSelector:
    node.kubernetes.io/instance-type: g4dn.12xlarge
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 28Gi
      limits:
        nvidia.com/gpu: 2
    volumeMounts:
    - name: dshm
      mountPath: /dev/shm
  volumes:
  - name: dshm
    emptyDir:
      medium: Memory
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
