#include <array>

#include "core/accelerator/resources.h"
#include "core/lint/rules/rules.h"

// Accelerators and limits outside resources.limits and resources.requests.
namespace gpuspec::lint::rules {
namespace {

bool is_resource(std::string_view name) {
  return name == "cpu" || name == "memory" || name == "ephemeral-storage" ||
         accelerator::is_accelerator_resource(name);
}

/// `limits:` and `requests:` that stand beside `resources:` instead of in it.
void check_beside(const PodView& pod, const ContainerView& container, Report& report) {
  for (const char* list : {"limits", "requests"}) {
    const yaml::Found found = yaml::find(pod.tree, container.at->node, list);
    if (!found) continue;
    Problem problem{
        .node = found.key,
        .field = container.path() + "." + list,
        .message = std::string(list) + " has no meaning here: it belongs under resources",
        .container = container.at->name,
    };
    const std::vector<Entry> entries = read_entries(pod.tree, pod.tree.resolve(found.value));
    if (!entries.empty() && !found.merged) {
      problem.fix = std::string("move ") + list + " under resources";
      problem.apply = [holder = at(container.at->node), target = *container.at->resources / list,
                       entries, list, &tree = pod.tree](yaml::Changes& changes) {
        for (const Entry& entry : entries)
          changes.set(target, entry.key, yaml::copy_of(tree, entry.value_node),
                      {"misplaced-resources", "limits and requests are fields of resources"});
        changes.remove(holder, list,
                       {"misplaced-resources", "limits and requests are fields of resources"});
      };
    }
    report.add(std::move(problem));
  }
}

/// Quantities that stand in `resources:` itself.
void check_inside(const PodView& pod, const ContainerView& container, Report& report) {
  const yaml::NodeId resources = container.at->resources.get(pod.tree);
  if (resources == yaml::no_node) return;
  for (const Entry& entry : read_entries(pod.tree, resources)) {
    if (!is_resource(entry.key)) continue;
    const bool device = accelerator::is_accelerator_resource(entry.key);
    const char* list = device ? "limits" : "requests";
    report.add({
        .node = entry.key_node,
        .field = container.path() + ".resources[" + entry.key + "]",
        .message = entry.key + " stands directly under resources: it belongs under resources." +
                   (device ? "limits" : "requests or resources.limits"),
        .container = container.at->name,
        .fix = "move " + entry.key + " to resources." + list,
        .apply =
            [holder = *container.at->resources, list, key = entry.key,
             value = yaml::copy_of(pod.tree, entry.value_node)](yaml::Changes& changes) {
              const yaml::Why why{"misplaced-resources",
                                  "quantities are entries of limits or requests"};
              changes.set(holder / list, key, value, why);
              changes.remove(holder, key, why);
            },
    });
  }
}

/// Accelerators in the container or pod spec itself, or in the pod's own `resources`.
void check_above(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers)
    for (const Entry& entry : read_entries(pod.tree, container.at->node))
      if (accelerator::is_accelerator_resource(entry.key))
        report.add({.node = entry.key_node,
                    .field = container.path() + "[" + entry.key + "]",
                    .message = entry.key +
                               " is no field of a container: it belongs under resources.limits",
                    .container = container.at->name});
  for (const Entry& entry : read_entries(pod.tree, pod.pod.spec))
    if (accelerator::is_accelerator_resource(entry.key) || entry.key == "limits" ||
        entry.key == "requests")
      report.add({.node = entry.key_node,
                  .field = pod.path(entry.key),
                  .message = entry.key +
                             " is no field of a pod: it belongs under resources of a container"});
  for (const char* list : {"limits", "requests"}) {
    const yaml::NodeId node = yaml::get(pod.tree, pod.field("resources"), list);
    if (node == yaml::no_node) continue;
    for (const Entry& entry : read_entries(pod.tree, node))
      if (accelerator::is_accelerator_resource(entry.key))
        report.add({.node = entry.key_node,
                    .field = pod.path("resources") + "." + list + "[" + entry.key + "]",
                    .message = "resources of the pod as a whole cannot hold " + entry.key +
                               ": only cpu, memory and hugepages"});
  }
}

/// In the template, in metadata, in the object itself.
void check_outside(const PodView& pod, Report& report) {
  for (const auto& [holder, path] : pod.above())
    for (const Entry& entry : read_entries(pod.tree, holder))
      if (accelerator::is_accelerator_resource(entry.key) || entry.key == "limits" ||
          entry.key == "requests" || entry.key == "resources")
        report.add({.node = entry.key_node,
                    .field = path.empty() ? entry.key : path + "." + entry.key,
                    .message = entry.key + " has no meaning here: it belongs under resources of a "
                                           "container"});
}

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  check_outside(pod, report);
  for (const ContainerView& container : pod.containers) {
    check_beside(pod, container, report);
    check_inside(pod, container, report);
  }
  check_above(pod, report);
}

}  // namespace

constinit const Rule misplaced_resources{
    .code = "GPU005",
    .name = "misplaced-resources",
    .severity = Severity::error,
    .summary = "An accelerator, limits or requests at a place where Kubernetes does not look",
    .why =
        R"(Quantities count only under resources.limits and resources.requests of a container. A name
written directly under resources, or limits written beside resources, is an unknown field: kubectl
and the API server refuse it ("unknown field"), and where validation is off (older clusters,
operators, server-side apply with warnings) it is dropped in silence. The pod then runs without an
accelerator, on any node, and the program falls back to the CPU or dies with "no CUDA-capable device
is detected". Examples in documentation with one level of indentation missing spread this mistake.)",
    .remedy = "Indent it: resources, then limits, then the accelerator.",
    .source =
        "Kubernetes API, core/v1 ResourceRequirements; Ray on Kubernetes guide (the example "
        "with the misplaced limits)",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: ray-worker
spec:
  containers:
  - name: ray-worker
    image: rayproject/ray:2.41.0-gpu
    resources:
      requests:
        memory: 16Gi
    limits:
      memory: 16Gi
      nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: ray-worker
spec:
  containers:
  - name: ray-worker
    image: rayproject/ray:2.41.0-gpu
    resources:
      requests:
        memory: 16Gi
      limits:
        memory: 16Gi
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
