#include <algorithm>
#include <array>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// Beginnings of the paths of accelerator devices.
constexpr std::array<std::string_view, 8> devices = {
    "/dev/nvidia", "/dev/dri",        "/dev/kfd",     "/dev/accel",
    "/dev/neuron", "/dev/habanalabs", "/dev/davinci", "/dev/apex"};

void check(const PodView& pod, Report& report) {
  if (!pod.full || pod.daemon_set()) return;
  const yaml::NodeId volumes = pod.field("volumes");
  if (volumes == yaml::no_node) return;
  std::size_t i = 0;
  for (yaml::NodeId item : yaml::items(pod.tree, volumes)) {
    const std::size_t index = i++;
    const yaml::NodeId path = yaml::get(pod.tree, item, {"hostPath", "path"});
    if (path == yaml::no_node || pod.tree[path].kind != yaml::Kind::scalar) continue;
    const std::string text = yaml::scalar_text(pod.tree, path);
    const bool device = text == "/dev" || text == "/dev/" ||
                        std::any_of(devices.begin(), devices.end(), [&](std::string_view prefix) {
                          return text.starts_with(prefix);
                        });
    if (!device || text.starts_with("/dev/nvidia-caps-imex")) continue;
    report.add({
        .node = path,
        .field = pod.path("volumes") + "[" + std::to_string(index) + "].hostPath.path",
        .message =
            "mounts " + text + " of the host: the devices in it are not reserved for this pod",
    });
  }
}

}  // namespace

constinit const Rule device_path{
    .code = "GPU404",
    .name = "device-path",
    .severity = Severity::warning,
    .summary = "Device files of the host are mounted instead of asked for",
    .why =
        R"(Mounting /dev/nvidia0, /dev/dri or /dev/kfd with hostPath is how it was done before device
plugins. The scheduler knows nothing of it: the pod goes to any node, the device may be somebody
else's, and without privileges the mount is there but may not be opened (the device cgroup refuses
it). DaemonSets are left alone: a device plugin must see the devices.)",
    .remedy =
        "Ask for the resource of the device plugin (nvidia.com/gpu, amd.com/gpu, "
        "gpu.intel.com/i915) and remove volume and mount.",
    .source = "Kubernetes, Device Plugins",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: transcode
spec:
  containers:
  - name: transcode
    image: linuxserver/ffmpeg:7.1
    resources:
      requests:
        memory: 4Gi
    volumeMounts:
    - name: dri
      mountPath: /dev/dri
  volumes:
  - name: dri
    hostPath:
      path: /dev/dri
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: transcode
spec:
  containers:
  - name: transcode
    image: linuxserver/ffmpeg:7.1
    resources:
      requests:
        memory: 4Gi
      limits:
        gpu.intel.com/i915: 1
  tolerations:
  - key: gpu.intel.com/i915
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
