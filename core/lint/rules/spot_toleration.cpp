#include <algorithm>
#include <array>

#include "core/lint/mend.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

/// Spot nodes that their platform taints by itself.
struct Spot {
  std::string_view label;
  std::string_view value;
  kube::Taint taint;
};

const std::array<Spot, 3>& spots() {
  static const std::array<Spot, 3> table = {
      Spot{"kubernetes.azure.com/scalesetpriority",
           "spot",
           {"kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule"}},
      Spot{"kubernetes.azure.com/priority",
           "spot",
           {"kubernetes.azure.com/scalesetpriority", "spot", "NoSchedule"}},
      Spot{"oci.oraclecloud.com/oke-is-preemptible",
           "true",
           {"oci.oraclecloud.com/oke-is-preemptible", "present", "NoSchedule"}}};
  return table;
}

void check(const PodView& pod, Report& report) {
  if (!pod.pod.tolerations || pod.live()) return;
  for (const RequirementView* requirement : pod.requirements()) {
    const auto spot = std::find_if(spots().begin(), spots().end(), [&](const Spot& s) {
      return s.label == requirement->key && requirement->op == "In" &&
             requirement->values.size() == 1 && requirement->values[0] == s.value;
    });
    if (spot == spots().end()) continue;
    if (std::any_of(pod.tolerations.begin(), pod.tolerations.end(),
                    [&](const TolerationView& t) { return kube::tolerates(t.value, spot->taint); }))
      continue;
    Problem problem{
        .node = requirement->key_node,
        .field = requirement->path,
        .message = "selects spot nodes, which their platform taints " + spot->taint.key + "=" +
                   spot->taint.value + ":NoSchedule, without the toleration",
    };
    mend_by_toleration(pod, {spot->taint.key, "Exists", "", "NoSchedule", std::nullopt},
                       "spot-toleration", problem);
    report.add(std::move(problem));
    return;
  }
}

}  // namespace

constinit const Rule spot_toleration{
    .code = "GPU106",
    .name = "spot-toleration",
    .severity = Severity::warning,
    .summary = "Spot nodes are selected without the toleration for their taint",
    .why =
        R"(AKS taints every spot node pool kubernetes.azure.com/scalesetpriority=spot:NoSchedule, and
OKE its preemptible nodes oci.oraclecloud.com/oke-is-preemptible=present:NoSchedule. Selecting such
nodes by their label without tolerating the taint leaves the pod without any node. On AKS the label
to select by is kubernetes.azure.com/priority; scalesetpriority lives on as the taint.)",
    .remedy = "Add the toleration. GKE and EKS do not taint spot nodes unless the pool says so.",
    .source = "AKS, Add a spot node pool; OKE, Using preemptible capacity",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    kubernetes.azure.com/priority: spot
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
    kubernetes.azure.com/priority: spot
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
  - key: kubernetes.azure.com/scalesetpriority
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
