#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    const yaml::NodeId claims =
        yaml::get(pod.tree, container.at->resources.get(pod.tree), "claims");
    if (claims == yaml::no_node || yaml::items(pod.tree, claims).empty()) continue;
    for (const AskView& ask : pod.asks) {
      const ResourceEntry* entry = container.ask(ask.resource);
      if (!entry || entry->is_zero()) continue;
      report.add({
          .node = entry->key_node,
          .field = container.path() + ".resources.limits[" + ask.resource + "]",
          .message = "asks for " + ask.resource +
                     " and for a resource claim: the two are counted apart and give two devices",
          .container = container.at->name,
      });
    }
  }
}

}  // namespace

constinit const Rule claim_and_resource{
    .code = "GPU012",
    .name = "claim-and-resource",
    .severity = Severity::warning,
    .summary = "A container asks for an accelerator twice: as an extended resource and by a claim",
    .why =
        R"(Dynamic Resource Allocation (resourceClaims) and extended resources (nvidia.com/gpu) are two
ways to the same devices. A node gives out a kind of device one way or the other; a container that
uses both wants two devices, from two drivers, on one node, and usually finds no node at all. During a
migration to DRA the old limit is easily left behind.)",
    .remedy =
        "Keep one: the claim, where the cluster has a DRA driver for the device, else the limit.",
    .source = "Kubernetes, Dynamic Resource Allocation; Kubernetes enhancement 5136 discussion",
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
      claims:
      - name: gpu
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
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
      claims:
      - name: gpu
  resourceClaims:
  - name: gpu
    resourceClaimTemplateName: one-gpu
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
