#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

void check(const PodView& pod, Report& report) {
  if (!pod.full || pod.live() || !pod.asks_accelerator()) return;
  const yaml::NodeId name = pod.field("nodeName");
  if (name == yaml::no_node) return;
  const std::string text = yaml::scalar_text(pod.tree, name);
  if (text.empty() || yaml::type_of(pod.tree, name) == yaml::Type::null) return;
  report.add({
      .node = name,
      .field = pod.path("nodeName"),
      .message = "nodeName goes around the scheduler: nothing checks that " + text +
                 " has an accelerator left",
  });
}

}  // namespace

constinit const Rule node_name{
    .code = "GPU210",
    .name = "node-name",
    .severity = Severity::warning,
    .summary = "A pod that asks for an accelerator is tied to a node by nodeName",
    .why =
        R"(A pod with nodeName is not scheduled at all: the kubelet of that node takes it, whatever is
free there. With no device left it fails at once with UnexpectedAdmissionError or OutOfnvidia.com/gpu,
and a Deployment or Job makes the next one, and the next. Taints with NoSchedule do not hold it off,
and priorities mean nothing to it. Pods that were dumped from a cluster carry the name of the node
they ran on; those are left alone as long as they carry their metadata.uid.)",
    .remedy = "Select the node by a label: nodeSelector {kubernetes.io/hostname: NAME}.",
    .source = "Kubernetes, Assigning Pods to Nodes, \"nodeName\"",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeName: gpu-node-3
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
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
  nodeSelector:
    kubernetes.io/hostname: gpu-node-3
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
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
    .pod = check,
};

}  // namespace gpuspec::lint::rules
