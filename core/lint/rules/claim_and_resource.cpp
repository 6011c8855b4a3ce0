#include <algorithm>
#include <initializer_list>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

bool mentions(std::string_view text, std::initializer_list<std::string_view> words) {
  return std::any_of(words.begin(), words.end(),
                     [&](std::string_view word) { return text.find(word) != text.npos; });
}

/// Names of the claim as the container and the pod call it, and of what it comes from.
std::string names_of(const PodView& pod, const std::string& claim) {
  std::string names = claim;
  const yaml::NodeId claims = pod.field("resourceClaims");
  if (claims == yaml::no_node || pod.tree[claims].kind != yaml::Kind::sequence) return names;
  for (yaml::NodeId item : yaml::items(pod.tree, claims)) {
    const yaml::NodeId entry = pod.tree.resolve(item);
    if (yaml::get_text(pod.tree, entry, "name") != claim) continue;
    for (const char* key : {"resourceClaimTemplateName", "resourceClaimName"})
      names += " " + yaml::get_text(pod.tree, entry, key).value_or("");
  }
  return names;
}

/// What the claim is for, as far as its names say: an accelerator, something else (a network
/// device, the channel of a compute domain), or not known.
enum class For { accelerator, unknown, other };

For purpose(const std::string& names) {
  if (mentions(names,
               {"net", "nic", "rdma", "roce", "infiniband", "efa", "channel", "domain", "cpu"}))
    return For::other;
  return mentions(names, {"gpu", "mig", "tpu", "neuron", "gaudi", "accel", "cuda"})
             ? For::accelerator
             : For::unknown;
}

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  for (const ContainerView& container : pod.containers) {
    const yaml::NodeId claims =
        yaml::get(pod.tree, container.at->resources.get(pod.tree), "claims");
    if (claims == yaml::no_node || pod.tree[claims].kind != yaml::Kind::sequence) continue;
    For worst = For::other;
    for (yaml::NodeId claim : yaml::items(pod.tree, claims)) {
      const auto name = yaml::get_text(pod.tree, pod.tree.resolve(claim), "name");
      if (name) worst = std::min(worst, purpose(names_of(pod, *name)));
    }
    if (worst == For::other) continue;
    for (const AskView& ask : pod.asks) {
      const ResourceEntry* entry = container.ask(ask.resource);
      if (!entry || entry->is_zero()) continue;
      report.add({
          .node = entry->key_node,
          .field = container.path() + ".resources.limits[" + ask.resource + "]",
          .message =
              worst == For::accelerator
                  ? "asks for " + ask.resource +
                        " and for a resource claim: the two are counted apart and give two "
                        "devices"
                  : "asks for " + ask.resource +
                        " and for a resource claim; if the claim is for the same device, the "
                        "two are counted apart",
          .container = container.at->name,
          .severity = worst == For::accelerator ? std::nullopt : std::optional(Severity::info),
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
migration to DRA the old limit is easily left behind. A claim whose name says that it is for something
else, a network device or the channel of a compute domain, is fine; one whose name says nothing is
only mentioned.)",
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
