#include "core/accelerator/devices.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  const RequirementView* partition = nullptr;
  for (const RequirementView* requirement : pod.requirements())
    if (requirement->key == "cloud.google.com/gke-gpu-partition-size" && requirement->op == "In")
      partition = requirement;
  if (!partition) return;
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        const std::string_view profile = accelerator::mig_profile_of_resource(entry.key);
        if (profile.empty()) continue;
        Problem problem{
            .node = entry.key_node,
            .field = container.path() + ".resources." + list + "[" + entry.key + "]",
            .message = "GKE has no resource " + entry.key + ": with " + partition->key +
                       " a pod asks for nvidia.com/gpu",
            .container = container.at->name,
        };
        if (partition->values.size() == 1 && partition->values[0] == profile) {
          problem.fix = "ask for nvidia.com/gpu";
          problem.apply = [place = *container.at->resources / list,
                           key = entry.key](yaml::Changes& changes) {
            changes.rename(place, key, "nvidia.com/gpu",
                           {"gke-partition-resource", "GKE partitions are nvidia.com/gpu"});
          };
        }
        report.add(std::move(problem));
      }
    }
  }
}

}  // namespace

constinit const Rule gke_partition_resource{
    .code = "GPU303",
    .name = "gke-partition-resource",
    .severity = Severity::error,
    .summary = "A GKE partition is selected by label and asked for as nvidia.com/mig-* too",
    .why =
        R"(There are two ways to hand out MIG partitions. The GPU Operator's strategy "mixed" gives each
size a resource of its own, nvidia.com/mig-1g.5gb. GKE cuts all devices of a node alike, labels the
node cloud.google.com/gke-gpu-partition-size, and every partition counts as one nvidia.com/gpu. A pod
that selects GKE's label and asks for a mig resource asks for something those nodes never have.)",
    .remedy =
        "On GKE keep the label and ask for nvidia.com/gpu: 1. Elsewhere keep the resource and drop "
        "the label.",
    .source = "GKE, Running multi-instance GPUs; NVIDIA k8s-device-plugin, MIG strategies",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-a100
    cloud.google.com/gke-gpu-partition-size: 1g.5gb
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/mig-1g.5gb: 1
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-a100
    cloud.google.com/gke-gpu-partition-size: 1g.5gb
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu: 1
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
