#include <algorithm>
#include <array>

#include "core/lint/rules/rules.h"
#include "core/text/concat.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::array<std::string_view, 6> moving = {"latest",  "main",    "master",
                                                    "nightly", "develop", "edge"};

void check(const PodView& pod, Report& report) {
  if (pod.live()) return;
  for (const ContainerView& container : pod.containers) {
    if (!container.asks_any(pod) || !container.at->image_holder) continue;
    const yaml::NodeId node =
        yaml::get(pod.tree, container.at->image_holder.get(pod.tree), "image");
    if (node == yaml::no_node || pod.tree[node].kind != yaml::Kind::scalar) continue;
    const std::string image = yaml::scalar_text(pod.tree, node);
    // A digest, or what a tool is still to fill in ($IMAGE, {{image}}, <tag>, IMAGE_URL).
    if (image.empty() || image.find_first_of("@${}<>[]") != image.npos) continue;
    const std::size_t slash = image.rfind('/');
    const std::size_t colon = image.find(':', slash == image.npos ? 0 : slash);
    const std::string tag = colon == image.npos ? std::string() : image.substr(colon + 1);
    if (tag.empty() &&
        std::none_of(image.begin(), image.end(), [](char c) { return c >= 'a' && c <= 'z'; }))
      continue;  // IMAGE: a placeholder
    if (!tag.empty() && std::find(moving.begin(), moving.end(), tag) == moving.end()) continue;
    report.add({
        .node = node,
        .field = container.path() + ".image",
        .message = tag.empty() ? image + " has no tag, which means latest"
                               : text::concat({"the tag ", tag, " of ", image, " moves"}),
        .container = container.at->name,
    });
  }
}

}  // namespace

constinit const Rule image_tag{
    .code = "GPU401",
    .name = "image-tag",
    .severity = Severity::info,
    .summary = "The image of an accelerator container has no tag or one that moves",
    .why =
        R"(An image for accelerators carries a CUDA (ROCm, Neuron) of its own, and that must fit the
driver of the node. A tag that moves brings a newer one some day, at the next restart of one pod of
many, and the answer is "CUDA driver version is insufficient for CUDA runtime version" on some nodes
and not on others. These images are large, too: with latest every start asks the registry again.)",
    .remedy = "Name a version, or better a digest.",
    .source = "2i2c infrastructure guide: do not use the latest, main or master tags",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: infer
spec:
  containers:
  - name: infer
    image: vllm/vllm-openai:latest
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
  name: infer
spec:
  containers:
  - name: infer
    image: vllm/vllm-openai:v0.7.2
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
