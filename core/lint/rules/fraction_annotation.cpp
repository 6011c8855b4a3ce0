#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  for (const char* key : {"gpu-fraction", "gpu-memory"}) {
    const std::string value = pod.annotation(key);
    if (value.empty()) continue;
    for (const AskView& ask : pod.asks)
      if (ask.resource == "nvidia.com/gpu")
        report.add({
            .node = ask.node,
            .field = ask.field,
            .message = "asks for whole " + ask.resource + ", and by the annotation " + key + ": " +
                       value + " for a part of one",
            .container = ask.container,
        });
  }
}

}  // namespace

constinit const Rule fraction_annotation{
    .code = "GPU307",
    .name = "fraction-annotation",
    .severity = Severity::warning,
    .summary = "A pod asks for a whole GPU and, by annotation, for a part of one",
    .why =
        R"(KAI and Run:ai take the annotations gpu-fraction and gpu-memory in place of a limit: the
scheduler reserves the device and lets several pods in. A limit of nvidia.com/gpu beside it asks the
kubelet for a whole device as well. KAI refuses such pods; another scheduler ignores the annotation
and hands out the whole device.)",
    .remedy = "Keep the annotation with schedulerName: kai-scheduler, or keep the limit.",
    .source = "KAI scheduler, GPU sharing",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
  annotations:
    gpu-fraction: "0.5"
spec:
  schedulerName: kai-scheduler
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
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
  name: notebook
  annotations:
    gpu-fraction: "0.5"
spec:
  schedulerName: kai-scheduler
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 8Gi
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
