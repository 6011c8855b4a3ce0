#include "core/kube/validation.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const kube::Violation& violation :
       kube::validate_labels(pod.tree, pod.node_selector_node, pod.node_selector_path))
    report.add({.node = violation.node, .field = violation.path, .message = violation.message()});
}

}  // namespace

constinit const Rule invalid_selector{
    .code = "GPU201",
    .name = "invalid-selector",
    .severity = Severity::error,
    .summary = "A nodeSelector key or value that is no label",
    .why =
        R"~(A node selector is matched against labels, so its keys and values must be labels: at most 63
characters of letters, digits, '-', '_' and '.', a letter or digit at both ends, and one optional
domain before a slash in the key. Product names as drivers print them ("Tesla T4", "NVIDIA A100 (80
GB)") are none; GPU Feature Discovery writes dashes for the blanks. The API server refuses the pod
with the message shown.)~",
    .remedy = "Use the value as kubectl get nodes --show-labels prints it.",
    .source = "Kubernetes, Labels and Selectors, \"Syntax and character set\"; API validation",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    nvidia.com/gpu.product: Tesla T4
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 14Gi
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
    nvidia.com/gpu.product: Tesla-T4
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 14Gi
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
