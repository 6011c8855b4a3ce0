#include <algorithm>
#include <array>

#include "core/accelerator/resources.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// Values that platforms and their guides give the taint: GKE, OKE and 2i2c; Karpenter and eksctl;
/// plain kubectl examples.
constexpr std::array<std::string_view, 4> known_values = {"present", "true", "1", "yes"};

bool known_to_cluster(const PodView& pod, const kube::Toleration& toleration) {
  const auto fits = [&](const kube::Taint& taint) {
    return taint.key == toleration.key && taint.value == toleration.value;
  };
  if (std::any_of(pod.settings.taints.begin(), pod.settings.taints.end(), fits)) return true;
  if (pod.settings.nodes)
    for (const kube::Node& node : *pod.settings.nodes)
      if (std::any_of(node.taints.begin(), node.taints.end(), fits)) return true;
  return false;
}

void check(const PodView& pod, Report& report) {
  for (const TolerationView& toleration : pod.tolerations) {
    const kube::Toleration& t = toleration.value;
    if (!accelerator::is_accelerator_resource(t.key)) continue;
    if (!t.op.empty() && t.op != "Equal") continue;
    const bool implicit = t.op.empty() && t.value.empty();
    if (t.value.empty() && !implicit) continue;
    if (std::find(known_values.begin(), known_values.end(), t.value) != known_values.end())
      continue;
    if (known_to_cluster(pod, t) || (implicit && pod.platform == "doks")) continue;
    const bool covered = std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                                     [&](const TolerationView& other) {
                                       return &other != &toleration && kube::covers(other.value, t);
                                     });
    if (covered) continue;
    report.add({
        .node = toleration.node,
        .field = toleration.path,
        .message = implicit ? "without an operator this tolerates only a taint " + t.key +
                                  " with an empty value"
                            : "no platform taints its nodes " + t.key + "=" + t.value +
                                  "; this tolerates nothing else",
        .fix = "operator: Exists, which tolerates every value",
        .apply =
            [place = toleration.place, value = !t.value.empty()](yaml::Changes& changes) {
              const yaml::Why why{"toleration-value", "tolerate the taint whatever its value"};
              if (value) changes.remove(place, "value", why);
              changes.set(place, "operator", yaml::Value::string("Exists"), why);
            },
    });
  }
}

}  // namespace

constinit const Rule toleration_value{
    .code = "GPU102",
    .name = "toleration-value",
    .severity = Severity::warning,
    .summary =
        "An accelerator toleration names a value that no platform uses, where Exists is meant",
    .why =
        R"(The taint of accelerator nodes has another value on every platform: nvidia.com/gpu=present
on GKE, OKE and 2i2c hubs, =true in the guides of Karpenter and eksctl, empty on DigitalOcean. A
toleration with operator Equal, or with none, which means Equal, tolerates exactly its own value. One
that only says key and effect tolerates only a taint without a value: it looks right, and the pod
stays Pending.)",
    .remedy =
        "Use operator: Exists and no value. Where the cluster does taint with a value of its "
        "own, name it in .gpuspec.yaml (lint.taints) or give --nodes.",
    .source =
        "Kubernetes, Taints and Tolerations; Karpenter issues 7574 and 1853; kubeflow issue 5275",
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
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
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
    effect: NoSchedule
    operator: Exists
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
