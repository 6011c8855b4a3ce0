#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// The volume that the container mounts at /dev/shm; no_node when it mounts none.
yaml::NodeId mounted(const PodView& pod, const ContainerView& container, bool& mounts) {
  mounts = false;
  const yaml::NodeId list = container.at->volume_mounts.get(pod.tree);
  if (list == yaml::no_node) return yaml::no_node;
  for (yaml::NodeId item : yaml::items(pod.tree, list)) {
    const yaml::NodeId mount = pod.tree.resolve(item);
    const auto path = yaml::get_text(pod.tree, mount, "mountPath");
    if (!path || (*path != "/dev/shm" && *path != "/dev/shm/")) continue;
    mounts = true;
    const auto name = yaml::get_text(pod.tree, mount, "name");
    const yaml::NodeId volumes = pod.pod.volumes.get(pod.tree);
    if (!name || volumes == yaml::no_node) return yaml::no_node;
    for (yaml::NodeId volume : yaml::items(pod.tree, volumes))
      if (yaml::get_text(pod.tree, pod.tree.resolve(volume), "name") == name)
        return pod.tree.resolve(volume);
  }
  return yaml::no_node;
}

void check(const PodView& pod, Report& report) {
  if (!pod.full) return;
  const auto host_ipc = yaml::get_text(pod.tree, pod.pod.spec, "hostIPC");
  if (host_ipc && *host_ipc == "true") return;
  for (const ContainerView& container : pod.containers) {
    if (container.at->init && !container.at->sidecar) continue;
    const ResourceEntry* gpus = container.ask("nvidia.com/gpu");
    if (!gpus) gpus = container.ask("amd.com/gpu");
    if (!gpus || !gpus->quantity || gpus->quantity->value() < 2) continue;
    bool mounts = false;
    const yaml::NodeId volume = mounted(pod, container, mounts);
    if (!mounts) {
      report.add({
          .node = gpus->key_node,
          .field = container.path() + ".volumeMounts",
          .message = "asks for " + gpus->text + " GPUs and has the default 64 MiB of /dev/shm",
          .container = container.at->name,
      });
      continue;
    }
    const yaml::NodeId empty_dir = yaml::get(pod.tree, volume, "emptyDir");
    if (volume == yaml::no_node || empty_dir == yaml::no_node) continue;
    const auto medium = yaml::get_text(pod.tree, empty_dir, "medium");
    const yaml::NodeId limit = yaml::get(pod.tree, empty_dir, "sizeLimit");
    const auto size = limit == yaml::no_node
                          ? std::nullopt
                          : kube::Quantity::parse(yaml::scalar_text(pod.tree, limit));
    if (medium.value_or("") != "Memory") {
      report.add(
          {.node = empty_dir,
           .field = pod.path("volumes") + ".emptyDir.medium",
           .message = "/dev/shm lies on the node's disk: an emptyDir for it needs medium: Memory",
           .container = container.at->name,
           .severity = Severity::warning});
    } else if (size && *size <= *kube::Quantity::parse("64Mi")) {
      report.add({.node = limit,
                  .field = pod.path("volumes") + ".emptyDir.sizeLimit",
                  .message = "/dev/shm of " + size->str() + " is no larger than the default",
                  .container = container.at->name});
    }
  }
}

}  // namespace

constinit const Rule shared_memory{
    .code = "GPU406",
    .name = "shared-memory",
    .severity = Severity::info,
    .summary = "Several GPUs, and /dev/shm is small or missing",
    .why =
        R"(Processes that drive several GPUs talk through shared memory: NCCL between ranks, data
loaders with their workers. A container has 64 MiB of it. When that is full the program dies with
"Bus error" or "No space left on device" in the middle of the first epoch, or NCCL falls back to a
slower path without a word.)",
    .remedy =
        "Mount an emptyDir with medium: Memory at /dev/shm (gpuspec --shm 8Gi does it). Its pages "
        "count against the memory limit of the container. A /dev/shm on the node's disk is slower "
        "than none, and reported as a warning.",
    .source = "pytorch issue 16979; horovod issue 1081; Kubernetes, Volumes, emptyDir",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
    resources:
      requests:
        memory: 64Gi
      limits:
        nvidia.com/gpu: 4
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
        memory: 64Gi
      limits:
        nvidia.com/gpu: 4
    volumeMounts:
    - name: dshm
      mountPath: /dev/shm
  volumes:
  - name: dshm
    emptyDir:
      medium: Memory
      sizeLimit: 16Gi
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
