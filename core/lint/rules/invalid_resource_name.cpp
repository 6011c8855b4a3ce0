#include "core/kube/names.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        if (entry.key.starts_with("nvidia.com/mig")) continue;  // GPU302 knows more about it
        const std::vector<std::string> wrong = kube::check_container_resource_name(entry.key);
        if (wrong.empty()) continue;
        Problem problem{
            .node = entry.key_node,
            .field = container.path() + ".resources." + list,
            .message = "Invalid value: \"" + entry.key + "\": " + wrong[0],
            .container = container.at->name,
        };
        const bool bare = entry.key == "gpu" || entry.key == "gpus" || entry.key == "nvidia-gpu" ||
                          entry.key == "nvidia/gpu";
        const ContainerView& c = container;
        if (bare && !(list == std::string_view("limits") ? c.limit("nvidia.com/gpu")
                                                         : c.request("nvidia.com/gpu"))) {
          problem.fix = "call it nvidia.com/gpu";
          problem.apply = [place = *container.at->resources / list,
                           key = entry.key](yaml::Changes& changes) {
            changes.rename(place, key, "nvidia.com/gpu",
                           {"invalid-resource-name", "the name of the extended resource"});
          };
        }
        report.add(std::move(problem));
      }
    }
  }
}

}  // namespace

constinit const Rule invalid_resource_name{
    .code = "GPU007",
    .name = "invalid-resource-name",
    .severity = Severity::error,
    .summary = "A name in limits or requests is no resource name",
    .why =
        R"(A resource of a container is cpu, memory, ephemeral-storage, hugepages-SIZE, or a name with
a domain: nvidia.com/gpu. The API server refuses everything else, with the words that the message
repeats. A bare gpu is what Flyte, Ray and Slurm call it in their own files; in a pod it needs the
full name.)",
    .remedy =
        "Use the name that the node's device plugin advertises: kubectl get nodes -o yaml shows it "
        "under allocatable.",
    .source = "Kubernetes API validation, resource names",
    .fixable = true,
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
        memory: 16Gi
      limits:
        gpu: 1
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
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
