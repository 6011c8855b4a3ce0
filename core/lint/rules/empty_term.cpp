#include <algorithm>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  const bool never = std::all_of(pod.terms.begin(), pod.terms.end(),
                                 [](const TermView& term) { return term.empty(); });
  for (const TermView& term : pod.terms) {
    if (!term.empty()) continue;
    report.add({
        .node = term.node,
        .field = term.path,
        .message =
            never ? "a term without requirements matches no node: the pod can never be scheduled"
                  : "a term without requirements matches no node",
        .severity = never ? std::nullopt : std::optional(Severity::warning),
    });
    if (never) return;
  }
}

}  // namespace

constinit const Rule empty_term{
    .code = "GPU209",
    .name = "empty-term",
    .severity = Severity::error,
    .summary = "A required nodeSelectorTerm without requirements, which matches no node",
    .why =
        R"(An empty label selector matches everything nearly everywhere in Kubernetes. A node selector
term is the exception: without matchExpressions and matchFields it matches nothing. The API server
accepts it. Where it is the only term the pod stays Pending on every cluster; beside other terms it
is dead weight, reported as a warning. Templates whose expressions came out empty produce it.)",
    .remedy =
        "Give the term a requirement, or remove it; with none left remove "
        "requiredDuringSchedulingIgnoredDuringExecution.",
    .source =
        "Kubernetes API, core/v1 NodeSelectorTerm: \"A null or empty node selector term matches "
        "no objects\"",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  affinity:
    nodeAffinity:
      requiredDuringSchedulingIgnoredDuringExecution:
        nodeSelectorTerms:
        - matchExpressions: []
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
          - key: nvidia.com/gpu.product
            operator: In
            values:
            - Tesla-T4
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
