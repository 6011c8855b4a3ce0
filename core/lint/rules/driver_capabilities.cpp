#include <algorithm>
#include <sstream>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream in(text);
  for (std::string part; std::getline(in, part, ',');) {
    const std::size_t begin = part.find_first_not_of(' ');
    if (begin == part.npos) continue;
    parts.push_back(part.substr(begin, part.find_last_not_of(' ') - begin + 1));
  }
  return parts;
}

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    if (!container.asks_any(pod, "nvidia.com/")) continue;
    for (const Entry& variable : container.env) {
      if (variable.key != "NVIDIA_DRIVER_CAPABILITIES") continue;
      const std::vector<std::string> has = split(variable.text);
      const auto lacks = [&](const char* capability) {
        return std::find(has.begin(), has.end(), "all") == has.end() &&
               std::find(has.begin(), has.end(), capability) == has.end();
      };
      if (variable.text.find('$') != std::string::npos) continue;
      std::string missing;
      std::string value = variable.text;
      for (const char* capability : {"compute", "utility"}) {
        if (!lacks(capability)) continue;
        missing += (missing.empty() ? "" : " and ") + std::string(capability);
        value += (value.empty() ? "" : ",") + std::string(capability);
      }
      if (missing.empty()) continue;
      report.add({
          .node = variable.value_node,
          .field = container.path() + ".env[NVIDIA_DRIVER_CAPABILITIES]",
          .message =
              "NVIDIA_DRIVER_CAPABILITIES lacks " + missing + ": " +
              (lacks("compute") ? "CUDA finds no device" : "nvidia-smi and NVML are missing"),
          .container = container.at->name,
          .severity = lacks("compute") ? std::nullopt : std::optional(Severity::info),
          .fix = "add " + missing,
          .apply =
              [place = yaml::below(pod.tree, *container.at->env,
                                   "[" + std::to_string(variable.index) + "]"),
               value](yaml::Changes& changes) {
                changes.set(place, "value", yaml::Value::string(value),
                            {"driver-capabilities", "what CUDA needs of the driver"});
              },
      });
    }
  }
}

}  // namespace

constinit const Rule driver_capabilities{
    .code = "GPU405",
    .name = "driver-capabilities",
    .severity = Severity::warning,
    .summary = "NVIDIA_DRIVER_CAPABILITIES is set without compute and utility",
    .why =
        R"(The NVIDIA runtime mounts only those parts of the driver that this variable names: compute
is CUDA, utility is nvidia-smi and NVML. A container that sets it, for video or graphics say, and
leaves out compute gets its device and no libcuda: "no CUDA-capable device is detected", or a
framework that quietly falls back to the CPU.)",
    .remedy = "compute,utility and whatever else is needed (video, graphics), or all.",
    .source = "NVIDIA Container Toolkit, driver capabilities; 2i2c infrastructure guide",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: transcode
spec:
  containers:
  - name: transcode
    image: nvcr.io/nvidia/cuda:12.6.3-runtime-ubuntu24.04
    env:
    - name: NVIDIA_DRIVER_CAPABILITIES
      value: video
    resources:
      requests:
        memory: 4Gi
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
  name: transcode
spec:
  containers:
  - name: transcode
    image: nvcr.io/nvidia/cuda:12.6.3-runtime-ubuntu24.04
    env:
    - name: NVIDIA_DRIVER_CAPABILITIES
      value: video,compute,utility
    resources:
      requests:
        memory: 4Gi
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
