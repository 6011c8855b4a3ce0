#include "core/kube/names.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const ResourceEntry& request : container.requests) {
      if (!kube::is_extended_resource(request.key) || !request.quantity) continue;
      const ResourceEntry* limit = container.limit(request.key);
      if (!limit || !limit->quantity || *limit->quantity == *request.quantity) continue;
      report.add({
          .node = request.value_node,
          .field = container.path() + ".resources.requests[" + request.key + "]",
          .message = "Invalid value: \"" + request.text + "\": must be equal to " + request.key +
                     " limit of " + limit->text,
          .container = container.at->name,
          .fix = "request what the limit says",
          .apply =
              [place = *container.at->resources / "requests", key = request.key,
               value = yaml::copy_of(pod.tree, limit->value_node)](yaml::Changes& changes) {
                changes.set(place, key, value, {"unequal-request", "request equal to limit"});
              },
      });
    }
  }
}

}  // namespace

constinit const Rule unequal_request{
    .code = "GPU001",
    .name = "unequal-request",
    .severity = Severity::error,
    .summary = "The request of an accelerator is not equal to its limit",
    .why =
        R"(Kubernetes does not overcommit extended resources: a container that names both a request and
a limit for an accelerator must name the same number. The API server refuses the pod with "must be
equal to nvidia.com/gpu limit of 1". In a Deployment or Job the manifest itself is accepted; it is
the pods made from it that are refused, so the workload stays at zero pods and only its events say
why.)",
    .remedy =
        "Write one number in both places, or leave the request out: it defaults to the limit.",
    .source =
        "Kubernetes, Managing Resources for Containers, \"Extended resources\"; API validation "
        "of container resources",
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
        nvidia.com/gpu: 2
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
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 16Gi
        nvidia.com/gpu: 1
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
