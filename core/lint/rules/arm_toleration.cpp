#include <algorithm>

#include "core/lint/mend.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

bool arm_device(const RequirementView& requirement) {
  return requirement.key == "cloud.google.com/gke-accelerator" && requirement.op == "In" &&
         !requirement.values.empty() &&
         std::all_of(requirement.values.begin(), requirement.values.end(),
                     [](const std::string& value) {
                       return value == "nvidia-gb200" || value == "nvidia-gb300";
                     });
}

void check(const PodView& pod, Report& report) {
  if (!pod.pod.tolerations || pod.live()) return;
  const kube::Taint taint{"kubernetes.io/arch", "arm64", "NoSchedule"};
  for (const TolerationView& toleration : pod.tolerations)
    if (kube::tolerates(toleration.value, taint)) return;
  for (const RequirementView* requirement : pod.requirements()) {
    if (!arm_device(*requirement)) continue;
    Problem problem{
        .node = requirement->value_nodes.empty() ? requirement->node : requirement->value_nodes[0],
        .field = requirement->path,
        .message = requirement->values[0] +
                   " nodes are arm64: the pod must tolerate kubernetes.io/arch=arm64:NoSchedule",
    };
    mend_by_toleration(pod, {"kubernetes.io/arch", "Equal", "arm64", "NoSchedule", std::nullopt},
                       "arm-toleration", problem);
    report.add(std::move(problem));
    return;
  }
}

}  // namespace

constinit const Rule arm_toleration{
    .code = "GPU105",
    .name = "arm-toleration",
    .severity = Severity::warning,
    .summary = "An arm64 GPU node is selected without the toleration for arm64",
    .why =
        R"(GB200 and GB300 sit beside arm64 processors. GKE taints its arm64 nodes
kubernetes.io/arch=arm64:NoSchedule, and nothing adds that toleration to a pod: the GPU toleration
alone leaves it Pending. The image must be built for arm64, too, or its containers end with "exec
format error".)",
    .remedy = "Add the toleration, and use an image for linux/arm64.",
    .source = "GKE, Arm workloads; GKE Cluster Autoscaler machine families (a4x)",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-gb200
  containers:
  - name: train
    image: nvcr.io/nvidia/pytorch:25.01-py3
    resources:
      requests:
        memory: 64Gi
      limits:
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
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-gb200
  containers:
  - name: train
    image: nvcr.io/nvidia/pytorch:25.01-py3
    resources:
      requests:
        memory: 64Gi
      limits:
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
  - key: kubernetes.io/arch
    operator: Equal
    value: arm64
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
