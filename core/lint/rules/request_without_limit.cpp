#include "core/kube/names.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const ResourceEntry& request : container.requests) {
      if (!kube::is_extended_resource(request.key) || container.limit(request.key)) continue;
      report.add({
          .node = request.key_node,
          .field = container.path() + ".resources.requests[" + request.key + "]",
          .message =
              request.key +
              " is requested without a limit: Limit must be set for non overcommitable resources",
          .container = container.at->name,
          .fix = "give it the same limit",
          .apply =
              [place = *container.at->resources / "limits", key = request.key,
               value = yaml::copy_of(pod.tree, request.value_node)](yaml::Changes& changes) {
                changes.set(place, key, value, {"request-without-limit", "limit as requested"});
              },
      });
    }
  }
}

}  // namespace

constinit const Rule request_without_limit{
    .code = "GPU002",
    .name = "request-without-limit",
    .severity = Severity::error,
    .summary = "An accelerator is requested without a limit",
    .why =
        R"(An accelerator belongs in the limits of a container; the request follows by itself. The
other way round does not work: the API server refuses a pod that requests an extended resource
without a limit for it ("Limit must be set for non overcommitable resources"). Manifests that were
made by tools which think in requests (a JupyterHub guarantee without a limit, a scheduler's
resource form) often have this shape.)",
    .remedy = "Put the accelerator into limits. A request of the same number may stay beside it.",
    .source =
        "Kubernetes, Managing Resources for Containers, \"Extended resources\"; API validation "
        "of container resources",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 14Gi
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 14Gi
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
