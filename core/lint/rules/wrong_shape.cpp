#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {

// The driver (core/lint/lint.cpp) reports this one when it looks for the pods.
constinit const Rule wrong_shape{
    .code = "GPU902",
    .name = "wrong-shape",
    .severity = Severity::error,
    .summary = "A pod spec of the wrong shape: a mapping where a list belongs, or the reverse",
    .why =
        R"(containers is a list, limits a mapping, a container a mapping with a name. A dash too many
or too few, or one level of indentation, turns one into the other; YAML has no objection, and the API
server answers "cannot unmarshal object into Go struct field". What lies below such a place cannot
be judged, so the rest of the object is not looked at.)",
    .remedy = "Write what the message says was expected.",
    .source = "Kubernetes API, core/v1 PodSpec",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
    name: train
    image: pytorch/pytorch:2.6.0
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: pytorch/pytorch:2.6.0
)"},
};

}  // namespace gpuspec::lint::rules
