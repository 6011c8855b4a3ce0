#include <algorithm>
#include <array>
#include <cctype>

#include "core/kube/validation.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::array<std::string_view, 2> operators = {"Exists", "Equal"};
constexpr std::array<std::string_view, 3> effects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};

bool equal_but_for_case(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) ==
           std::tolower(static_cast<unsigned char>(y));
  });
}

/// Gives the problem a fix where there is only one way to mend it.
void mend(const TolerationView& toleration, const kube::Violation& violation, Problem& problem) {
  const kube::Toleration& t = toleration.value;
  const yaml::Why why{"invalid-toleration", "as the API server takes it"};
  if (t.op == "Exists" && !t.value.empty() && violation.path.ends_with(".operator")) {
    problem.fix = "remove the value, which Exists does not look at";
    problem.apply = [place = toleration.place, why](yaml::Changes& changes) {
      changes.remove(place, "value", why);
    };
    return;
  }
  const auto respell = [&](const char* field, const std::string& text, auto& words) {
    if (!violation.path.ends_with(std::string(".") + field)) return;
    for (std::string_view word : words) {
      if (word == text || !equal_but_for_case(word, text)) continue;
      problem.fix = "write it " + std::string(word);
      problem.apply = [place = toleration.place, field, word, why](yaml::Changes& changes) {
        changes.set(place, field, yaml::Value::string(word), why);
      };
    }
  };
  respell("operator", t.op, operators);
  respell("effect", t.effect, effects);
}

void check(const PodView& pod, Report& report) {
  for (const kube::Violation& violation :
       kube::validate_tolerations(pod.tree, pod.tolerations_node, pod.tolerations_path)) {
    Problem problem{
        .node = violation.node, .field = violation.path, .message = violation.message()};
    for (const TolerationView& toleration : pod.tolerations)
      if (violation.path.starts_with(toleration.path + ".")) mend(toleration, violation, problem);
    report.add(std::move(problem));
  }
}

}  // namespace

constinit const Rule invalid_toleration{
    .code = "GPU104",
    .name = "invalid-toleration",
    .severity = Severity::error,
    .summary = "A toleration that the API server refuses",
    .why =
        R"(An operator other than Exists and Equal, an effect that is misspelled (case counts), a value
beside Exists, an empty key without Exists, tolerationSeconds with an effect other than NoExecute, a
key that is no label key: the API server refuses the pod with the message shown. In a Deployment or a
custom resource the manifest goes through, and its pods are refused. (Lt and Gt need the feature gate
TaintTolerationComparisonOperators, which is off by default.))",
    .remedy =
        "Mend what the message names. For accelerators {key: RESOURCE, operator: Exists, effect: "
        "NoSchedule} is right nearly always.",
    .source = "Kubernetes API validation, tolerations",
    .fixable = true,
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
        memory: 16Gi
      limits:
        nvidia.com/gpu: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    value: present
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
