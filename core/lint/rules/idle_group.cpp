#include <algorithm>

#include "core/lint/rules/rules.h"

// Accelerators on the pods of a job that only steer it.
namespace gpuspec::lint::rules {
namespace {

bool is_true(const PodView& pod, std::initializer_list<std::string_view> keys) {
  const yaml::NodeId node = yaml::get(pod.tree, pod.object.object.node, keys);
  return node != yaml::no_node && pod.tree[node].kind == yaml::Kind::scalar &&
         yaml::scalar_text(pod.tree, node) == "true";
}

bool has_group(const PodView& pod, std::string_view part) {
  const auto& pods = pod.object.object.pods;
  return std::any_of(pods.begin(), pods.end(), [&](const kube::Pod& other) {
    return other.path.find(part) != std::string::npos;
  });
}

/// The value of num-gpus in rayStartParams; empty when it is not said.
std::string num_gpus(const PodView& pod) {
  const yaml::NodeId params =
      yaml::get(pod.tree, pod.pod.ray_group.get(pod.tree), "rayStartParams");
  if (params == yaml::no_node) return {};
  return yaml::get_text(pod.tree, params, "num-gpus").value_or("");
}

void check(const PodView& pod, Report& report) {
  if (!pod.asks_accelerator()) return;
  const AskView& ask = pod.asks[0];
  Problem problem{.node = ask.node, .field = ask.field, .container = ask.container};
  const bool head = pod.pod.ray_group && pod.pod.path.find("headGroupSpec") != std::string::npos;
  if (head) {
    if (num_gpus(pod) == "0") {
      problem.message = "the Ray head reserves " + ask.resource +
                        " and tells Ray with num-gpus: \"0\" not to use it";
    } else if (has_group(pod, "workerGroupSpecs")) {
      problem.message = "the Ray head asks for " + ask.resource +
                        ", though there are workers; it is then used for steering, too";
      problem.severity = Severity::info;
    } else {
      return;  // a cluster of one node
    }
  } else if (pod.pod.never_accelerated) {
    if (is_true(pod, {"spec", "runLauncherAsWorker"})) return;
    const bool launcher = pod.pod.path.find("Launcher") != std::string::npos;
    if (launcher && !has_group(pod, "Worker")) return;
    problem.message = (launcher ? std::string("the launcher") : pod.pod.path) + " asks for " +
                      ask.resource + ", but only starts and watches the work of other pods";
  } else {
    return;
  }
  report.add(std::move(problem));
}

}  // namespace

constinit const Rule idle_group{
    .code = "GPU501",
    .name = "idle-group",
    .severity = Severity::warning,
    .summary = "An accelerator on a pod that only steers: an MPI launcher, a Ray head, a submitter",
    .why =
        R"(The launcher of an MPIJob runs mpirun and waits; a Ray submitter sends a job and waits; the
head of a Ray cluster keeps the books, and Ray's own guide says to keep devices away from it. An
accelerator there is paid for and idle, and the job needs one more node than its workers do. A
launcher with runLauncherAsWorker: true works itself and may have one. A Ray head that has workers
beside it is only advised against; with num-gpus: "0" it is certain that the device is never used.)",
    .remedy = "Take the accelerator out of that group.",
    .source = "kubeflow/trainer issue 1872; Ray on Kubernetes, configuration of the head group",
    .example = {.bad = R"(apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: train
spec:
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template:
        spec:
          containers:
          - name: mpirun
            image: horovod/horovod:0.28.1
            resources:
              requests:
                memory: 2Gi
              limits:
                nvidia.com/gpu: 1
          tolerations:
          - key: nvidia.com/gpu
            operator: Exists
            effect: NoSchedule
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: worker
            image: horovod/horovod:0.28.1
            resources:
              requests:
                memory: 32Gi
              limits:
                nvidia.com/gpu: 1
          tolerations:
          - key: nvidia.com/gpu
            operator: Exists
            effect: NoSchedule
)",
                .good = R"(apiVersion: kubeflow.org/v2beta1
kind: MPIJob
metadata:
  name: train
spec:
  mpiReplicaSpecs:
    Launcher:
      replicas: 1
      template:
        spec:
          containers:
          - name: mpirun
            image: horovod/horovod:0.28.1
            resources:
              requests:
                memory: 2Gi
    Worker:
      replicas: 2
      template:
        spec:
          containers:
          - name: worker
            image: horovod/horovod:0.28.1
            resources:
              requests:
                memory: 32Gi
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
