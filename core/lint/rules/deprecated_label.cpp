#include <algorithm>
#include <array>

#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

struct Deprecated {
  std::string_view key;
  std::string_view instead;  ///< empty: nothing took its place
  bool gone;                 ///< no node has it any more
};

constexpr std::array<Deprecated, 7> table = {{
    {"beta.kubernetes.io/instance-type", "node.kubernetes.io/instance-type", false},
    {"failure-domain.beta.kubernetes.io/zone", "topology.kubernetes.io/zone", false},
    {"failure-domain.beta.kubernetes.io/region", "topology.kubernetes.io/region", false},
    {"beta.kubernetes.io/arch", "kubernetes.io/arch", false},
    {"beta.kubernetes.io/os", "kubernetes.io/os", false},
    {"kubernetes.azure.com/scalesetpriority", "kubernetes.azure.com/priority", false},
    {"alpha.kubernetes.io/nvidia-gpu-name", "nvidia.com/gpu.product", true},
}};

void check(const PodView& pod, Report& report) {
  if (pod.live()) return;
  for (const RequirementView* requirement : pod.requirements()) {
    const auto found = std::find_if(table.begin(), table.end(), [&](const Deprecated& entry) {
      return entry.key == requirement->key;
    });
    if (found == table.end()) continue;
    Problem problem{
        .node = requirement->key_node,
        .field = requirement->path,
        .message = requirement->key +
                   (found->gone ? " is on no node any more: it was followed by "
                                : " is deprecated: it is called ") +
                   std::string(found->instead) + (found->gone ? "" : " now"),
        .severity = found->gone ? std::optional(Severity::warning) : std::nullopt,
    };
    const bool taken =
        requirement->selector &&
        std::any_of(pod.node_selector.begin(), pod.node_selector.end(),
                    [&](const RequirementView& other) { return other.key == found->instead; });
    if (!found->gone && !taken) {
      problem.fix = "call it " + std::string(found->instead);
      problem.apply = [r = *requirement, instead = found->instead](yaml::Changes& changes) {
        const yaml::Why why{"deprecated-label", "its name now"};
        if (r.selector)
          changes.rename(r.place, r.key, instead, why);
        else
          changes.set(r.place, "key", yaml::Value::string(instead), why);
      };
    }
    report.add(std::move(problem));
  }
}

}  // namespace

constinit const Rule deprecated_label{
    .code = "GPU603",
    .name = "deprecated-label",
    .severity = Severity::info,
    .summary = "Nodes are selected by a label whose name has changed",
    .why =
        R"(beta.kubernetes.io/instance-type, the failure-domain labels, and on AKS scalesetpriority
have had new names for years. Most nodes still carry both; new ones need not, and autoscalers that
simulate a node from its template know only the new names. alpha.kubernetes.io/nvidia-gpu-name is
gone altogether, which makes it a warning.)",
    .remedy = "Use the new name.",
    .source = "Kubernetes, Well-Known Labels; AKS, Use labels",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: notebook
spec:
  nodeSelector:
    beta.kubernetes.io/instance-type: g4dn.xlarge
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 14G
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
spec:
  nodeSelector:
    node.kubernetes.io/instance-type: g4dn.xlarge
  containers:
  - name: notebook
    image: pangeo/pytorch-notebook:2025.01.10
    resources:
      requests:
        memory: 14G
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
