#include "core/profile/kubespawner.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "core/kube/names.h"
#include "core/profile/native.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

/// Traits of KubeSpawner (and of Spawner) that say nothing about where and with what a pod runs.
constexpr std::array<std::string_view, 68> other_traits = {
    "after_pod_created_hook",
    "allow_privilege_escalation",
    "args",
    "auth_state_hook",
    "cmd",
    "common_labels",
    "component_label",
    "connect_timeout",
    "consecutive_failure_limit",
    "container_security_context",
    "debug",
    "default_url",
    "delete_grace_period",
    "delete_pvc",
    "delete_stopped_pods",
    "disable_user_config",
    "dns_name_template",
    "enable_user_namespaces",
    "env_keep",
    "events_enabled",
    "extra_containers",
    "extra_resource_names",
    "fs_gid",
    "gid",
    "handle_legacy_names",
    "hub_connect_ip",
    "hub_connect_port",
    "hub_connect_url",
    "http_timeout",
    "init_containers",
    "ip",
    "k8s_api_request_timeout",
    "modify_pod_hook",
    "name_template",
    "namespace",
    "notebook_dir",
    "options_form",
    "options_from_form",
    "pod_connect_ip",
    "pod_name_template",
    "pod_security_context",
    "poll_interval",
    "port",
    "post_stop_hook",
    "pre_spawn_hook",
    "privileged",
    "profile_form_template",
    "progress_ready_hook",
    "pvc_name",
    "pvc_name_template",
    "secret_mount_path",
    "secret_name_template",
    "services_enabled",
    "slug_scheme",
    "ssl_alt_names",
    "start_timeout",
    "storage_access_modes",
    "storage_capacity",
    "storage_class",
    "storage_extra_annotations",
    "storage_extra_labels",
    "storage_pvc_ensure",
    "storage_selector",
    "supplemental_gids",
    "uid",
    "user_namespace_template",
    "volume_mounts",
    "volumes",
};

std::string number_text(double number) {
  std::array<char, 64> buffer{};
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), number, std::chars_format::fixed);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("0");
}

/// Bytes, in the largest unit that leaves a whole number: people read 14Gi better than 15032385536.
std::string bytes_quantity(unsigned long long bytes) {
  constexpr std::array<std::string_view, 5> units = {"", "Ki", "Mi", "Gi", "Ti"};
  std::size_t unit = 0;
  while (unit + 1 < units.size() && bytes >= 1024 && bytes % 1024 == 0) {
    bytes /= 1024;
    ++unit;
  }
  return std::to_string(bytes) + std::string(units[unit]);
}

std::optional<double> parse_number(std::string_view text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

bool is_number(const Node& node) {
  return node.type == yaml::Type::integer || node.type == yaml::Type::floating;
}

/// Without underscores and case: how the Kubernetes client's attribute names and the API's field
/// names are alike (host_ipc, hostIPC).
std::string plain_name(std::string_view name) {
  std::string out;
  for (char c : name) {
    if (c == '_') continue;
    out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return out;
}

/// Names that `$(NAME)` refers to.
std::set<std::string> references(std::string_view text) {
  std::set<std::string> names;
  for (auto at = text.find("$("); at != std::string_view::npos; at = text.find("$(", at + 2)) {
    const auto close = text.find(')', at);
    if (close == std::string_view::npos) break;
    names.emplace(text.substr(at + 2, close - at - 2));
  }
  return names;
}

/// `{username}` and the like, which KubeSpawner fills in for each user.
bool has_placeholder(std::string_view text) {
  for (auto at = text.find('{'); at != std::string_view::npos; at = text.find('{', at + 1)) {
    if (at + 1 < text.size() && text[at + 1] == '{') {
      ++at;
      continue;
    }
    if (at > 0 && text[at - 1] == '$') continue;
    const auto close = text.find('}', at);
    if (close != std::string_view::npos && close > at + 1) return true;
  }
  return false;
}

class Reader {
 public:
  Reader(const Cursor& traits, const std::set<std::string>& report, Profile& profile,
         Warnings& warnings)
      : map_(traits), report_(report), profile_(profile), warnings_(warnings) {}

  void run() {
    read_resources();
    read_scheduling();
    read_contents();
    read_extra();
    report_others();
  }

 private:
  // Resources: the four plain traits first, then the extra ones, which win.

  void read_resources() {
    read_memory("mem_guarantee", profile_.requests);
    read_memory("mem_limit", profile_.limits);
    read_cpu("cpu_guarantee", profile_.requests);
    read_cpu("cpu_limit", profile_.limits);
    read_extra_resources("extra_resource_guarantees", profile_.requests);
    read_extra_resources("extra_resource_limits", profile_.limits);
  }

  void read_memory(std::string_view trait, ResourceChanges& changes) {
    const auto v = map_.take(trait);
    if (!v) return;
    const std::string quantity = v->is_null() ? "0" : memory_quantity(*v);
    changes["memory"] = quantity == "0" ? std::nullopt : std::optional(quantity);
  }

  void read_cpu(std::string_view trait, ResourceChanges& changes) {
    const auto v = map_.take(trait);
    if (!v) return;
    if (!v->is_null() && !is_number(v->node()))
      throw v->unexpected("a number of CPUs", "without quotes");
    const double number = v->is_null() ? 0 : parse_number(v->node().text).value_or(0);
    if (number < 0) throw v->unexpected("a number of CPUs");
    changes["cpu"] = number == 0 ? std::nullopt : std::optional(number_text(number));
  }

  void read_extra_resources(std::string_view trait, ResourceChanges& changes) {
    const auto v = map_.take(trait);
    if (!v) return;
    require_mapping(*v);
    for (const Member& member : v->node().members) {
      const Cursor value = v->at(member.value, member.key);
      if (!kube::check_container_resource_name(member.key).empty()) {
        throw value.error("this is no resource name",
                          "cpu, memory, or a name with a domain: nvidia.com/gpu");
      }
      changes[member.key] = value.is_null() ? std::nullopt : std::optional(value.quantity());
    }
  }

  // Scheduling.

  void read_scheduling() {
    if (auto v = map_.take("node_selector")) read_node_selector(*v);
    if (auto v = map_.take("tolerations")) {
      for (const Cursor& entry : in_order(*v)) profile_.tolerations.push_back(entry.toleration());
    }
    if (auto v = map_.take("node_affinity_required")) {
      for (const Cursor& entry : in_order(*v)) profile_.required_terms.push_back(entry.term());
    }
    if (auto v = map_.take("node_affinity_preferred")) {
      for (const Cursor& entry : in_order(*v)) profile_.preferred.push_back(entry.preferred_term());
    }
    read_pod_affinity("pod_affinity", "podAffinity");
    read_pod_affinity("pod_anti_affinity", "podAntiAffinity");
    if (auto v = map_.take("priority_class_name"); v && !empty(*v))
      profile_.priority_class = v->dns_subdomain();
    if (auto v = map_.take("scheduler_name"); v && !empty(*v)) profile_.scheduler = v->string();
  }

  void read_node_selector(const Cursor& cursor) {
    require_mapping(cursor);
    for (const Member& member : cursor.node().members) {
      const Cursor value = cursor.at(member.value, member.key);
      if (value.is_null()) {
        profile_.node_selector_removed.push_back(member.key);
        continue;
      }
      cursor.check_label_key(member);
      profile_.node_selector.emplace_back(member.key, value.label_value());
    }
  }

  /// A list, or a mapping whose values count in the order of its keys; not null.
  static std::vector<Cursor> in_order(const Cursor& cursor) {
    if (cursor.node().is_sequence()) return cursor.list();
    if (!cursor.node().is_mapping()) throw cursor.unexpected("a list or a mapping");
    std::vector<const Member*> members;
    for (const Member& member : cursor.node().members) {
      if (!member.value.is_null()) members.push_back(&member);
    }
    std::sort(members.begin(), members.end(),
              [](const Member* a, const Member* b) { return a->key < b->key; });
    std::vector<Cursor> out;
    for (const Member* member : members) out.push_back(cursor.at(member->value, member->key));
    return out;
  }

  void read_pod_affinity(std::string_view trait, std::string_view field) {
    const std::array<std::pair<const char*, const char*>, 2> parts = {
        {{"_required", "requiredDuringSchedulingIgnoredDuringExecution"},
         {"_preferred", "preferredDuringSchedulingIgnoredDuringExecution"}}};
    yaml::Value affinity = yaml::Value::mapping();
    for (const auto& [suffix, key] : parts) {
      names_.push_back(std::string(trait) + suffix);
      const auto v = map_.take(names_.back());
      if (!v) continue;
      yaml::Value list = yaml::Value::sequence();
      for (const Cursor& entry : in_order(*v)) list.items.push_back(to_value(entry.node()));
      if (list.items.empty()) continue;
      affinity.entries.emplace_back(yaml::Value::string(key), std::move(list));
      warnings_.push_back(v->warning("is given to pods that have no affinity of their own only"));
    }
    if (affinity.entries.empty()) return;
    if (!profile_.default_affinity) profile_.default_affinity = yaml::Value::mapping();
    profile_.default_affinity->entries.emplace_back(yaml::Value::string(field),
                                                    std::move(affinity));
  }

  // What is in the container.

  void read_contents() {
    if (auto v = map_.take("image"); v && !empty(*v)) profile_.image = v->string();
    if (auto v = map_.take("environment")) read_environment(*v);
    if (auto v = map_.take("extra_labels")) read_pairs(*v, profile_.template_labels);
    if (auto v = map_.take("extra_annotations")) read_pairs(*v, profile_.template_annotations);
    container_field("image_pull_policy", "imagePullPolicy");
    container_field("working_dir", "workingDir");
    container_field("lifecycle_hooks", "lifecycle");
    pod_field("service_account", "serviceAccountName");
    pod_field("automount_service_account_token", "automountServiceAccountToken");
    if (auto v = map_.take("image_pull_secrets"); v && !v->is_null()) read_pull_secrets(*v);
  }

  void container_field(std::string_view trait, std::string_view field) {
    const auto v = map_.take(trait);
    if (v && !empty(*v))
      put_field(profile_.container_fields, std::string(field), to_value(v->node()));
  }

  void pod_field(std::string_view trait, std::string_view field) {
    const auto v = map_.take(trait);
    if (v && !empty(*v)) put_field(profile_.pod_fields, std::string(field), to_value(v->node()));
  }

  /// Names, or objects with a name.
  void read_pull_secrets(const Cursor& cursor) {
    yaml::Value secrets = yaml::Value::sequence();
    for (const Cursor& entry : cursor.list()) {
      secrets.items.push_back(
          entry.node().is_string()
              ? yaml::Value::mapping({{"name", yaml::Value::string(entry.string())}})
              : to_value(entry.node()));
    }
    if (!secrets.items.empty())
      put_field(profile_.pod_fields, "imagePullSecrets", std::move(secrets));
  }

  void read_pairs(const Cursor& cursor, Pairs& into) {
    require_mapping(cursor);
    for (const Member& member : cursor.node().members) {
      if (!member.value.is_null())
        into.emplace_back(member.key, cursor.at(member.value, member.key).text());
    }
  }

  /// A variable before it is put in order.
  struct Variable {
    std::string name;
    std::optional<std::string> value;
    std::optional<yaml::Value> body;
  };

  void read_environment(const Cursor& cursor) {
    require_mapping(cursor);
    std::vector<Variable> variables;
    for (const Member& member : cursor.node().members) {
      const Cursor value = cursor.at(member.value, member.key);
      if (value.is_null()) {
        profile_.env_removed.push_back(member.key);
        continue;
      }
      variables.push_back(read_variable(member.key, value));
    }
    for (const Variable& variable : in_order_of_use(variables)) {
      if (variable.value) {
        profile_.env.emplace_back(variable.name, *variable.value);
      } else {
        profile_.env_from.emplace_back(variable.name, *variable.body);
      }
    }
  }

  Variable read_variable(const std::string& key, const Cursor& value) {
    Variable variable;
    variable.name = key;
    if (!value.node().is_mapping()) {
      variable.value = plain_text(value);
      return variable;
    }
    if (const Node* name = value.node().find("name"))
      variable.name = value.at(*name, "name").string();
    if (const Node* text = value.node().find("value")) {
      variable.value = plain_text(value.at(*text, "value"));
      return variable;
    }
    const Node* from = value.node().find("valueFrom");
    if (!from || !from->is_mapping())
      throw value.unexpected("a string, {value: …} or {valueFrom: …}");
    variable.body = yaml::Value::mapping({{"valueFrom", to_value(*from)}});
    return variable;
  }

  std::string plain_text(const Cursor& value) {
    std::string text = value.text();
    if (has_placeholder(text)) {
      warnings_.push_back(
          value.warning("KubeSpawner fills in {…} for each user; it is left as it is"));
      return text;
    }
    return format_value(text, "");
  }

  /// By name; what refers to other variables comes after them.
  static std::vector<Variable> in_order_of_use(std::vector<Variable> left) {
    std::sort(left.begin(), left.end(),
              [](const auto& a, const auto& b) { return a.name < b.name; });
    std::vector<Variable> out;
    while (!left.empty()) {
      std::set<std::string> waiting;
      for (const Variable& variable : left) waiting.insert(variable.name);
      std::vector<Variable> later;
      const std::size_t before = out.size();
      for (Variable& variable : left) {
        const auto used = references(variable.value.value_or(""));
        const bool waits = std::any_of(used.begin(), used.end(), [&](const std::string& name) {
          return name != variable.name && waiting.count(name) > 0;
        });
        (waits ? later : out).push_back(std::move(variable));
      }
      if (out.size() == before) {  // a circle: the order of names
        std::move(later.begin(), later.end(), std::back_inserter(out));
        later.clear();
      }
      left = std::move(later);
    }
    return out;
  }

  // Whole fields, last.

  void read_extra() {
    if (auto v = map_.take("extra_container_config")) {
      read_config(*v, "V1Container", profile_.container_fields, is_container_field,
                  suggest_container_field);
    }
    if (auto v = map_.take("extra_pod_config")) {
      read_config(*v, "V1PodSpec", profile_.pod_fields, is_pod_field, suggest_pod_field);
    }
  }

  static void put_field(Fields& fields, const std::string& name, yaml::Value value) {
    for (auto& field : fields) {
      if (field.first == name) {
        field.second = std::move(value);
        return;
      }
    }
    fields.emplace_back(name, std::move(value));
  }

  void read_config(const Cursor& cursor, const char* model, Fields& fields,
                   bool (*known)(std::string_view), std::string (*suggest)(std::string_view)) {
    require_mapping(cursor);
    for (const Member& member : cursor.node().members) {
      std::string name = member.key;
      if (!known(name)) name = spelled(name, suggest(camel(name)));
      if (!known(name)) {
        const auto near = suggest(camel(member.key));
        throw Error(cursor.source(), member.offset,
                    cursor.path() + ": " + model + " has no field \"" + member.key + '"',
                    near.empty() ? "use the names of the Kubernetes API"
                                 : "did you mean \"" + near + "\"?");
      }
      if (!member.value.is_null()) put_field(fields, name, to_value(member.value));
    }
  }

  static std::string camel(std::string_view snake) {
    std::string out;
    bool up = false;
    for (char c : snake) {
      if (c == '_') {
        up = true;
        continue;
      }
      out += up && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
      up = false;
    }
    return out;
  }

  /// The API's name when the client's attribute name is the same but for case and underscores.
  static std::string spelled(const std::string& name, const std::string& candidate) {
    return plain_name(name) == plain_name(candidate) ? candidate : name;
  }

  void report_others() {
    map_.take("profile_list");
    for (const Member* member : map_.left()) {
      if (!report_.count(member->key)) continue;
      const Cursor value = map_.cursor().at(member->value, member->key);
      const bool trait =
          std::find(other_traits.begin(), other_traits.end(), member->key) != other_traits.end();
      if (trait) {
        warnings_.push_back(
            value.warning("says nothing about a manifest's scheduling; it is ignored"));
        continue;
      }
      const auto near = text::closest(member->key, map_.known());
      warnings_.push_back(
          value.warning("KubeSpawner has no such trait; it is ignored",
                        near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?"));
    }
  }

  static void require_mapping(const Cursor& cursor) {
    if (!cursor.node().is_mapping()) throw cursor.unexpected("a mapping");
  }

  static bool empty(const Cursor& cursor) {
    return cursor.is_null() || (cursor.node().is_string() && cursor.node().text.empty()) ||
           (cursor.node().is_mapping() && cursor.node().members.empty());
  }

  Map map_;
  const std::set<std::string>& report_;
  Profile& profile_;
  Warnings& warnings_;
  std::vector<std::string> names_ = reserved();

  /// The map keeps views of the names asked for.
  static std::vector<std::string> reserved() {
    std::vector<std::string> names;
    names.reserve(8);
    return names;
  }
};

}  // namespace

void read_traits(const Cursor& traits, const std::set<std::string>& report, Profile& profile,
                 Warnings& warnings) {
  Reader(traits, report, profile, warnings).run();
}

void merge_override(Node& base, const Node& over) {
  if (!base.is_mapping() || !over.is_mapping()) {
    base = over;
    return;
  }
  for (const Member& member : over.members) {
    const auto known = std::find_if(base.members.begin(), base.members.end(),
                                    [&](const Member& other) { return other.key == member.key; });
    if (known == base.members.end()) {
      base.members.push_back(member);
    } else if (known->value.is_mapping() && member.value.is_mapping()) {
      merge_override(known->value, member.value);
    } else {
      known->value = member.value;
    }
  }
}

std::string memory_quantity(const Cursor& cursor) {
  const Node& node = cursor.node();
  constexpr std::string_view form = "a number of bytes, or one with K, M, G or T";
  if (is_number(node)) {
    const auto number = parse_number(node.text);
    if (!number || *number < 0 || *number > 1e18) throw cursor.unexpected(form);
    return bytes_quantity(static_cast<unsigned long long>(*number));
  }
  if (!node.is_string() || node.text.size() < 2) throw cursor.unexpected(form);
  const auto unit = std::string_view("KMGT").find(node.text.back());
  const auto number = parse_number(std::string_view(node.text).substr(0, node.text.size() - 1));
  if (unit == std::string_view::npos || !number || *number < 0) {
    throw cursor.unexpected(form, "KubeSpawner's units are powers of 1024 already: 14G, not 14Gi");
  }
  const double bytes = *number * std::pow(1024.0, static_cast<double>(unit + 1));
  if (bytes > 1e18) throw cursor.unexpected(form);
  return bytes_quantity(static_cast<unsigned long long>(bytes));
}

std::string format_value(const std::string& text, const std::string& value) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (rest.starts_with("{{") || rest.starts_with("}}")) {
      out += text[i++];
    } else if (rest.starts_with("{value}") && !value.empty()) {
      out += value;
      i += 6;
    } else {
      out += text[i];
    }
  }
  return out;
}

std::string slugify(std::string_view text) {
  std::string slug;
  for (std::size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    const auto digit = [&](std::size_t at) {
      return at < text.size() && text[at] >= '0' && text[at] <= '9';
    };
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) {
      slug += c;
    } else if (c == ',' && i > 0 && digit(i - 1) && digit(i + 1)) {
      continue;  // 1,000 is 1000
    } else if (!slug.empty() && slug.back() != '-') {
      slug += '-';
    }
  }
  while (!slug.empty() && slug.back() == '-') slug.pop_back();
  return slug;
}

}  // namespace gpuspec::profile
