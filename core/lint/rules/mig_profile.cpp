#include <algorithm>

#include "core/accelerator/devices.h"
#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

using accelerator::Device;
using accelerator::PartitionAnswer;

/// The devices that the requirements of one alternative allow; empty when they do not say.
std::vector<const Device*> devices_of(const std::vector<const RequirementView*>& requirements) {
  for (const RequirementView* requirement : requirements) {
    if (requirement->op != "In" || label_kind(requirement->key) != "model") continue;
    std::vector<const Device*> devices;
    for (std::string_view value : requirement->values) {
      if (const std::size_t at = value.find("-MIG-"); at != value.npos) value = value.substr(0, at);
      const Device* device = accelerator::find_device(value);
      if (!device) return {};
      devices.push_back(device);
    }
    return devices;
  }
  return {};
}

/// Reports `size` when none of the devices has it.
void check_size(const std::vector<const Device*>& devices, std::string_view size, Problem problem,
                Report& report) {
  bool sure = true;
  for (const Device* device : devices) {
    const PartitionAnswer answer = accelerator::has_partition(*device, size);
    if (answer == PartitionAnswer::yes || answer == PartitionAnswer::not_known) return;
    if (answer == PartitionAnswer::maybe_not) sure = false;
  }
  const Device& device = *devices[0];
  const std::string names = accelerator::partition_names(device);
  problem.message = std::string(device.name) + " has no partition " + std::string(size) +
                    (names.empty() ? ": it cannot be partitioned" : "; it has " + names);
  if (!sure) problem.severity = Severity::warning;
  report.add(std::move(problem));
}

void check(const PodView& pod, Report& report) {
  for (const auto& alternative : pod.alternatives()) {
    const std::vector<const Device*> devices = devices_of(alternative);
    if (devices.empty()) continue;
    const std::size_t before = report.items().size();
    for (const AskView& ask : pod.asks) {
      const std::string_view size = accelerator::mig_profile_of_resource(ask.resource);
      if (size.empty() || !accelerator::is_mig_profile(size)) continue;
      check_size(devices, size, {.node = ask.node, .field = ask.field, .container = ask.container},
                 report);
    }
    for (const RequirementView* requirement : alternative) {
      if (requirement->op != "In") continue;
      const std::string_view kind = label_kind(requirement->key);
      for (std::size_t i = 0; i < requirement->values.size(); ++i) {
        std::string_view size = requirement->values[i];
        if (kind == "model") {
          const std::size_t at = size.find("-MIG-");
          if (at == size.npos) continue;
          size = size.substr(at + 5, size.find("-SHARED") - at - 5);
        } else if (kind != "partition") {
          continue;
        }
        if (!accelerator::is_mig_profile(size)) continue;
        check_size(devices, size, {.node = requirement->value_nodes[i], .field = requirement->path},
                   report);
      }
    }
    if (report.items().size() != before) return;  // the next terms say the same
  }
}

}  // namespace

constinit const Rule mig_profile{
    .code = "GPU301",
    .name = "mig-profile",
    .severity = Severity::error,
    .summary = "A MIG profile that the selected device does not have",
    .why =
        R"(The sizes that a device can be cut into depend on its memory: 1g.5gb is a slice of an
A100 with 40 GB, the same slice of one with 80 GB is 1g.10gb, of an H200 1g.18gb; T4, L4 and A10 cannot
be cut at all. No node will ever offer a size that its device lacks, so the pod stays Pending.
Manifests keep the old size when a cluster moves to larger devices. Where the tables are not certain
to be complete (the newest devices) this is a warning.)",
    .remedy = "Use one of the sizes that the message lists.",
    .source = "NVIDIA Multi-Instance GPU User Guide, supported profiles; GKE partition sizes",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/mig-1g.5gb: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    nvidia.com/gpu.product: NVIDIA-A100-SXM4-80GB
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/mig-1g.10gb: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
