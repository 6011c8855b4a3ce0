#include <array>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// What KubeRay takes for GPUs in the limits of the first container.
long long detected(const ContainerView& container) {
  for (const ResourceEntry& entry : container.limits)
    if ((entry.key.ends_with("gpu") || entry.key.starts_with("nvidia.com/mig-")) &&
        entry.quantity && !entry.is_zero())
      return entry.quantity->value();
  return 0;
}

void check(const PodView& pod, Report& report) {
  if (!pod.pod.ray_group || pod.containers.empty()) return;
  const yaml::NodeId group = pod.pod.ray_group.get(pod.tree);
  const yaml::NodeId params = yaml::get(pod.tree, group, "rayStartParams");
  if (params == yaml::no_node) return;

  const yaml::NodeId resources = yaml::get(pod.tree, group, "resources");
  if (resources != yaml::no_node && !read_entries(pod.tree, resources).empty()) {
    for (const Entry& entry : read_entries(pod.tree, params)) {
      if (entry.key != "num-cpus" && entry.key != "num-gpus" && entry.key != "memory" &&
          entry.key != "resources")
        continue;
      report.add({.node = entry.key_node,
                  .field = "rayStartParams." + entry.key,
                  .message = "rayStartParams." + entry.key +
                             " beside resources of the group: KubeRay takes only one of them",
                  .severity = Severity::error});
      return;
    }
  }

  const yaml::Found found = yaml::find(pod.tree, params, "num-gpus");
  if (!found) return;
  const std::string text = yaml::scalar_text(pod.tree, pod.tree.resolve(found.value));
  const auto said = kube::Quantity::parse(text);
  // The Ray container is the first one that is no init container.
  for (const ContainerView& container : pod.containers) {
    if (container.at->init) continue;
    const long long has = detected(container);
    if (!said || has == 0 || said->is_zero() || said->value() == has) return;
    report.add({.node = pod.tree.resolve(found.value),
                .field = "rayStartParams.num-gpus",
                .message = "Ray is told of " + text + " GPUs, and the container has " +
                           std::to_string(has),
                .container = container.at->name});
    return;
  }
}

}  // namespace

constinit const Rule ray_params{
    .code = "GPU502",
    .name = "ray-params",
    .severity = Severity::warning,
    .summary = "rayStartParams and the resources of a Ray group say different numbers of GPUs",
    .why =
        R"(KubeRay tells Ray how many GPUs a pod has by looking at the limits of its first container.
num-gpus in rayStartParams overrules that. When the limit is changed and num-gpus is not, Ray either
starts tasks for GPUs that are not there, which fail, or leaves GPUs idle that are paid for. Setting
rayStartParams and the group's own resources at once is refused by KubeRay ("please use only one"),
and therefore an error.)",
    .remedy = "Remove num-gpus and let KubeRay find it in the limits, or write the same number.",
    .source = "KubeRay, pod.go and validation.go; Ray on Kubernetes, GPU guide",
    .example = {.bad = R"(apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: cluster
spec:
  headGroupSpec:
    rayStartParams:
      num-cpus: "0"
    template:
      spec:
        containers:
        - name: ray-head
          image: rayproject/ray:2.41.0
          resources:
            limits:
              memory: 8Gi
  workerGroupSpecs:
  - groupName: gpu
    replicas: 1
    rayStartParams:
      num-gpus: "4"
    template:
      spec:
        containers:
        - name: ray-worker
          image: rayproject/ray:2.41.0-gpu
          resources:
            limits:
              memory: 32Gi
              nvidia.com/gpu: 1
        tolerations:
        - key: nvidia.com/gpu
          operator: Exists
          effect: NoSchedule
)",
                .good = R"(apiVersion: ray.io/v1
kind: RayCluster
metadata:
  name: cluster
spec:
  headGroupSpec:
    rayStartParams:
      num-cpus: "0"
    template:
      spec:
        containers:
        - name: ray-head
          image: rayproject/ray:2.41.0
          resources:
            limits:
              memory: 8Gi
  workerGroupSpecs:
  - groupName: gpu
    replicas: 1
    rayStartParams: {}
    template:
      spec:
        containers:
        - name: ray-worker
          image: rayproject/ray:2.41.0-gpu
          resources:
            limits:
              memory: 32Gi
              nvidia.com/gpu: 1
        tolerations:
        - key: nvidia.com/gpu
          operator: Exists
          effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
