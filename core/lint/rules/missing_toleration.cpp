#include <algorithm>
#include <set>

#include "core/lint/mend.h"
#include "core/lint/node_fit.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// The taint key that nodes with this resource carry: mostly its own name, but nodes cut into MIG
/// slices or with a renamed, shared resource are tainted like the others of their vendor.
std::string_view base_resource(std::string_view resource) {
  if (resource.starts_with("nvidia.com/")) return "nvidia.com/gpu";
  if (resource.starts_with("amd.com/")) return "amd.com/gpu";
  if (resource.starts_with("aws.amazon.com/neuron")) return "aws.amazon.com/neuron";
  return resource;
}

bool tolerated(const PodView& pod, std::string_view key) {
  for (const TolerationView& toleration : pod.tolerations) {
    const kube::Toleration& t = toleration.value;
    if (!t.effect.empty() && t.effect != "NoSchedule") continue;
    if (t.key == key || (t.key.empty() && t.op == "Exists")) return true;
    // Clusters with taints of their own: sku=gpu on AKS, dedicated=gpu, gpu-pool=true.
    if (t.key.find("gpu") != t.key.npos || t.value.find("gpu") != t.value.npos) return true;
  }
  return false;
}

void report_taint(const PodView& pod, const AskView& ask, const kube::Taint& taint,
                  const std::string& words, Report& report) {
  Problem problem{
      .node = ask.node,
      .field = ask.field,
      .message = "asks for " + ask.resource + " but does not tolerate the taint " + taint.key +
                 (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect + words,
      .container = ask.container,
  };
  mend_by_toleration(pod, {taint.key, "Exists", "", taint.effect, std::nullopt},
                     "missing-toleration", problem);
  report.add(std::move(problem));
}

void check(const PodView& pod, Report& report) {
  // With real nodes GPU703 knows.
  if (!pod.pod.tolerations || pod.live() || judged_by_nodes(pod) || !pod.asks_accelerator()) return;
  if (!pod.settings.taints.empty()) {  // the user has said what there is
    for (const kube::Taint& taint : pod.settings.taints) {
      const bool added =
          pod.settings.resource_tolerations_added && taint.key == pod.asks[0].resource;
      if (!added && std::none_of(pod.tolerations.begin(), pod.tolerations.end(),
                                 [&](const TolerationView& toleration) {
                                   return kube::tolerates(toleration.value, taint);
                                 }))
        report_taint(pod, pod.asks[0], taint, " of this cluster's accelerator nodes", report);
    }
    return;
  }
  // GKE and clusters like it add the toleration on their own.
  if (pod.settings.resource_tolerations_added || pod.platform == "gke") return;
  std::set<std::string_view> said;
  for (const AskView& ask : pod.asks) {
    if (ask.resource == "google.com/tpu") continue;  // there is none outside GKE
    const std::string_view base = base_resource(ask.resource);
    if (!said.insert(base).second) continue;
    if (tolerated(pod, ask.resource) || tolerated(pod, base)) continue;
    report_taint(pod, ask, {std::string(base), "", "NoSchedule"},
                 " that accelerator nodes usually carry", report);
  }
}

}  // namespace

constinit const Rule missing_toleration{
    .code = "GPU101",
    .name = "missing-toleration",
    .severity = Severity::warning,
    .summary = "An accelerator is asked for without the toleration for its nodes",
    .why =
        R"(Nodes with accelerators are usually tainted, by the name of the resource, so that other pods
stay away. A pod that asks for the accelerator and does not tolerate the taint stays Pending ("had
untolerated taint {nvidia.com/gpu: present}"), and an autoscaler does not bring a node up for it
("pod didn't trigger scale-up"). Some clusters add the toleration to every pod that asks: GKE does,
and every cluster with the ExtendedResourceToleration admission plugin (off by default; AKS is one
without). That is why this is a warning and no error; with --nodes it is known, and GPU703 says so.
A toleration lets a pod onto a node, it does not send it there: for that there are node selectors.)",
    .remedy =
        "Add the toleration with operator Exists, whatever value the taint has. Where the "
        "cluster adds it by itself, say so once in .gpuspec.yaml: lint.resourceTolerationsAdded: "
        "true, or platform: gke. Taints of the cluster's own are named there, too (lint.taints), "
        "and are then what pods are held against.",
    .source =
        "Kubernetes, ExtendedResourceToleration; kubernetes/autoscaler issues 3869 and 4181; "
        "NVIDIA gpu-operator issue 423",
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
