#include <array>

#include "core/lint/rules/rules.h"

// Fields of a pod spec that are written one level too high or too deep.
namespace gpuspec::lint::rules {
namespace {

constexpr std::array<std::string_view, 8> pod_fields = {
    "tolerations",       "nodeSelector", "affinity",      "runtimeClassName",
    "priorityClassName", "nodeName",     "schedulerName", "resourceClaims"};

/// Reports `holder`.`field`, a field that belongs in the pod spec, and moves it there where the pod
/// spec does not have it.
void report_field(const PodView& pod, yaml::NodeId holder, const std::string& path,
                  std::string_view field, std::string_view what, std::string container,
                  Report& report) {
  const yaml::Found found = yaml::find(pod.tree, holder, field);
  if (!found || found.merged) return;
  Problem problem{
      .node = found.key,
      .field = path.empty() ? std::string(field) : path + "." + std::string(field),
      .message = std::string(field) + " is no field of " + std::string(what) +
                 ": it belongs in the pod spec (" + pod.pod.path + ")",
      .container = std::move(container),
  };
  if (pod.field(field) == yaml::no_node) {
    problem.fix = "move it to " + pod.pod.path;
    problem.apply = [holder = at(holder), spec = at(pod.pod.spec), field = std::string(field),
                     value = yaml::copy_of(pod.tree, found.value)](yaml::Changes& changes) {
      const yaml::Why why{"misplaced-field", field + " is a field of the pod spec"};
      changes.remove(holder, field, why);
      changes.set(spec, field, value, why);
    };
  }
  report.add(std::move(problem));
}

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  for (const ContainerView& container : pod.containers)
    for (std::string_view field : pod_fields)
      report_field(pod, container.at->node, container.path(), field, "a container",
                   container.at->name, report);

  const yaml::NodeId affinity = pod.field("affinity");
  for (std::string_view field : {"tolerations", "nodeSelector"})
    if (affinity != yaml::no_node)
      report_field(pod, affinity, pod.path("affinity"), field, "affinity", {}, report);

  for (const auto& [holder, path] : pod.above()) {
    const bool metadata = path == "metadata" || path.ends_with(".metadata");
    for (std::string_view field : pod_fields)
      report_field(pod, holder, path, field,
                   path.empty() ? std::string_view(pod.object.object.kind)
                   : metadata   ? std::string_view("metadata")
                                : std::string_view(path),
                   {}, report);
  }
}

}  // namespace

constinit const Rule misplaced_field{
    .code = "GPU006",
    .name = "misplaced-field",
    .severity = Severity::error,
    .summary = "tolerations, nodeSelector, affinity, runtimeClassName … at a wrong level",
    .why =
        R"(These are fields of the pod spec, beside containers. Written in a container, under affinity,
in metadata or one level above the template they are unknown fields: refused by a validating client
and server, dropped in silence otherwise. The pod then stays Pending on "had untolerated taint", runs
on the wrong node, or starts without the NVIDIA runtime, while the manifest seems to say the right
thing.)",
    .remedy =
        "Move the field into the pod spec: spec of a Pod, spec.template.spec of a Deployment or "
        "Job, spec.jobTemplate.spec.template.spec of a CronJob.",
    .source = "Kubernetes API, core/v1 PodSpec",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    runtimeClassName: nvidia
    resources:
      requests:
        memory: 16Gi
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
      limits:
        nvidia.com/gpu: 1
  runtimeClassName: nvidia
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
