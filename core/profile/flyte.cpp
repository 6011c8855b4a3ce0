#include "core/profile/flyte.h"

#include <algorithm>
#include <array>

#include "core/accelerator/platforms.h"
#include "core/kube/names.h"
#include "core/profile/flyte_section.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

constexpr std::string_view default_device_label = "k8s.amazonaws.com/accelerator";
constexpr std::string_view default_partition_label = "k8s.amazonaws.com/gpu-partition-size";

/// Flyte's proto enum; the first is what a task without class has.
constexpr std::array<std::string_view, 5> device_classes = {
    "NVIDIA_GPU", "GOOGLE_TPU", "AMAZON_NEURON", "AMD_GPU", "HABANA_GAUDI"};

/// Keys of the section that say nothing about where a pod is scheduled. Flyte knows them; they are
/// left alone without a word.
constexpr std::array<std::string_view, 33> other_keys = {
    "co-pilot",
    "create-container-config-error-grace-period",
    "create-container-error-grace-period",
    "default-annotations",
    "default-cpus",
    "default-env-from-configmaps",
    "default-env-from-secrets",
    "default-env-vars",
    "default-env-vars-from-env",
    "default-labels",
    "default-memory",
    "default-pod-dns-config",
    "default-pod-security-context",
    "default-pod-template-name",
    "default-pod-template-resync",
    "default-security-context",
    "delete-resource-on-finalize",
    "disable-inject-owner-references",
    "enable-distributed-error-aggregation",
    "enable-host-networking-pod",
    "image-pull-backoff-grace-period",
    "image-pull-policy",
    "inject-finalizer",
    "pod-pending-timeout",
    "pod-template-namespace",
    "send-object-events",
    "storage",
    "tls",
    "update-backoff-retries",
    "update-base-backoff-duration",
    "default-ephemeral-storage",
    "ignore-pod-label-errors",
    "gpu-resource-limits",
};

bool is_empty_text(const Cursor& cursor) {
  return cursor.is_null() || (cursor.node().is_string() && cursor.node().text.empty());
}

/// A single object where a list is expected is a list of one, as Flyte's decoder takes it.
std::vector<Cursor> one_or_more(const Cursor& cursor) {
  if (cursor.is_null()) return {};
  if (cursor.node().is_mapping()) return {cursor};
  return cursor.list();
}

/// Names in a list, or in one string with commas.
std::vector<std::string> names(const Cursor& cursor) {
  if (cursor.is_null()) return {};
  if (!cursor.node().is_string()) return cursor.strings();
  std::vector<std::string> out;
  std::string_view rest = cursor.node().text;
  while (!rest.empty()) {
    const auto comma = rest.find(',');
    std::string_view name = rest.substr(0, comma);
    while (name.starts_with(' ')) name.remove_prefix(1);
    while (name.ends_with(' ')) name.remove_suffix(1);
    if (!name.empty()) out.emplace_back(name);
    rest = comma == std::string_view::npos ? "" : rest.substr(comma + 1);
  }
  return out;
}

/// The map or list-of-maps form of a mapping.
std::vector<std::pair<std::string, Cursor>> entries(const Cursor& cursor) {
  std::vector<std::pair<std::string, Cursor>> out;
  for (const Cursor& part : one_or_more(cursor)) {
    if (!part.node().is_mapping()) throw part.unexpected("a mapping");
    for (const Member& member : part.node().members) {
      out.emplace_back(member.key, part.at(member.value, member.key));
    }
  }
  return out;
}

Pairs labels(const Cursor& cursor) {
  Pairs out;
  for (const auto& [key, value] : entries(cursor)) {
    const auto wrong = kube::check_label_key(key);
    if (!wrong.empty()) throw value.error('"' + key + "\" is no label key: " + wrong.front());
    // Flyte's decoder is weakly typed: 1 and true become strings.
    const std::string text = value.is_null() ? std::string() : value.text();
    const auto bad = kube::check_label_value(text);
    if (!bad.empty()) throw value.error('"' + text + "\": " + bad.front());
    out.emplace_back(key, text);
  }
  return out;
}

class Reader {
 public:
  Reader(Profile& profile, Warnings& warnings) : profile_(profile), warnings_(warnings) {}

  void read(const Cursor& section) {
    Map map = section.map();
    read_devices(map);
    read_scheduling(map);
    for (std::string_view key : other_keys) map.take(key);
    for (const Member* unknown : map.left()) {
      const auto near = text::closest(unknown->key, map.known());
      warnings_.push_back(
          {place_of(section.source(), unknown->offset),
           section.path() + ": Flyte knows no key \"" + unknown->key + "\"; it is ignored",
           near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?"});
    }
  }

 private:
  void read_devices(Map& map) {
    profile_.resource = "nvidia.com/gpu";
    if (auto v = map.take("gpu-resource-name"); v && !is_empty_text(*v)) {
      if (v->node().is_string() && v->node().text.starts_with('<')) {
        throw v->error("a name has to be put in for the placeholder " + v->node().text);
      }
      profile_.resource = v->extended_resource();
    }
    if (auto v = map.take("gpu-device-node-label"); v && !is_empty_text(*v)) {
      profile_.device_label = v->label_key();
    }
    if (auto v = map.take("gpu-partition-size-node-label"); v && !is_empty_text(*v)) {
      profile_.partition_label = v->label_key();
    }
    if (auto v = map.take("gpu-unpartitioned-node-selector-requirement"); v && !v->is_null()) {
      profile_.unpartitioned_requirement = v->requirement();
    }
    if (auto v = map.take("gpu-unpartitioned-toleration"); v && !v->is_null()) {
      profile_.unpartitioned_toleration = toleration(*v);
    }
    read_names(map.take("accelerator-devices"));
    read_classes(map.take("accelerator-device-classes"));
    auto& asking = profile_.accelerator_resources.emplace();
    asking.push_back(*profile_.resource);
    for (const DeviceClass& known : profile_.vocabulary.classes) {
      const bool fresh = known.resource &&
                         std::find(asking.begin(), asking.end(), *known.resource) == asking.end();
      if (fresh) asking.push_back(*known.resource);
    }
  }

  void read_names(const std::optional<Cursor>& cursor) {
    Vocabulary& words = profile_.vocabulary;
    words.verbatim = true;
    if (!cursor || cursor->is_null()) {
      words.platform = "flyte";  // whose 40 names hold
      return;
    }
    for (const auto& [name, value] : entries(*cursor)) {
      words.devices.emplace_back(name, value.label_value());
      std::string upper = name;
      for (char& c : upper) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      }
      if (upper != name) {
        warnings_.push_back(value.warning(
            "Flyte looks devices up in upper case and never finds this name", "write it " + upper));
      } else if (cursor->node().is_mapping() && name.find('.') == std::string::npos) {
        warnings_.push_back(
            value.warning("Flyte turns this key into lower case when it reads a mapping, and then "
                          "never finds it; "
                          "gpuspec does as was meant",
                          "write a list of mappings: [{" + name + ": " + value.node().text + "}]"));
      }
    }
  }

  void read_classes(const std::optional<Cursor>& cursor) {
    Vocabulary& words = profile_.vocabulary;
    words.device_class = device_classes.front();
    if (!cursor || cursor->is_null()) {
      default_classes(words.classes);
      return;
    }
    for (const auto& [name, value] : entries(*cursor)) {
      DeviceClass known;
      known.name = name;
      for (char& c : known.name) {
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
      }
      if (std::find(device_classes.begin(), device_classes.end(), known.name) ==
          device_classes.end()) {
        const auto near = text::closest(known.name, device_classes);
        warnings_.push_back(
            value.warning("Flyte has no such device class; no task can ask for it",
                          near.empty() ? "" : "did you mean " + std::string(near) + "?"));
      }
      if (!value.is_null()) read_class(value, known);
      words.classes.push_back(std::move(known));
    }
  }

  static void default_classes(std::vector<DeviceClass>& classes) {
    for (const auto& kind : accelerator::find_platform("flyte")->classes) {
      DeviceClass known;
      known.name = kind.name;
      known.resource = std::string(kind.resource);
      if (kind.device_label != default_device_label) {
        known.device_label = std::string(kind.device_label);
        known.partition_label = std::string(kind.partition_label);
      }
      classes.push_back(std::move(known));
    }
  }

  void read_class(const Cursor& cursor, DeviceClass& out) {
    Map map = cursor.map();
    if (auto v = map.take("resource-name"); v && !is_empty_text(*v))
      out.resource = v->extended_resource();
    if (auto v = map.take("device-node-label"); v && !is_empty_text(*v))
      out.device_label = v->label_key();
    if (auto v = map.take("partition-size-node-label"); v && !is_empty_text(*v)) {
      out.partition_label = v->label_key();
    }
    if (auto v = map.take("unpartitioned-node-selector-requirement"); v && !v->is_null()) {
      out.unpartitioned_requirement = v->requirement();
    }
    if (auto v = map.take("unpartitioned-toleration"); v && !v->is_null()) {
      out.unpartitioned_toleration = toleration(*v);
    }
    if (auto v = map.take("pod-template"); v && !v->is_null()) read_template(*v, out);
    for (const Member* unknown : map.left()) {
      const auto near = text::closest(unknown->key, map.known());
      warnings_.push_back(
          {place_of(cursor.source(), unknown->offset),
           cursor.path() + ": Flyte knows no key \"" + unknown->key + "\"; it is ignored",
           near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?"});
    }
  }

  /// Only template.spec counts, and of it what can be said without knowing the pod's containers.
  void read_template(const Cursor& cursor, DeviceClass& out) {
    const Node* pod_template = cursor.node().find("template");
    const Node* spec = pod_template ? pod_template->find("spec") : nullptr;
    if (!spec || spec->is_null()) return;
    const Cursor at = cursor.at(*pod_template, "template").at(*spec, "spec");
    if (!spec->is_mapping()) throw at.unexpected("a pod spec");
    for (const Member& member : spec->members) {
      const Cursor value = at.at(member.value, member.key);
      if (value.is_null()) continue;
      if (member.key == "tolerations") {
        out.tolerations = tolerations(value);
      } else if (member.key == "nodeSelector") {
        out.node_selector = labels(value);
      } else if (member.key == "affinity") {
        read_template_affinity(value, out);
      } else if (member.value.is_scalar() || member.key == "securityContext" ||
                 member.key == "dnsConfig") {
        out.pod_defaults.emplace_back(member.key, to_value(member.value));
      } else {
        warnings_.push_back(
            value.warning("is not applied: gpuspec takes from a class's pod template what "
                          "concerns scheduling, not containers and volumes"));
      }
    }
  }

  void read_template_affinity(const Cursor& cursor, DeviceClass& out) {
    Map map = cursor.map();
    const auto node = map.take("nodeAffinity");
    for (const Member* other : map.left()) {
      warnings_.push_back(
          cursor.at(other->value, other->key)
              .warning("is not applied: gpuspec takes node affinity only from a class's "
                       "pod template"));
    }
    if (!node || node->is_null()) return;
    Map parts = node->map();
    const auto required = parts.take("requiredDuringSchedulingIgnoredDuringExecution");
    const auto preferred = parts.take("preferredDuringSchedulingIgnoredDuringExecution");
    parts.finish();
    if (required && !required->is_null()) {
      Map terms = required->map();
      if (auto list = terms.take("nodeSelectorTerms"); list && !list->is_null())
        out.alternatives = list->terms();
      terms.finish();
    }
    if (preferred && !preferred->is_null()) out.preferred = preferred->preferred_terms();
  }

  void read_scheduling(Map& map) {
    profile_.default_resource_tolerations = false;
    if (auto v = map.take("resource-tolerations"); v && !v->is_null()) {
      for (const auto& [resource, list] : entries(*v)) {
        auto& known = tolerations_of(resource);
        for (kube::Toleration& toleration : tolerations(list))
          known.push_back(std::move(toleration));
      }
    }
    if (auto v = map.take("add-tolerations-for-extended-resources"); v) {
      for (const std::string& resource : names(*v)) {
        kube::Toleration toleration;
        toleration.key = resource;
        toleration.op = "Exists";
        toleration.effect = "NoSchedule";
        tolerations_of(resource).push_back(std::move(toleration));
      }
    }
    if (auto v = map.take("default-tolerations")) profile_.tolerations = tolerations(*v);
    if (auto v = map.take("default-node-selector")) profile_.node_selector = labels(*v);
    if (auto v = map.take("default-affinity"); v && !v->is_null()) {
      if (!v->node().is_mapping()) throw v->unexpected("an affinity, as in a pod spec");
      profile_.default_affinity = to_value(v->node());
    }
    if (auto v = map.take("scheduler-name"); v && !is_empty_text(*v))
      profile_.scheduler = v->string();
    Interruptible& rules = profile_.interruptible;
    if (auto v = map.take("interruptible-tolerations")) rules.tolerations = tolerations(*v);
    if (auto v = map.take("interruptible-node-selector")) rules.node_selector = labels(*v);
    if (auto v = map.take("interruptible-node-selector-requirement"); v && !v->is_null()) {
      rules.required = {v->requirement()};
    }
    if (auto v = map.take("non-interruptible-node-selector-requirement"); v && !v->is_null()) {
      rules.required_otherwise = {v->requirement()};
    }
  }

  std::vector<kube::Toleration> tolerations(const Cursor& cursor) {
    std::vector<kube::Toleration> out;
    for (const Cursor& entry : one_or_more(cursor)) out.push_back(toleration(entry));
    return out;
  }

  /// Flyte passes on what the API server refuses: a value beside operator Exists. It means nothing.
  kube::Toleration toleration(const Cursor& cursor) {
    const Node* op = cursor.node().find("operator");
    const Node* value = cursor.node().find("value");
    if (!op || op->text != "Exists" || !value || value->text.empty()) return cursor.toleration();
    warnings_.push_back(
        cursor.at(*value, "value")
            .warning("Kubernetes refuses a value beside operator: Exists; it is left out",
                     "remove it"));
    Node plain = cursor.node();
    std::erase_if(plain.members, [](const Member& member) { return member.key == "value"; });
    return Cursor(cursor.source(), plain, cursor.path()).toleration();
  }

  std::vector<kube::Toleration>& tolerations_of(const std::string& resource) {
    for (auto& entry : profile_.resource_tolerations) {
      if (entry.first == resource) return entry.second;
    }
    return profile_.resource_tolerations.emplace_back(resource, std::vector<kube::Toleration>{})
        .second;
  }

  Profile& profile_;
  Warnings& warnings_;
};

}  // namespace

Profile read_flyte(const text::Source& source, const std::vector<Node>& documents,
                   const std::optional<std::string>& platform, Warnings& warnings) {
  Profile profile;
  profile.name = "flyte";
  profile.source = source.name();
  profile.description = "Flyte configuration";
  profile.vocabulary.lenient = true;
  const FlyteSection section = find_flyte_section(documents);
  if (section.node) {
    const Node normal = normalise_flyte(*section.node);
    Reader(profile, warnings).read(Cursor(source, normal, section.path));
  }
  if (!platform) {
    if (!profile.device_label) profile.device_label = std::string(default_device_label);
    if (!profile.partition_label) profile.partition_label = std::string(default_partition_label);
  }
  return profile;
}

}  // namespace gpuspec::profile
