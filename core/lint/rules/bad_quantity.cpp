#include "core/accelerator/resources.h"
#include "core/kube/names.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        if (!kube::is_extended_resource(entry.key) &&
            !accelerator::is_accelerator_resource(entry.key))
          continue;
        Problem problem{
            .node = entry.value_node,
            .field = container.path() + ".resources." + list + "[" + entry.key + "]",
            .container = container.at->name,
        };
        if (!entry.quantity) {
          if (entry.type == yaml::Type::null) continue;  // kustomize and Helm: remove this entry
          problem.message = entry.text.empty()
                                ? entry.key + " must be a whole number"
                                : "\"" + entry.text + "\" is no number of " + entry.key;
        } else if (entry.quantity->is_negative()) {
          problem.message =
              "a negative number of " + entry.key + ": must be greater than or equal to 0";
        } else if (!entry.quantity->is_integer()) {
          problem.message = "a part of " + entry.key + " (" + entry.text +
                            ") cannot be asked for: it must be an integer";
        } else {
          continue;
        }
        report.add(std::move(problem));
      }
    }
  }
}

}  // namespace

constinit const Rule bad_quantity{
    .code = "GPU003",
    .name = "bad-quantity",
    .severity = Severity::error,
    .summary = "The number of accelerators is fractional, negative or no number",
    .why =
        R"(An extended resource is counted in whole pieces. The API server refuses 0.5 or 500m with
"must be an integer", and a negative quantity with "must be greater than or equal to 0". There is no
half nvidia.com/gpu to be had: sharing is set up on the node, by MIG, time slicing or MPS, and the
share then has a number or a name of its own.)",
    .remedy =
        "Ask for a whole number. For less than a whole device ask for a MIG profile "
        "(nvidia.com/mig-1g.5gb), for one share of a time-sliced device (1 of nvidia.com/gpu or "
        "nvidia.com/gpu.shared, as the cluster names it), or use the annotation of a scheduler "
        "that shares devices.",
    .source =
        "Kubernetes, Managing Resources for Containers, \"Extended resources\"; API validation "
        "of quantities",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/gpu: 0.5
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: infer
    image: nvcr.io/nvidia/tritonserver:25.01-py3
    resources:
      requests:
        memory: 8Gi
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
