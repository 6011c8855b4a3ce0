#include "core/rewrite/rules.h"
#include "core/text/concat.h"

namespace gpuspec::rewrite {
namespace {

void set_pod_field(Work& work, Scalar& field, std::string_view key,
                   const std::optional<std::string>& value, std::string_view name,
                   std::string_view rule) {
  if (!value) return;
  if (key.empty() || !work.pod.at->spec_holder) {
    work.warn(yaml::no_node, "this kind has no " + std::string(name) + ": " + *value + " not set");
    return;
  }
  set_scalar(work, field, *value, name, rule);
}

void set_pairs(Work& work, Entries& entries, const profile::Pairs& pairs, const std::string& what) {
  for (const auto& [key, value] : pairs) {
    const std::string wants = text::concat({what, " ", key, "=", value});
    if (const Entry* entry = entries.find(key)) {
      if (entry->value == value ||
          !may_replace(work, entry->node,
                       text::concat({what, " ", key, " is \"", entry->value, "\""}), wants,
                       "not set"))
        continue;
    }
    entries.set(key, value, {"template-" + what, wants + " is asked for" + work.by_profile()});
  }
}

}  // namespace

void set_fields(Work& work) {
  const profile::Profile& profile = work.profile;
  const kube::Pod& pod = *work.pod.at;
  set_pod_field(work, work.pod.runtime_class, pod.runtime_class_key, profile.runtime_class,
                "runtimeClassName", "runtime-class");
  set_pod_field(work, work.pod.priority_class, pod.priority_class_key, profile.priority_class,
                "priorityClassName", "priority-class");
  set_pod_field(work, work.pod.scheduler, pod.scheduler_key, profile.scheduler, "schedulerName",
                "scheduler");
  if (!profile.image) return;
  for (const std::size_t i : work.containers) {
    ContainerModel& container = work.pod.containers[i];
    if (container.at->image_holder) {
      set_scalar(work, container.image, *profile.image, "image", "image");
    } else {
      work.warn(container.at->node, container.at->path + " has no image in this kind: not set");
    }
  }
}

void label_template(Work& work) {
  const profile::Profile& profile = work.profile;
  if (profile.template_labels.empty() && profile.template_annotations.empty()) return;
  if (!work.pod.at->metadata) {
    work.warn(yaml::no_node, "this kind has no metadata for its pods: labels not set");
    return;
  }
  set_pairs(work, work.pod.labels, profile.template_labels, "label");
  set_pairs(work, work.pod.annotations, profile.template_annotations, "annotation");
}

}  // namespace gpuspec::rewrite
