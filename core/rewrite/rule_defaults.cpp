#include <algorithm>

#include "core/rewrite/rules.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

bool has_field(const PodModel& pod, std::string_view key) {
  const yaml::NodeId holder = pod.at->spec_holder.get(*pod.tree);
  const yaml::NodeId node = yaml::get(*pod.tree, holder, key);
  if (node != yaml::no_node && yaml::type_of(*pod.tree, node) != yaml::Type::null) return true;
  return std::any_of(pod.defaults.begin(), pod.defaults.end(),
                     [&](const Field& field) { return field.key == key; });
}

void set_field(std::vector<Field>& fields, const std::string& key, const yaml::Value& value,
               const yaml::Why& why) {
  const auto there = std::find_if(fields.begin(), fields.end(),
                                  [&](const Field& field) { return field.key == key; });
  if (there == fields.end()) {
    fields.push_back({key, value, why});
  } else {
    *there = {key, value, why};
  }
}

/// Whether the pod's holder is a pod spec, whose fields a profile can name.
bool is_pod_spec(const PodModel& pod) {
  return pod.at->spec_holder && pod.at->runtime_class_key == "runtimeClassName";
}

}  // namespace

void set_defaults(Work& work) {
  PodModel& pod = work.pod;
  const profile::Profile& profile = work.profile;
  if (profile.default_affinity && pod.at->affinity && !pod.own_affinity && !pod.base_affinity) {
    pod.base_affinity = profile.default_affinity;
    pod.affinity_why = yaml::Why{"default-affinity", "the pod has no affinity" + work.by_profile()};
    load_affinity(*profile.default_affinity, pod);
  }
  for (const auto& [key, value] : profile.pod_defaults) {
    if (!is_pod_spec(pod)) {
      work.warn(yaml::no_node, "this kind has no pod spec: " + key + " not set");
    } else if (!has_field(pod, key)) {
      set_field(pod.defaults, key, value,
                {"pod-default", "the pod has no " + key + work.by_profile()});
    }
  }
}

void override_fields(Work& work) {
  PodModel& pod = work.pod;
  for (const auto& [key, value] : work.profile.pod_fields) {
    if (is_pod_spec(pod)) {
      set_field(pod.fields, key, value, {"pod-field", key + " is set" + work.by_profile()});
    } else {
      work.warn(yaml::no_node, "this kind has no pod spec: " + key + " not set");
    }
  }
  for (const std::size_t i : work.containers) {
    for (const auto& [key, value] : work.profile.container_fields)
      set_field(pod.containers[i].fields, key, value,
                {"container-field", key + " is set" + work.by_profile()});
  }
}

}  // namespace gpuspec::rewrite
