#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

bool keeps_away(const RequirementView& requirement) {
  return requirement.op == "DoesNotExist" || requirement.op == "NotIn";
}

/// Each label against the platform that --platform or .gpuspec.yaml names.
void check_against_platform(const PodView& pod, std::string_view cloud, Report& report) {
  for (const RequirementView* requirement : pod.requirements()) {
    const std::string_view its = label_cloud(requirement->key);
    if (its.empty() || its == cloud || keeps_away(*requirement)) continue;
    report.add(
        {.node = requirement->key_node,
         .field = requirement->path,
         .message = requirement->key + " is no label of " + pod.settings.platform + " nodes"});
  }
}

/// Labels that one node must have all at once, against each other.
void check_against_each_other(const PodView& pod, Report& report) {
  for (const auto& alternative : pod.alternatives()) {
    const RequirementView* first = nullptr;
    for (const RequirementView* requirement : alternative) {
      const std::string_view cloud = label_cloud(requirement->key);
      if (cloud.empty() || keeps_away(*requirement)) continue;
      if (!first) {
        first = requirement;
      } else if (cloud != label_cloud(first->key)) {
        report.add({.node = requirement->key_node,
                    .field = requirement->path,
                    .message = requirement->key + " and " + first->key +
                               " are labels of different clouds: no node has both"});
        return;
      }
    }
  }
}

void check(const PodView& pod, Report& report) {
  const std::string_view cloud = platform_cloud(pod.settings.platform);
  if (cloud.empty())
    check_against_each_other(pod, report);
  else
    check_against_platform(pod, cloud, report);
}

}  // namespace

constinit const Rule mixed_platforms{
    .code = "GPU206",
    .name = "mixed-platforms",
    .severity = Severity::warning,
    .summary = "Node labels of different clouds in one pod, or not of the given platform",
    .why =
        R"(Every cloud labels its nodes in words of its own. A pod that requires a GKE label and a
Karpenter label at once, or carries its GKE selector to an EKS cluster, matches no node anywhere: it
stays Pending with "node(s) didn't match Pod's node affinity/selector". It happens when a manifest
moves from one cloud to another, and when a base and an overlay each bring a selector. With --platform
(or platform in .gpuspec.yaml) each label is held against that platform; without, the labels of one
pod are held against each other. Terms of node affinity are alternatives, so one for each cloud is
fine.)",
    .remedy =
        "Use the words of one platform. gpuspec --platform NAME --accelerator DEVICE writes them; "
        "for a manifest that serves several clouds write one term for each.",
    .source = "Platform tables of gpuspec (gpuspec profile list)",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-t4
    karpenter.k8s.aws/instance-gpu-name: t4
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
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    karpenter.k8s.aws/instance-gpu-name: t4
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
