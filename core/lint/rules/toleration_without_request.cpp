#include "core/accelerator/resources.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  // Daemons of accelerator nodes (device plugins, exporters, image pullers) are meant to be there,
  // and so is what the cluster itself runs with a priority class of its own.
  if (pod.asks_accelerator() || pod.asks_otherwise() || pod.daemon_set() || pod.live()) return;
  for (const TolerationView& toleration : pod.tolerations) {
    const kube::Toleration& t = toleration.value;
    if (!t.effect.empty() && t.effect != "NoSchedule") continue;
    const bool everything = t.key.empty() && t.op == "Exists";
    if (everything && pod.priority_class().starts_with("system-")) continue;
    if (!everything && !accelerator::is_accelerator_resource(t.key)) continue;
    report.add({
        .node = toleration.node,
        .field = toleration.path,
        .message = everything
                       ? "tolerates every taint, those of accelerator nodes too, but asks for "
                         "no accelerator"
                       : "tolerates the taint " + t.key + " but asks for no accelerator",
        .severity = everything ? std::optional(Severity::info) : std::nullopt,
    });
  }
}

}  // namespace

constinit const Rule toleration_without_request{
    .code = "GPU103",
    .name = "toleration-without-request",
    .severity = Severity::warning,
    .summary = "A pod tolerates the taint of accelerator nodes but asks for no accelerator",
    .why =
        R"(The taint keeps other work off nodes that cost ten times as much. A pod that tolerates it
without asking for a device can fill such a node's CPU and memory so that pods which need the device
do not fit any more, and it keeps an autoscaler from removing an idle node. Often the request was
lost (a value that stayed empty, a limit at a wrong level), and then the program runs without its
accelerator. A bare "operator: Exists" tolerates every taint there is; that is meant for daemons, and
reported as advice elsewhere. DaemonSets are left alone.)",
    .remedy = "Add the request that is missing, or remove the toleration.",
    .source =
        "unionai-oss/deploy-flyte issue 4; Kubernetes, Taints and Tolerations, \"Dedicated nodes\"",
    .example = {.bad = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
      - name: api
        image: python:3.12.8
      tolerations:
      - key: nvidia.com/gpu
        operator: Exists
        effect: NoSchedule
)",
                .good = R"(apiVersion: apps/v1
kind: Deployment
metadata:
  name: api
spec:
  selector:
    matchLabels:
      app: api
  template:
    metadata:
      labels:
        app: api
    spec:
      containers:
      - name: api
        image: python:3.12.8
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
