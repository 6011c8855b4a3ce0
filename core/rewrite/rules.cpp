#include "core/rewrite/rules.h"

#include <algorithm>

#include "core/rewrite/asking.h"
#include "core/rewrite/select.h"

namespace gpuspec::rewrite {

std::size_t Work::offset(yaml::NodeId node) const {
  const yaml::Tree& tree = *pod.tree;
  return tree.base + tree[node == yaml::no_node ? pod.at->spec : node].begin;
}

std::string Work::where() const {
  return object_name(*pod.object) + (pod.at->path.empty() ? "" : ": " + pod.at->path);
}

void Work::warn(yaml::NodeId node, const std::string& text) const {
  messages.push_back({Message::Level::warning, offset(node), where() + ": " + text});
}

void Work::note(yaml::NodeId node, const std::string& text) const {
  messages.push_back({Message::Level::note, offset(node), where() + ": " + text});
}

std::string Work::by_profile() const {
  return profile.name.empty() ? std::string() : " (profile " + profile.name + ")";
}

std::string device_label(const profile::Profile& profile) {
  return profile.device_label.value_or("k8s.amazonaws.com/accelerator");
}

std::string partition_label(const profile::Profile& profile) {
  return profile.partition_label.value_or("k8s.amazonaws.com/gpu-partition-size");
}

bool may_replace(const Work& work, yaml::NodeId node, const std::string& has,
                 const std::string& wants, const std::string& consequence) {
  switch (work.profile.conflict.value_or(profile::Conflict::keep)) {
    case profile::Conflict::replace:
      return true;
    case profile::Conflict::error:
      throw text::Error(
          work.offset(node),
          work.where() + ": " + has + ", but " + wants + " is asked for" + work.by_profile(),
          "with conflict `replace` it is rewritten, with `keep` it stays");
    case profile::Conflict::keep:
      break;
  }
  work.warn(node, has + "; that is kept, and " + wants + " " + consequence);
  return false;
}

void set_scalar(Work& work, Scalar& field, const std::string& value, std::string_view name,
                std::string_view rule) {
  if (field.value == value) return;
  const std::string wants = std::string(name) + ' ' + value;
  if (!field.value.empty() &&
      !may_replace(work, field.node, std::string(name) + " is " + field.value, wants, "not set"))
    return;
  field.value = value;
  field.why = yaml::Why{std::string(rule), wants + " is asked for" + work.by_profile()};
}

void apply_profile(const profile::Profile& profile, PodModel& pod, std::vector<Message>& messages) {
  Work work{
      .profile = profile, .pod = pod, .messages = messages, .containers = {}, .resources = {}};
  work.containers = selected_containers(pod, profile);
  name_generic_resource(work);
  merge_resources(work);
  set_gpus(work);
  complete_limits(work);
  tell_ray(work);
  work.resources = resources_of(pod);
  work.asks_accelerator =
      std::any_of(work.resources.begin(), work.resources.end(),
                  [&](const std::string& name) { return is_the_accelerator(profile, name); }) ||
      std::any_of(pod.at->asks.begin(), pod.at->asks.end(),
                  [](const kube::Ask& ask) { return ask.certain; });
  set_defaults(work);
  select_nodes(work);
  add_tolerations(work);
  set_environment(work);
  add_shared_memory(work);
  set_fields(work);
  label_template(work);
  override_fields(work);
}

}  // namespace gpuspec::rewrite
