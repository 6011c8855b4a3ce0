#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const ObjectView& object, Report& report) {
  const kube::Object& o = object.object;
  if (o.name.empty() || o.metadata == yaml::no_node) return;
  const yaml::NodeId name = yaml::get(object.tree, o.metadata, "name");
  if (name == yaml::no_node) return;  // generateName: every one is new
  const std::string identity = o.group + "/" + o.kind + "/" + o.name_space + "/" + o.name;
  const std::size_t offset = object.tree.base + object.tree[name].begin;
  const auto [first, added] = object.document.seen.emplace(identity, offset);
  if (added || first->second == offset) return;
  report.add({
      .node = name,
      .field = "metadata.name",
      .message = o.kind + " " + o.name + " is already in line " +
                 std::to_string(object.document.source.location(first->second).line) +
                 " of this file: the second one replaces the first",
  });
}

}  // namespace

constinit const Rule duplicate_object{
    .code = "GPU904",
    .name = "duplicate-object",
    .severity = Severity::warning,
    .summary = "An object is twice in the same file",
    .why =
        R"(Two objects of one kind, namespace and name are one object to the cluster: kubectl apply
writes the first and then overwrites it with the second; kustomize refuses them ("may not add
resource with an already registered id"). Copied for a second device and not renamed, half of the
work never runs.)",
    .remedy = "Rename one of them, or remove it.",
    .source = "Kubernetes, Object Names and IDs",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
---
apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.5.1
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
---
apiVersion: v1
kind: Pod
metadata:
  name: train-old
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.5.1
)"},
    .object = check,
};

}  // namespace gpuspec::lint::rules
