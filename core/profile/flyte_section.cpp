#include "core/profile/flyte_section.h"

#include <algorithm>
#include <array>
#include <span>

#include "core/profile/flyte.h"
#include "core/profile/native.h"

namespace gpuspec::profile {
namespace {

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return out;
}

/// Fields of the Kubernetes types in the section: tolerations, requirements, affinities, pod
/// templates.
constexpr std::array<std::string_view, 59> api_fields = {
    "key",
    "operator",
    "value",
    "effect",
    "tolerationSeconds",
    "values",
    "nodeAffinity",
    "podAffinity",
    "podAntiAffinity",
    "requiredDuringSchedulingIgnoredDuringExecution",
    "preferredDuringSchedulingIgnoredDuringExecution",
    "nodeSelectorTerms",
    "matchExpressions",
    "matchFields",
    "matchLabels",
    "matchLabelKeys",
    "mismatchLabelKeys",
    "weight",
    "preference",
    "podAffinityTerm",
    "labelSelector",
    "namespaceSelector",
    "namespaces",
    "topologyKey",
    "template",
    "metadata",
    "spec",
    "tolerations",
    "nodeSelector",
    "affinity",
    "schedulerName",
    "priorityClassName",
    "runtimeClassName",
    "priority",
    "preemptionPolicy",
    "restartPolicy",
    "dnsPolicy",
    "dnsConfig",
    "hostNetwork",
    "hostIPC",
    "hostPID",
    "containers",
    "initContainers",
    "volumes",
    "securityContext",
    "imagePullSecrets",
    "serviceAccountName",
    "enableServiceLinks",
    "terminationGracePeriodSeconds",
    "topologySpreadConstraints",
    "shareProcessNamespace",
    "subdomain",
    "hostname",
    "hostAliases",
    "automountServiceAccountToken",
    "activeDeadlineSeconds",
    "readinessGates",
    "overhead",
    "resourceClaims",
};

/// Keys of the section (in lower case) whose own keys are people's.
bool holds_names(std::string_view key) {
  constexpr std::array<std::string_view, 5> keys = {
      "resource-tolerations", "accelerator-devices", "accelerator-device-classes",
      "default-node-selector", "interruptible-node-selector"};
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

/// Fields of Kubernetes types whose keys are people's.
bool holds_labels(std::string_view key) {
  return key == "nodeSelector" || key == "matchLabels";
}

Node normal_type(const Node& node) {
  Node out = node;
  for (Member& member : out.members) {
    const std::string key = lower(member.key);
    for (std::string_view field : api_fields) {
      if (lower(field) == key) member.key = field;
    }
    if (!holds_labels(member.key)) member.value = normal_type(member.value);
  }
  for (Node& item : out.items) item = normal_type(item);
  return out;
}

/// A mapping from names to Kubernetes types, or to the settings of a device class.
Node normal_names(const Node& node, bool classes) {
  Node out = node;
  for (Node& item : out.items) item = normal_names(item, classes);
  for (Member& member : out.members) {
    if (!classes) {
      member.value = normal_type(member.value);
      continue;
    }
    for (Member& setting : member.value.members) {
      setting.key = lower(setting.key);
      setting.value = normal_type(setting.value);
    }
  }
  return out;
}

const Node* walk(const Node& from, std::span<const std::string_view> keys) {
  const Node* node = &from;
  for (std::string_view key : keys) {
    if (node) node = node->find(key);
  }
  return node;
}

/// `plugins.k8s` below a node, at any depth.
bool search(const Node& node, const std::string& path, FlyteSection& section) {
  for (const Member& member : node.members) {
    const std::string here = path.empty() ? member.key : path + '.' + member.key;
    if (member.key == "plugins" && member.value.is_mapping()) {
      if (const Node* k8s = member.value.find("k8s");
          k8s && (k8s->is_mapping() || k8s->is_null())) {
        section = {k8s->is_mapping() ? k8s : nullptr, here + ".k8s", true};
        return true;
      }
    }
    if (search(member.value, here, section)) return true;
  }
  return false;
}

}  // namespace

FlyteSection find_flyte_section(const std::vector<Node>& documents) {
  constexpr std::array<std::string_view, 2> bare = {"plugins", "k8s"};
  constexpr std::array<std::string_view, 4> core = {"configmap", "k8s", "plugins", "k8s"};
  constexpr std::array<std::string_view, 4> binary = {"configuration", "inline", "plugins", "k8s"};
  const std::array<std::pair<std::span<const std::string_view>, std::string_view>, 3> usual = {
      {{bare, "plugins.k8s"},
       {core, "configmap.k8s.plugins.k8s"},
       {binary, "configuration.inline.plugins.k8s"}}};
  for (const Node& document : documents) {
    for (const auto& [keys, path] : usual) {
      const Node* node = walk(document, keys);
      if (node && node->is_mapping()) return {node, std::string(path), true};
    }
  }
  FlyteSection section;
  for (const Node& document : documents) {
    if (search(document, "", section)) break;
  }
  return section;
}

Node normalise_flyte(const Node& section) {
  Node out = section;
  for (Member& member : out.members) {
    member.key = lower(member.key);
    if (holds_names(member.key)) {
      member.value = normal_names(member.value, member.key == "accelerator-device-classes");
    } else {
      member.value = normal_type(member.value);
    }
  }
  return out;
}

bool is_flyte(const std::vector<Node>& documents) {
  return find_flyte_section(documents).found;
}

}  // namespace gpuspec::profile
