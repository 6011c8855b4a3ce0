#include "core/accelerator/devices.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  const AskView* whole = nullptr;
  const AskView* part = nullptr;
  for (const AskView& ask : pod.asks) {
    if (ask.resource == "nvidia.com/gpu") whole = &ask;
    if (!accelerator::mig_profile_of_resource(ask.resource).empty()) part = &ask;
  }
  if (!whole || !part) return;
  report.add({
      .node = part->node,
      .field = part->field,
      .message = "asks for " + part->resource + " and for " + whole->resource +
                 ": a node rarely has both to give",
      .container = part->container,
  });
}

}  // namespace

constinit const Rule whole_and_partition{
    .code = "GPU305",
    .name = "whole-and-partition",
    .severity = Severity::warning,
    .summary = "A pod asks for whole GPUs and for MIG partitions",
    .why =
        R"(All containers of a pod run on one node, and its devices are either cut or whole; only the
strategy "mixed" on a node with both kinds could serve such a pod. And where a container gets both,
the two sets of devices are injected by the same variable and one overwrites the other: the container
does not start, or does not see what it asked for.)",
    .remedy = "Use one kind in a pod.",
    .source = "NVIDIA gpu-operator issue 637",
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
        nvidia.com/mig-1g.5gb: 1
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
