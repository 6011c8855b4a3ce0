// The `spec` of a native profile: one reader a key.

#include <algorithm>
#include <array>
#include <stdexcept>

#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/profile/native.h"

namespace gpuspec::profile {
namespace {

/// Sets the value of a key, keeping the order in which keys came.
template <typename Value>
void put(std::vector<std::pair<std::string, Value>>& pairs, const std::string& key, Value value) {
  for (auto& pair : pairs) {
    if (pair.first == key) {
      pair.second = std::move(value);
      return;
    }
  }
  pairs.emplace_back(key, std::move(value));
}

template <typename Value>
void drop(std::vector<std::pair<std::string, Value>>& pairs, const std::string& key) {
  pairs.erase(std::remove_if(pairs.begin(), pairs.end(),
                             [&](const auto& pair) { return pair.first == key; }),
              pairs.end());
}

void merge_labels(const Cursor& cursor, Pairs& into) {
  for (auto& [key, value] : cursor.labels()) put(into, key, value);
}

void forget(std::vector<std::string>& names, const std::string& name) {
  names.erase(std::remove(names.begin(), names.end(), name), names.end());
}

/// Labels; null removes the entry, from the base and from manifests.
void read_node_selector(const Cursor& cursor, Profile& profile) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping");
  for (const Member& member : cursor.node().members) {
    cursor.check_label_key(member);
    const Cursor value = cursor.at(member.value, member.key);
    forget(profile.node_selector_removed, member.key);
    if (value.is_null()) {
      drop(profile.node_selector, member.key);
      profile.node_selector_removed.push_back(member.key);
    } else {
      put(profile.node_selector, member.key, value.label_value());
    }
  }
}

void read_select(const Cursor& cursor, Select& select) {
  Map map = cursor.map();
  if (auto v = map.take("kinds")) select.kinds = v->strings();
  if (auto v = map.take("names")) select.names = v->strings();
  if (auto v = map.take("namespaces")) select.namespaces = v->strings();
  if (auto v = map.take("labelSelector")) {
    select.label_selector = v->string();
    try {
      const kube::LabelSelector checked(select.label_selector);
    } catch (const std::invalid_argument& error) {
      throw v->error(error.what(), "write it as for kubectl -l: app=train,tier in (a,b),!old");
    }
  }
  if (auto v = map.take("containers")) select.containers = v->strings();
  if (auto v = map.take("firstContainer")) select.first_container = v->boolean();
  if (auto v = map.take("pods")) {
    constexpr std::array<std::string_view, 2> words = {"requesting", "all"};
    select.all_pods = v->one_of(words) == "all";
  }
  map.finish();
}

/// Quantities by resource name; null removes.
void read_resources(const Cursor& cursor, ResourceChanges& changes) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping of resource names");
  for (const Member& member : cursor.node().members) {
    const Cursor value = cursor.at(member.value, member.key);
    const auto wrong = kube::check_container_resource_name(member.key);
    if (!wrong.empty()) {
      throw Error(cursor.source(), member.offset,
                  cursor.path() + ": \"" + member.key + "\" is no resource name",
                  "cpu, memory, or a name with a domain: nvidia.com/gpu");
    }
    if (value.is_null()) {
      changes[member.key] = std::nullopt;
      continue;
    }
    std::string quantity = value.quantity();
    if (kube::is_extended_resource(member.key) && !kube::Quantity::parse(quantity)->is_integer()) {
      throw value.error("extended resources come in whole numbers", "found " + quantity);
    }
    changes[member.key] = std::move(quantity);
  }
}

void read_env(const Cursor& cursor, Profile& profile) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping of names to values");
  for (const Member& member : cursor.node().members) {
    const Cursor value = cursor.at(member.value, member.key);
    if (member.key.empty() || member.key.find('=') != std::string::npos) {
      throw Error(cursor.source(), member.offset,
                  cursor.path() + ": \"" + member.key + "\" cannot be the name of a variable");
    }
    forget(profile.env_removed, member.key);
    if (value.is_null()) {
      drop(profile.env, member.key);
      drop(profile.env_from, member.key);
      profile.env_removed.push_back(member.key);
      continue;
    }
    if (!value.node().is_mapping()) {
      const bool empty = value.node().is_string() && value.node().text.empty();
      put(profile.env, member.key, empty ? std::string() : value.string());
      drop(profile.env_from, member.key);
      continue;
    }
    Map body = value.map();
    const auto from = body.take("valueFrom");
    body.finish();
    if (!from || !from->node().is_mapping()) throw value.unexpected("a string or {valueFrom: {…}}");
    put(profile.env_from, member.key, to_value(value.node()));
    drop(profile.env, member.key);
  }
}

using KnownField = bool (*)(std::string_view);
using SuggestField = std::string (*)(std::string_view);

Fields read_fields(const Cursor& cursor, KnownField known, SuggestField suggest) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping of fields");
  Fields fields;
  for (const Member& member : cursor.node().members) {
    if (!known(member.key)) {
      const auto near = suggest(member.key);
      throw Error(cursor.source(), member.offset,
                  cursor.path() + ": Kubernetes has no field \"" + member.key + '"',
                  near.empty() ? "" : "did you mean \"" + near + "\"?");
    }
    fields.emplace_back(member.key, to_value(member.value));
  }
  return fields;
}

void read_node_affinity(const Cursor& cursor, Profile& profile) {
  Map map = cursor.map();
  if (auto v = map.take("required")) profile.required = v->requirements();
  if (auto v = map.take("preferred")) profile.preferred = v->preferred_terms();
  if (auto v = map.take("requiredTerms")) profile.required_terms = v->terms();
  if (auto v = map.take("alternatives")) profile.alternatives = v->terms();
  map.finish();
}

void read_resource_tolerations(const Cursor& cursor, Profile& profile) {
  if (!cursor.node().is_mapping()) {
    throw cursor.unexpected("a mapping of resource names to tolerations");
  }
  for (const Member& member : cursor.node().members) {
    const auto wrong = kube::check_qualified_name(member.key);
    if (!wrong.empty()) {
      throw Error(cursor.source(), member.offset,
                  cursor.path() + ": \"" + member.key + "\" is no resource name",
                  "cpu, memory, or a name with a domain: nvidia.com/gpu");
    }
    put(profile.resource_tolerations, member.key,
        cursor.at(member.value, member.key).tolerations());
  }
}

void read_class(const Cursor& cursor, DeviceClass& out) {
  Map map = cursor.map();
  if (auto v = map.take("resource")) out.resource = v->extended_resource();
  if (auto v = map.take("labels")) {
    Map labels = v->map();
    if (auto key = labels.take("device")) out.device_label = key->label_key();
    if (auto key = labels.take("partition")) out.partition_label = key->label_key();
    labels.finish();
  }
  if (auto v = map.take("unpartitionedRequirement"))
    out.unpartitioned_requirement = v->requirement();
  if (auto v = map.take("unpartitionedToleration")) out.unpartitioned_toleration = v->toleration();
  if (auto v = map.take("tolerations")) out.tolerations = v->tolerations();
  if (auto v = map.take("nodeSelector")) out.node_selector = v->labels();
  if (auto v = map.take("nodeAffinity")) {
    Map affinity = v->map();
    if (auto terms = affinity.take("alternatives")) out.alternatives = terms->terms();
    if (auto terms = affinity.take("preferred")) out.preferred = terms->preferred_terms();
    affinity.finish();
  }
  if (auto v = map.take("podDefaults")) {
    out.pod_defaults = read_fields(*v, is_pod_field, suggest_pod_field);
  }
  map.finish();
}

void read_classes(const Cursor& cursor, Vocabulary& vocabulary) {
  if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping of class names");
  for (const Member& member : cursor.node().members) {
    auto& classes = vocabulary.classes;
    auto known = std::find_if(classes.begin(), classes.end(),
                              [&](const DeviceClass& c) { return c.name == member.key; });
    if (known == classes.end()) {
      known = classes.insert(classes.end(), DeviceClass{});
      known->name = member.key;
    }
    read_class(cursor.at(member.value, member.key), *known);
  }
}

void read_vocabulary(Map& spec, Vocabulary& vocabulary) {
  if (auto v = spec.take("devices")) {
    if (!v->node().is_mapping()) throw v->unexpected("a mapping of device names to label values");
    for (const Member& member : v->node().members) {
      put(vocabulary.devices, member.key, v->at(member.value, member.key).label_value());
    }
  }
  if (auto v = spec.take("verbatimDevices")) {
    vocabulary.verbatim = v->boolean();
    vocabulary.lenient = vocabulary.verbatim;
  }
  if (auto v = spec.take("deviceClasses")) read_classes(*v, vocabulary);
  if (auto v = spec.take("deviceClass")) vocabulary.device_class = v->string();
}

void read_interruptible(const Cursor& cursor, Interruptible& out) {
  Map map = cursor.map();
  if (auto v = map.take("tolerations")) out.tolerations = v->tolerations();
  if (auto v = map.take("nodeSelector")) out.node_selector = v->labels();
  if (auto v = map.take("required")) out.required = v->requirements();
  if (auto v = map.take("requiredOtherwise")) out.required_otherwise = v->requirements();
  map.finish();
}

void read_device(Map& spec, Profile& profile) {
  if (auto v = spec.take("resource")) profile.resource = v->extended_resource();
  if (auto v = spec.take("gpus")) profile.gpus = v->integer(1);
  if (auto v = spec.take("accelerator")) {
    profile.accelerator = v->string();
    profile.vocabulary.accelerator_at = place_of(v->source(), v->node().offset);
  }
  const auto partition = spec.take("partition");
  const auto unpartitioned = spec.take("unpartitioned");
  if (unpartitioned) {
    profile.unpartitioned = unpartitioned->boolean();
    if (profile.unpartitioned) profile.partition.reset();
    profile.vocabulary.partition_at =
        place_of(unpartitioned->source(), unpartitioned->node().offset);
  }
  if (partition) {
    if (unpartitioned && profile.unpartitioned) {
      throw partition->error("a partition and unpartitioned: true exclude each other",
                             "keep one of them");
    }
    profile.partition = partition->string();
    profile.unpartitioned = false;
    profile.vocabulary.partition_at = place_of(partition->source(), partition->node().offset);
  }
  if (auto v = spec.take("labels")) {
    Map labels = v->map();
    if (auto key = labels.take("device")) profile.device_label = key->label_key();
    if (auto key = labels.take("partition")) profile.partition_label = key->label_key();
    labels.finish();
  }
  if (auto v = spec.take("selectorStyle")) {
    constexpr std::array<std::string_view, 2> words = {"affinity", "nodeSelector"};
    profile.selector_style =
        v->one_of(words) == "affinity" ? SelectorStyle::affinity : SelectorStyle::node_selector;
  }
  if (auto v = spec.take("unpartitionedRequirement")) {
    profile.unpartitioned_requirement = v->requirement();
  }
  if (auto v = spec.take("unpartitionedToleration")) {
    profile.unpartitioned_toleration = v->toleration();
  }
  if (auto v = spec.take("acceleratorResources")) {
    profile.accelerator_resources.emplace();
    for (const Cursor& name : v->list()) {
      profile.accelerator_resources->push_back(name.extended_resource());
    }
  }
  if (auto v = spec.take("allExtendedResources")) profile.all_extended_resources = v->boolean();
}

void read_scheduling(Map& spec, Profile& profile) {
  if (auto v = spec.take("resourceTolerations")) read_resource_tolerations(*v, profile);
  if (auto v = spec.take("defaultResourceTolerations")) {
    profile.default_resource_tolerations = v->boolean();
  }
  if (auto v = spec.take("deviceTolerations")) profile.device_tolerations = v->boolean();
  if (auto v = spec.take("tolerations")) profile.tolerations = v->tolerations();
  if (auto v = spec.take("nodeSelector")) read_node_selector(*v, profile);
  if (auto v = spec.take("nodeSelectorOverrides"))
    merge_labels(*v, profile.node_selector_overrides);
  if (auto v = spec.take("nodeAffinity")) read_node_affinity(*v, profile);
  if (auto v = spec.take("defaultAffinity")) {
    if (!v->node().is_mapping()) throw v->unexpected("an affinity, as in a pod spec");
    constexpr std::array<std::string_view, 3> parts = {"nodeAffinity", "podAffinity",
                                                       "podAntiAffinity"};
    Map map = v->map();
    for (std::string_view part : parts) {
      const auto value = map.take(part);
      if (value && !value->node().is_mapping()) throw value->unexpected("a mapping");
    }
    map.finish();
    profile.default_affinity = to_value(v->node());
  }
  if (auto v = spec.take("interruptible")) read_interruptible(*v, profile.interruptible);
  if (auto v = spec.take("runtimeClassName")) profile.runtime_class = v->dns_subdomain();
  if (auto v = spec.take("priorityClassName")) profile.priority_class = v->dns_subdomain();
  if (auto v = spec.take("schedulerName")) profile.scheduler = v->string();
}

void read_contents(Map& spec, Profile& profile) {
  if (auto v = spec.take("resources")) {
    Map map = v->map();
    if (auto list = map.take("requests")) read_resources(*list, profile.requests);
    if (auto list = map.take("limits")) read_resources(*list, profile.limits);
    map.finish();
  }
  if (auto v = spec.take("env")) read_env(*v, profile);
  if (auto v = spec.take("sharedMemory")) {
    profile.shared_memory = v->quantity();
    if (kube::Quantity::parse(*profile.shared_memory)->is_zero()) {
      throw v->error("shared memory of size zero");
    }
  }
  if (auto v = spec.take("image")) profile.image = v->string();
  if (auto v = spec.take("podTemplate")) {
    Map map = v->map();
    if (auto labels = map.take("labels")) merge_labels(*labels, profile.template_labels);
    if (auto annotations = map.take("annotations")) {
      if (!annotations->node().is_mapping()) throw annotations->unexpected("a mapping");
      for (const Member& member : annotations->node().members) {
        const Cursor value = annotations->at(member.value, member.key);
        if (!value.node().is_string()) value.string();  // says what is wrong
        put(profile.template_annotations, member.key, member.value.text);
      }
    }
    map.finish();
  }
  if (auto v = spec.take("podDefaults")) {
    profile.pod_defaults = read_fields(*v, is_pod_field, suggest_pod_field);
  }
  if (auto v = spec.take("podFields")) {
    profile.pod_fields = read_fields(*v, is_pod_field, suggest_pod_field);
  }
  if (auto v = spec.take("containerFields")) {
    profile.container_fields = read_fields(*v, is_container_field, suggest_container_field);
  }
  if (auto v = spec.take("conflict")) {
    constexpr std::array<std::string_view, 3> words = {"keep", "replace", "error"};
    const auto word = v->one_of(words);
    profile.conflict = word == "keep"      ? Conflict::keep
                       : word == "replace" ? Conflict::replace
                                           : Conflict::error;
  }
}

void read_workloads(const Cursor& cursor, std::vector<kube::UserKind>& kinds) {
  kinds.clear();
  for (const Cursor& entry : cursor.list()) {
    Map map = entry.map();
    kube::UserKind kind;
    const auto group = map.take("group");
    if (group && !(group->node().is_string() && group->node().text.empty())) {
      kind.group = group->string();
    }
    if (auto v = map.take("kind")) kind.kind = v->string();
    if (auto v = map.take("paths")) kind.paths = v->strings();
    if (auto v = map.take("shape")) kind.shape = v->string();
    map.finish();
    const std::string wrong = kube::check(kind);
    if (!wrong.empty()) throw entry.error(wrong);
    kinds.push_back(std::move(kind));
  }
}

}  // namespace

void read_spec(Map& spec, Profile& profile) {
  if (auto v = spec.take("select")) read_select(*v, profile.select);
  read_device(spec, profile);
  read_vocabulary(spec, profile.vocabulary);
  read_scheduling(spec, profile);
  read_contents(spec, profile);
  if (auto v = spec.take("workloads")) read_workloads(*v, profile.workloads);
  spec.finish();
}

}  // namespace gpuspec::profile
