#include "core/accelerator/resources.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        const accelerator::Resource* resource = accelerator::find_resource(entry.key);
        if (!resource || resource->role != accelerator::Role::removed) continue;
        const std::string instead(resource->instead);
        Problem problem{
            .node = entry.key_node,
            .field = container.path() + ".resources." + list + "[" + entry.key + "]",
            .message = "no node has " + entry.key + " any more: it is " + instead + " now",
            .container = container.at->name,
        };
        const bool free = std::string_view(list) == "limits" ? !container.limit(instead)
                                                             : !container.request(instead);
        // cloud-tpus.google.com counted cores and chose the device by its name.
        if (free && entry.key == "alpha.kubernetes.io/nvidia-gpu") {
          problem.fix = "call it " + instead;
          problem.apply = [place = *container.at->resources / list, key = entry.key,
                           instead](yaml::Changes& changes) {
            changes.rename(place, key, instead,
                           {"removed-resource", "its name since Kubernetes 1.8"});
          };
        }
        report.add(std::move(problem));
      }
    }
  }
}

}  // namespace

constinit const Rule removed_resource{
    .code = "GPU601",
    .name = "removed-resource",
    .severity = Severity::error,
    .summary = "An accelerator under a name that no cluster has any more",
    .why =
        R"(alpha.kubernetes.io/nvidia-gpu was the name of GPUs before device plugins; it went with
Kubernetes 1.11. cloud-tpus.google.com/v2 and its sisters asked for TPU nodes that Google has
retired. Old guides and charts still carry both. As no node offers them, the pod stays Pending with
"Insufficient alpha.kubernetes.io/nvidia-gpu".)",
    .remedy = "nvidia.com/gpu; google.com/tpu with the two TPU node selectors.",
    .source = "Kubernetes 1.11 changelog; jupyterhub/kubespawner issue 93; GKE, TPUs in GKE",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: tensorflow/tensorflow:2.18.0-gpu
    resources:
      requests:
        memory: 16Gi
      limits:
        alpha.kubernetes.io/nvidia-gpu: 1
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
    image: tensorflow/tensorflow:2.18.0-gpu
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
