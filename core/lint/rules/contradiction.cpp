#include "core/lint/rules/rules.h"
#include "core/lint/satisfiable.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  const auto alternatives = pod.alternatives();
  if (alternatives.empty()) return;  // GPU209 says so
  std::vector<Clash> clashes;
  for (const auto& alternative : alternatives)
    if (const Clash clash = find_clash(alternative)) clashes.push_back(clash);
  if (clashes.empty()) return;
  const bool never = clashes.size() == alternatives.size();
  for (const Clash& clash : clashes) {
    report.add({
        .node = clash.second->selector && clash.first->selector ? clash.second->node
                                                                : clash.second->key_node,
        .field = clash.second->path,
        .message = describe(*clash.second) + " contradicts " + describe(*clash.first) +
                   (never ? ": no node can match" : ": this term can never match"),
        .severity = never ? std::nullopt : std::optional(Severity::warning),
    });
    if (never) break;
  }
}

}  // namespace

constinit const Rule contradiction{
    .code = "GPU207",
    .name = "contradiction",
    .severity = Severity::error,
    .summary = "nodeSelector and node affinity contradict each other",
    .why =
        R"(nodeSelector and required node affinity must both hold, and so must all expressions of one
term. When one says nvidia-tesla-t4 and the other nvidia-tesla-v100 for the same label no node can
ever match: the API server accepts the pod, and it stays Pending for good, however many nodes an
autoscaler adds. It comes about when a platform default (a nodeSelector injected by a chart) meets a
choice in the manifest. Terms are alternatives: with several, one that contradicts only itself is
reported as a warning.)",
    .remedy = "Decide for one, and keep it in one place.",
    .source = "Kubernetes, Assigning Pods to Nodes; devpod-provider-kubernetes issue 63",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    cloud.google.com/gke-accelerator: nvidia-tesla-t4
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - key: cloud.google.com/gke-accelerator
            operator: In
            values:
            - nvidia-tesla-v100
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
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions:
          - key: cloud.google.com/gke-accelerator
            operator: In
            values:
            - nvidia-tesla-v100
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
