#include "core/accelerator/devices.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// `nvidia.com/mig-` digits `g.` digits `gb` and nothing after it, as KubeRay's pattern wants it.
bool plain_mig(std::string_view name) {
  const std::string_view profile = accelerator::mig_profile_of_resource(name);
  return !profile.empty() && name.ends_with("gb") && profile.find("c.") == profile.npos;
}

bool detects(std::string_view name) {
  return name.ends_with("gpu") || plain_mig(name) || name == "google.com/tpu" ||
         name == "aws.amazon.com/neuroncore";
}

void check(const PodView& pod, Report& report) {
  if (!pod.pod.ray_group || !pod.asks_accelerator()) return;
  const yaml::NodeId params =
      yaml::get(pod.tree, pod.pod.ray_group.get(pod.tree), "rayStartParams");
  if (params != yaml::no_node &&
      (yaml::find(pod.tree, params, "num-gpus") || yaml::find(pod.tree, params, "resources")))
    return;
  if (yaml::get(pod.tree, pod.pod.ray_group.get(pod.tree), "resources") != yaml::no_node) return;
  const ContainerView* first = nullptr;
  for (const ContainerView& container : pod.containers)
    if (!first && !container.at->init) first = &container;
  if (!first) return;
  const AskView* missed = nullptr;
  for (const AskView& ask : pod.asks) {
    const ResourceEntry* limit = first->limit(ask.resource);
    if (limit && !limit->is_zero() && detects(ask.resource)) return;
    if (!missed) missed = &ask;
  }
  const bool elsewhere = !first->ask(missed->resource);
  report.add({
      .node = missed->node,
      .field = missed->field,
      .message = elsewhere
                     ? "KubeRay looks for GPUs in the first container, " + first->at->name +
                           ", and does not find these"
                     : "KubeRay does not know " + missed->resource +
                           " as a GPU: without num-gpus in rayStartParams Ray does not use it",
      .container = missed->container,
  });
}

}  // namespace

constinit const Rule ray_detection{
    .code = "GPU503",
    .name = "ray-detection",
    .severity = Severity::warning,
    .summary = "A Ray pod has an accelerator that KubeRay does not find",
    .why =
        R"(KubeRay tells Ray about GPUs that it finds in the limits of the first container under a name
that ends in gpu, or nvidia.com/mig-Ng.MMgb. Others it passes over: nvidia.com/gpu.shared, MIG
profiles with extensions, gpu.intel.com/i915, and everything in a second container. The pod holds the
device, and Ray schedules nothing onto it: tasks with num_gpus=1 stay pending, an autoscaler adds
more such pods.)",
    .remedy =
        "Set rayStartParams num-gpus to the number, as a string; put the Ray container first.",
    .source = "KubeRay, utils/resources.go and pod.go",
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
    rayStartParams: {}
    template:
      spec:
        containers:
        - name: ray-worker
          image: rayproject/ray:2.41.0-gpu
          resources:
            limits:
              memory: 32Gi
              nvidia.com/gpu.shared: 1
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
    rayStartParams:
      num-gpus: "1"
    template:
      spec:
        containers:
        - name: ray-worker
          image: rayproject/ray:2.41.0-gpu
          resources:
            limits:
              memory: 32Gi
              nvidia.com/gpu.shared: 1
        tolerations:
        - key: nvidia.com/gpu
          operator: Exists
          effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
