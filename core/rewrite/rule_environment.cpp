#include <algorithm>

#include "core/rewrite/rules.h"
#include "core/yaml/value.h"

namespace gpuspec::rewrite {
namespace {

Variable* find(ContainerModel& container, const std::string& name) {
  // Of variables with one name the last one counts.
  const auto found = std::find_if(container.env.rbegin(), container.env.rend(),
                                  [&](const Variable& variable) { return variable.name == name; });
  return found == container.env.rend() ? nullptr : &*found;
}

yaml::Value entry_of(const std::string& name, const yaml::Value& body) {
  yaml::Value entry = yaml::Value::mapping({{"name", yaml::Value::string(name)}});
  entry.entries.insert(entry.entries.end(), body.entries.begin(), body.entries.end());
  return entry;
}

/// Sets a variable: to a text, or to the body that says where it comes from.
void set(Work& work, ContainerModel& container, const std::string& name,
         const std::optional<std::string>& value, const std::optional<yaml::Value>& from) {
  const yaml::Why why{"env", name + " is asked for" + work.by_profile()};
  Variable* there = find(container, name);
  if (there == nullptr) {
    container.env.push_back({.name = name, .value = value, .from = from, .why = why});
    return;
  }
  if (value         ? there->value == value
      : there->from ? there->from->text == from->text && there->why
                    : there->node != yaml::no_node &&
                          yaml::means(*work.pod.tree, there->node, entry_of(name, *from)))
    return;
  const std::string has =
      container.at->path + ": " + name +
      (there->value ? " is \"" + *there->value + '"' : std::string(" comes from somewhere else"));
  const std::string wants = value ? name + "=" + *value : name + " from elsewhere";
  if (!may_replace(work, there->node, has, wants, "not set")) return;
  there->value = value;
  there->from = from;
  there->why = why;
}

}  // namespace

void set_environment(Work& work) {
  const profile::Profile& profile = work.profile;
  if (profile.env.empty() && profile.env_from.empty() && profile.env_removed.empty()) return;
  for (const std::size_t i : work.containers) {
    ContainerModel& container = work.pod.containers[i];
    for (const std::string& name : profile.env_removed) {
      // An edit never takes an item out of a list.
      if (const Variable* there = find(container, name))
        work.warn(there->node, container.at->path + ": " + name + " is not wanted" +
                                   work.by_profile() + "; remove it by hand");
    }
    if (!container.at->env && (!profile.env.empty() || !profile.env_from.empty())) {
      work.warn(container.at->node, container.at->path + " has no env in this kind: not set");
      continue;
    }
    for (const auto& [name, value] : profile.env) set(work, container, name, value, {});
    for (const auto& [name, body] : profile.env_from) set(work, container, name, {}, body);
  }
}

}  // namespace gpuspec::rewrite
