#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const DocumentView& document, Report& report) {
  if (document.objects.empty()) return;
  const yaml::Tree& tree = document.tree;
  for (yaml::NodeId node = 0; node < tree.nodes.size(); ++node) {
    if (tree[node].kind != yaml::Kind::mapping) continue;
    const yaml::NodeId again = yaml::duplicate_key(tree, node);
    if (again == yaml::no_node) continue;
    report.add({
        .node = again,
        .field = yaml::path_to(tree, again),
        .message = "key " + std::string(tree.raw(again)) + " is already set in this mapping",
    });
  }
}

}  // namespace

constinit const Rule duplicate_key{
    .code = "GPU903",
    .name = "duplicate-key",
    .severity = Severity::error,
    .summary = "A mapping has a key twice",
    .why =
        R"(YAML forbids it, and what happens depends on who reads: kubectl and the API server refuse
it ("key already set in map") or, where field validation is off, take the last one in silence. A
second limits or tolerations further down, pasted in from an example, thus throws away the first:
the manifest shows an accelerator, and the pod does not ask for it.)",
    .remedy = "Merge the two.",
    .source = "Kubernetes, API server field validation; YAML 1.2 §3.2.1.1",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      limits:
        nvidia.com/gpu: 1
      limits:
        memory: 16Gi
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
      limits:
        nvidia.com/gpu: 1
        memory: 16Gi
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .document = check,
};

}  // namespace gpuspec::lint::rules
