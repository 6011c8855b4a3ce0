#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {

// The driver (core/lint/lint.cpp) reports this one when it reads the document.
constinit const Rule unreadable{
    .code = "GPU901",
    .name = "unreadable",
    .severity = Severity::error,
    .summary = "A document that is no YAML",
    .why =
        R"(The document cannot be read, so nothing in it can be judged, and kubectl cannot read it
either: "error converting YAML to JSON". Only files that look like Kubernetes objects are reported
(a line begins with apiVersion: or kind:); Helm templates are skipped with a note, as they are YAML
only after rendering: helm template . | gpuspec lint -)",
    .remedy = "Mend what the message names; the column points at it.",
    .source = "YAML 1.2; sigs.k8s.io/yaml",
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: "pytorch/pytorch:2.6.0
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  containers:
  - name: train
    image: "pytorch/pytorch:2.6.0"
)"},
};

}  // namespace gpuspec::lint::rules
