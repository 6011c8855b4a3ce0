#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

const char* go_type(yaml::Type type) {
  return type == yaml::Type::boolean ? "bool" : type == yaml::Type::null ? "null" : "number";
}

bool unquoted(yaml::Type type) {
  return type == yaml::Type::boolean || type == yaml::Type::integer || type == yaml::Type::floating;
}

void add(Report& report, yaml::NodeId node, std::string field, const std::string& text,
         yaml::Type type, std::string_view what, yaml::Place holder, std::string key,
         std::string container = {}) {
  report.add({
      .node = node,
      .field = std::move(field),
      .message = text + " is a " + go_type(type) + " here, and " + std::string(what) +
                 " must be strings: cannot unmarshal " + go_type(type) + " into type string",
      .container = std::move(container),
      .fix = "quote it",
      .apply =
          [holder = std::move(holder), key = std::move(key), text](yaml::Changes& changes) {
            yaml::Value value = yaml::Value::string(text);
            value.style = yaml::Style::double_quoted;
            changes.set(holder, key, value, {"unquoted-value", "a string, not a number or truth"});
          },
  });
}

void check_mapping(const yaml::Tree& tree, yaml::NodeId mapping, const yaml::Place& place,
                   const std::string& path, std::string_view what, Report& report) {
  for (const Entry& entry : read_entries(tree, mapping))
    if (unquoted(entry.type))
      add(report, entry.value_node, path + "[" + entry.key + "]", entry.text, entry.type, what,
          place, entry.key);
}

void check_object(const ObjectView& object, Report& report) {
  const kube::Object& o = object.object;
  if (o.metadata == yaml::no_node) return;
  for (const char* what : {"labels", "annotations"})
    check_mapping(object.tree, yaml::get(object.tree, o.metadata, what), at(o.metadata) / what,
                  std::string("metadata.") + what, what, report);
  if (o.group == "apps" || o.group == "batch" || o.group == "extensions")
    check_mapping(object.tree, yaml::get(object.tree, o.node, {"spec", "selector", "matchLabels"}),
                  at(o.node) / "spec" / "selector" / "matchLabels", "spec.selector.matchLabels",
                  "label values", report);
}

void check_pod(const PodView& pod, Report& report) {
  if (pod.pod.node_selector && pod.full)
    check_mapping(pod.tree, pod.pod.node_selector.get(pod.tree), *pod.pod.node_selector,
                  pod.path("nodeSelector"), "label values", report);
  for (const TermView& term : pod.terms)
    for (const RequirementView& expression : term.expressions)
      for (std::size_t i = 0; i < expression.value_nodes.size(); ++i) {
        const yaml::Type type = yaml::type_of(pod.tree, expression.value_nodes[i]);
        if (!unquoted(type)) continue;
        const std::string item = "[" + std::to_string(i) + "]";
        add(report, expression.value_nodes[i], expression.path + ".values" + item,
            expression.values[i], type, "label values", expression.place / "values", item);
      }
  for (const TolerationView& toleration : pod.tolerations) {
    const yaml::NodeId value = yaml::get(pod.tree, toleration.node, "value");
    if (value == yaml::no_node || !unquoted(yaml::type_of(pod.tree, value))) continue;
    add(report, value, toleration.path + ".value", toleration.value.value,
        yaml::type_of(pod.tree, value), "values of tolerations", toleration.place, "value");
  }
  for (const ContainerView& container : pod.containers) {
    for (std::size_t i = 0; i < container.env.size(); ++i) {
      const Entry& entry = container.env[i];
      if (!unquoted(entry.type)) continue;
      add(report, entry.value_node, container.path() + ".env[" + entry.key + "].value", entry.text,
          entry.type, "values of environment variables",
          yaml::below(pod.tree, *container.at->env, "[" + std::to_string(entry.index) + "]"),
          "value", container.at->name);
    }
  }
  if (pod.pod.template_metadata != yaml::no_node &&
      pod.pod.template_metadata != pod.object.object.metadata) {
    for (const char* what : {"labels", "annotations"}) {
      const yaml::NodeId mapping = yaml::get(pod.tree, pod.pod.template_metadata, what);
      if (mapping != yaml::no_node && pod.pod.metadata)
        check_mapping(pod.tree, mapping, *pod.pod.metadata / what, pod.metadata_path() + "." + what,
                      what, report);
    }
  }
  if (pod.pod.ray_group) {
    const yaml::NodeId params =
        yaml::get(pod.tree, pod.pod.ray_group.get(pod.tree), "rayStartParams");
    if (params != yaml::no_node)
      check_mapping(pod.tree, params, *pod.pod.ray_group / "rayStartParams", "rayStartParams",
                    "values of rayStartParams", report);
  }
}

}  // namespace

constinit const Rule unquoted_value{
    .code = "GPU203",
    .name = "unquoted-value",
    .severity = Severity::error,
    .summary = "A label, selector or environment value is a number or a truth, not a string",
    .why =
        R"(Labels, selectors, toleration values and environment variables are strings. YAML reads true,
yes and 1 as something else, and the API server then refuses the whole object: "cannot unmarshal bool
into Go struct field PodSpec.spec.nodeSelector of type string". Labels of accelerator nodes invite
this: nvidia.com/gpu.present is "true", cloud.google.com/gke-accelerator-count is "8".)",
    .remedy = "Put quotes around the value.",
    .source = "rancher/rke issue 1438 and many like it; Kubernetes API, JSON types",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: train
spec:
  nodeSelector:
    nvidia.com/gpu.present: true
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
    nvidia.com/gpu.present: "true"
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
    .object = check_object,
    .pod = check_pod,
};

}  // namespace gpuspec::lint::rules
