#include "core/profile/print.h"

#include "core/profile/native.h"
#include "core/yaml/render.h"

namespace gpuspec::profile {
namespace {

using yaml::Value;

/// Builds a mapping, leaving out what is not set.
class Builder {
 public:
  void add(const char* key, Value value) {
    value_.entries.emplace_back(Value::string(key), std::move(value));
  }
  void add(const char* key, const std::optional<std::string>& text) {
    if (text) add(key, Value::string(*text));
  }
  void add_flag(const char* key, bool flag) {
    if (flag) add(key, Value::plain("true"));
  }
  void add_flag(const char* key, const std::optional<bool>& flag) {
    if (flag) add(key, Value::plain(*flag ? "true" : "false"));
  }
  void add_list(const char* key, Value list) {
    if (!list.items.empty()) add(key, std::move(list));
  }
  void add_map(const char* key, Value map) {
    if (!map.entries.empty()) add(key, std::move(map));
  }
  Value take() { return std::move(value_); }

 private:
  Value value_ = Value::mapping();
};

Value strings(const std::vector<std::string>& texts) {
  Value list = Value::sequence();
  for (const auto& text : texts) list.items.push_back(Value::string(text));
  return list;
}

Value pairs(const Pairs& entries) {
  Value map = Value::mapping();
  for (const auto& [key, text] : entries)
    map.entries.emplace_back(Value::string(key), Value::string(text));
  return map;
}

void add_removed(Value& map, const std::vector<std::string>& names) {
  for (const auto& name : names)
    map.entries.emplace_back(Value::string(name), Value::plain("null"));
}

Value fields(const Fields& entries) {
  Value map = Value::mapping();
  for (const auto& [key, value] : entries) map.entries.emplace_back(Value::string(key), value);
  return map;
}

Value toleration(const kube::Toleration& from) {
  Builder out;
  const auto add = [&](const char* key, const std::string& text) {
    if (!text.empty()) out.add(key, Value::string(text));
  };
  add("key", from.key);
  add("operator", from.op);
  add("value", from.value);
  add("effect", from.effect);
  if (from.seconds) out.add("tolerationSeconds", Value::integer(*from.seconds));
  return out.take();
}

Value tolerations(const std::vector<kube::Toleration>& from) {
  Value list = Value::sequence();
  for (const auto& entry : from) list.items.push_back(toleration(entry));
  return list;
}

Value requirement(const kube::NodeSelectorRequirement& from) {
  Builder out;
  out.add("key", Value::string(from.key));
  out.add("operator", Value::string(from.op));
  out.add_list("values", strings(from.values));
  return out.take();
}

Value requirements(const std::vector<kube::NodeSelectorRequirement>& from) {
  Value list = Value::sequence();
  for (const auto& entry : from) list.items.push_back(requirement(entry));
  return list;
}

Value term(const kube::NodeSelectorTerm& from) {
  Builder out;
  out.add_list("matchExpressions", requirements(from.match_expressions));
  out.add_list("matchFields", requirements(from.match_fields));
  return out.take();
}

Value terms(const std::vector<kube::NodeSelectorTerm>& from) {
  Value list = Value::sequence();
  for (const auto& entry : from) list.items.push_back(term(entry));
  return list;
}

Value preferred(const std::vector<kube::PreferredTerm>& from) {
  Value list = Value::sequence();
  for (const auto& entry : from) {
    Builder out;
    out.add("weight", Value::integer(entry.weight));
    out.add("preference", term(entry.preference));
    list.items.push_back(out.take());
  }
  return list;
}

Value labels(const std::optional<std::string>& device,
             const std::optional<std::string>& partition) {
  Builder out;
  out.add("device", device);
  out.add("partition", partition);
  return out.take();
}

Value select(const Select& from) {
  Builder out;
  out.add_list("kinds", strings(from.kinds));
  out.add_list("names", strings(from.names));
  out.add_list("namespaces", strings(from.namespaces));
  if (!from.label_selector.empty()) out.add("labelSelector", Value::string(from.label_selector));
  out.add_list("containers", strings(from.containers));
  out.add_flag("firstContainer", from.first_container);
  if (from.all_pods) out.add("pods", Value::string("all"));
  return out.take();
}

Value quantities(const ResourceChanges& changes) {
  Value map = Value::mapping();
  for (const auto& [name, quantity] : changes) {
    map.entries.emplace_back(Value::string(name),
                             quantity ? Value::string(*quantity) : Value::plain("null"));
  }
  return map;
}

Value device_class(const DeviceClass& from) {
  Builder out;
  out.add("resource", from.resource);
  out.add_map("labels", labels(from.device_label, from.partition_label));
  if (from.unpartitioned_requirement) {
    out.add("unpartitionedRequirement", requirement(*from.unpartitioned_requirement));
  }
  if (from.unpartitioned_toleration) {
    out.add("unpartitionedToleration", toleration(*from.unpartitioned_toleration));
  }
  out.add_list("tolerations", tolerations(from.tolerations));
  out.add_map("nodeSelector", pairs(from.node_selector));
  Builder affinity;
  affinity.add_list("alternatives", terms(from.alternatives));
  affinity.add_list("preferred", preferred(from.preferred));
  out.add_map("nodeAffinity", affinity.take());
  out.add_map("podDefaults", fields(from.pod_defaults));
  return out.take();
}

void add_device(Builder& spec, const Profile& from) {
  spec.add("resource", from.resource);
  if (from.gpus) spec.add("gpus", Value::integer(*from.gpus));
  spec.add("accelerator", from.accelerator);
  spec.add("partition", from.partition);
  spec.add_flag("unpartitioned", from.unpartitioned);
  spec.add_map("labels", labels(from.device_label, from.partition_label));
  if (from.selector_style) {
    spec.add("selectorStyle",
             Value::string(*from.selector_style == SelectorStyle::affinity ? "affinity"
                                                                           : "nodeSelector"));
  }
  if (from.unpartitioned_requirement) {
    spec.add("unpartitionedRequirement", requirement(*from.unpartitioned_requirement));
  }
  if (from.unpartitioned_toleration) {
    spec.add("unpartitionedToleration", toleration(*from.unpartitioned_toleration));
  }
  if (from.accelerator_resources)
    spec.add("acceleratorResources", strings(*from.accelerator_resources));
  spec.add_flag("allExtendedResources", from.all_extended_resources);
  const Vocabulary& words = from.vocabulary;
  spec.add_map("devices", pairs(words.devices));
  spec.add_flag("verbatimDevices", words.verbatim);
  Value classes = Value::mapping();
  for (const DeviceClass& known : words.classes) {
    classes.entries.emplace_back(Value::string(known.name), device_class(known));
  }
  spec.add_map("deviceClasses", std::move(classes));
  if (!words.device_class.empty()) spec.add("deviceClass", Value::string(words.device_class));
}

void add_scheduling(Builder& spec, const Profile& from) {
  Value by_resource = Value::mapping();
  for (const auto& [resource, list] : from.resource_tolerations) {
    by_resource.entries.emplace_back(Value::string(resource), tolerations(list));
  }
  spec.add_map("resourceTolerations", std::move(by_resource));
  spec.add_flag("defaultResourceTolerations", from.default_resource_tolerations);
  spec.add_flag("deviceTolerations", from.device_tolerations);
  spec.add_list("tolerations", tolerations(from.tolerations));
  Value selector = pairs(from.node_selector);
  add_removed(selector, from.node_selector_removed);
  spec.add_map("nodeSelector", std::move(selector));
  spec.add_map("nodeSelectorOverrides", pairs(from.node_selector_overrides));
  Builder affinity;
  affinity.add_list("required", requirements(from.required));
  affinity.add_list("preferred", preferred(from.preferred));
  affinity.add_list("requiredTerms", terms(from.required_terms));
  affinity.add_list("alternatives", terms(from.alternatives));
  spec.add_map("nodeAffinity", affinity.take());
  if (from.default_affinity) spec.add("defaultAffinity", *from.default_affinity);
  Builder interruptible;
  interruptible.add_list("tolerations", tolerations(from.interruptible.tolerations));
  interruptible.add_map("nodeSelector", pairs(from.interruptible.node_selector));
  interruptible.add_list("required", requirements(from.interruptible.required));
  interruptible.add_list("requiredOtherwise", requirements(from.interruptible.required_otherwise));
  spec.add_map("interruptible", interruptible.take());
}

void add_contents(Builder& spec, const Profile& from) {
  Builder resources;
  resources.add_map("requests", quantities(from.requests));
  resources.add_map("limits", quantities(from.limits));
  spec.add_map("resources", resources.take());
  Value env = pairs(from.env);
  for (const auto& [name, body] : from.env_from)
    env.entries.emplace_back(Value::string(name), body);
  add_removed(env, from.env_removed);
  spec.add_map("env", std::move(env));
  spec.add("runtimeClassName", from.runtime_class);
  spec.add("priorityClassName", from.priority_class);
  spec.add("schedulerName", from.scheduler);
  spec.add("sharedMemory", from.shared_memory);
  spec.add("image", from.image);
  Builder pod_template;
  pod_template.add_map("labels", pairs(from.template_labels));
  pod_template.add_map("annotations", pairs(from.template_annotations));
  spec.add_map("podTemplate", pod_template.take());
  spec.add_map("podDefaults", fields(from.pod_defaults));
  spec.add_map("podFields", fields(from.pod_fields));
  spec.add_map("containerFields", fields(from.container_fields));
  if (from.conflict) {
    spec.add("conflict", Value::string(*from.conflict == Conflict::keep      ? "keep"
                                       : *from.conflict == Conflict::replace ? "replace"
                                                                             : "error"));
  }
  Value workloads = Value::sequence();
  for (const kube::UserKind& kind : from.workloads) {
    Builder entry;
    entry.add("group", Value::string(kind.group));
    entry.add("kind", Value::string(kind.kind));
    entry.add("paths", strings(kind.paths));
    entry.add("shape", Value::string(kind.shape));
    workloads.items.push_back(entry.take());
  }
  spec.add_list("workloads", std::move(workloads));
}

}  // namespace

std::string print_native(const Profile& profile) {
  Builder metadata;
  metadata.add("name", Value::string(profile.name));
  if (!profile.description.empty()) {
    metadata.add("annotations",
                 Value::mapping({{"gpuspec.dev/description", Value::string(profile.description)}}));
  }
  Builder spec;
  if (!profile.vocabulary.platform.empty())
    spec.add("extends", Value::string(profile.vocabulary.platform));
  spec.add_flag("onRequest", profile.on_request);
  spec.add_map("select", select(profile.select));
  add_device(spec, profile);
  add_scheduling(spec, profile);
  add_contents(spec, profile);
  Value body = spec.take();
  const yaml::Habits habits;
  std::string out;
  const auto line = [&](const char* key, const Value& value) {
    out += yaml::block_entry(Value::string(key), value, 0, habits) + '\n';
  };
  line("apiVersion", Value::string(native_api_version));
  line("kind", Value::string(native_kind));
  line("metadata", metadata.take());
  if (body.entries.empty()) {
    out += "spec: {}\n";
  } else {
    line("spec", body);
  }
  return out;
}

}  // namespace gpuspec::profile
