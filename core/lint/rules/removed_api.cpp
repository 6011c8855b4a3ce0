#include <array>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

struct Removed {
  std::string_view api_version;
  std::string_view kind;  ///< empty: every kind with pods
  std::string_view since;
  std::string_view instead;
};

constexpr std::array<Removed, 9> table = {{
    {"extensions/v1beta1", "Deployment", "1.16", "apps/v1"},
    {"extensions/v1beta1", "DaemonSet", "1.16", "apps/v1"},
    {"extensions/v1beta1", "ReplicaSet", "1.16", "apps/v1"},
    {"extensions/v1beta1", "Job", "1.16", "batch/v1"},
    {"apps/v1beta1", "", "1.16", "apps/v1"},
    {"apps/v1beta2", "", "1.16", "apps/v1"},
    {"batch/v1beta1", "CronJob", "1.25", "batch/v1"},
    {"batch/v2alpha1", "CronJob", "1.21", "batch/v1"},
    {"batch/v2alpha1", "ScheduledJob", "1.8", "batch/v1"},
}};

void check(const ObjectView& object, Report& report) {
  for (const Removed& removed : table) {
    if (object.object.api_version != removed.api_version) continue;
    if (!removed.kind.empty() && object.object.kind != removed.kind) continue;
    const yaml::NodeId node = yaml::get(object.tree, object.object.node, "apiVersion");
    Problem problem{
        .node = node == yaml::no_node ? object.object.node : node,
        .field = "apiVersion",
        .message = object.object.api_version + " " + object.object.kind +
                   " is gone since Kubernetes " + std::string(removed.since) + ": use " +
                   std::string(removed.instead),
    };
    // apps/v1 wants the selector that the old versions made up.
    const bool apps = removed.instead == "apps/v1";
    const bool selector =
        yaml::get(object.tree, object.object.node, {"spec", "selector"}) != yaml::no_node;
    if (node != yaml::no_node && object.object.kind != "ScheduledJob" && (!apps || selector)) {
      problem.fix = "apiVersion: " + std::string(removed.instead);
      problem.apply = [place = at(object.object.node),
                       instead = removed.instead](yaml::Changes& changes) {
        changes.set(place, "apiVersion", yaml::Value::string(instead),
                    {"removed-api", "the version that clusters serve"});
      };
    } else if (apps && !selector) {
      problem.message += ", which needs spec.selector";
    }
    report.add(std::move(problem));
    return;
  }
}

}  // namespace

constinit const Rule removed_api{
    .code = "GPU602",
    .name = "removed-api",
    .severity = Severity::error,
    .summary = "A workload in an API version that clusters do not serve any more",
    .why =
        R"(extensions/v1beta1, apps/v1beta1 and apps/v1beta2 ended with Kubernetes 1.16, CronJob in
batch/v1beta1 with 1.25. The API server answers "no matches for kind". GPU examples from the years of
the first device plugins are full of them. apps/v1 differs in one thing that matters: it demands
spec.selector, which the old versions filled in from the labels.)",
    .remedy =
        "Write the version that the message names, and add spec.selector.matchLabels where it is "
        "missing.",
    .source = "Kubernetes, Deprecated API Migration Guide",
    .fixable = true,
    .example = {.bad = R"(apiVersion: extensions/v1beta1
kind: Deployment
metadata:
  name: server
spec:
  selector:
    matchLabels:
      app: server
  template:
    metadata:
      labels:
        app: server
    spec:
      containers:
      - name: server
        image: nvcr.io/nvidia/tritonserver:25.01-py3
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
                .good = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: server
spec:
  selector:
    matchLabels:
      app: server
  template:
    metadata:
      labels:
        app: server
    spec:
      containers:
      - name: server
        image: nvcr.io/nvidia/tritonserver:25.01-py3
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
    .object = check,
};

}  // namespace gpuspec::lint::rules
