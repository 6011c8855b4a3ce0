#include "core/accelerator/resources.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const ResourceEntry& entry : container.limits) {
      if (!accelerator::is_accelerator_resource(entry.key) || !entry.is_zero()) continue;
      report.add({
          .node = entry.value_node,
          .field = container.path() + ".resources.limits[" + entry.key + "]",
          .message = "zero of " + entry.key + " asks for nothing",
          .container = container.at->name,
      });
    }
  }
}

}  // namespace

constinit const Rule zero_quantity{
    .code = "GPU004",
    .name = "zero-quantity",
    .severity = Severity::info,
    .summary = "An accelerator is asked for with quantity zero",
    .why =
        R"(Zero is legal and asks for no accelerator, but it is not the same as saying nothing: the
ExtendedResourceToleration admission plugin looks at the names only and gives such a pod the
toleration for accelerator nodes, so a CPU pod may fill an expensive node. Templates that compute
the number ("gpu: 0" for the small size) produce this.)",
    .remedy = "Leave the entry out where no accelerator is wanted.",
    .source = "Kubernetes, ExtendedResourceToleration admission plugin",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: prepare
spec:
  containers:
  - name: prepare
    image: python:3.12.8
    resources:
      limits:
        memory: 2Gi
        nvidia.com/gpu: 0
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: prepare
spec:
  containers:
  - name: prepare
    image: python:3.12.8
    resources:
      limits:
        memory: 2Gi
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
