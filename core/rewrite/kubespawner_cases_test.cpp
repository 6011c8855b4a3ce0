// KubeSpawner's cases: the profile in a profile list, a notebook pod as manifest; the pod must get
// what KubeSpawner gives it, and the profile converted to the native dialect must give the same
// bytes.

#include <map>
#include <set>
#include <string>

#include "core/kube/quantity.h"
#include "core/kube/shared_cases.h"
#include "core/profile/load.h"
#include "core/profile/print.h"
#include "core/rewrite/testing.h"

namespace gpuspec::rewrite {
namespace {

using json = nlohmann::ordered_json;  // the order of options counts

/// What KubeSpawner says about the notebook server rather than about where it runs: gpuspec reports
/// these traits and leaves the manifest's own values.
const std::set<std::string> server_fields = {
    "restartPolicy", "securityContext", "initContainers", "volumes", "args", "command",
    "name",          "ports",           "volumeMounts"};

/// Cases whose pod is about something else than the fields above leave alone.
const std::map<std::string, std::string> exceptions = {
    {"ks-test_make_pod_with_env",
     "`env` is an argument of make_pod, no trait; environment has the same form"},
    {"ks-test_make_pod_with_ssl", "certificates of the notebook server"},
    {"kubespawner-doc-extra-guarantees-only",
     "a lone request of an extended resource gets its limit (semantics.md §2): the API server "
     "refuses it without"},
};

json cases() {
  if (kube::shared_cases("kubespawner_cases.json").empty()) return json::array();
  std::ifstream in(kube::shared_folder() + "/cases/kubespawner_cases.json");
  return json::parse(in).at("cases");
}

const json& part(const json& value, const char* key) {
  static const json nothing;
  const auto found = value.is_object() ? value.find(key) : value.end();
  return value.is_object() && found != value.end() ? *found : nothing;
}

bool is_single(const json& test) {
  return test.contains("profile");
}

std::string configuration(const json& test) {
  json spawner = test.contains("base") ? test["base"] : json::object();
  if (is_single(test)) {
    spawner["profile_list"] =
        json::array({{{"display_name", "The profile"}, {"kubespawner_override", test["profile"]}}});
  } else {
    spawner["profile_list"] = test.at("profile_list");
  }
  return json{{"hub", {{"config", {{"KubeSpawner", spawner}}}}}}.dump(2) + "\n";
}

/// The user's choices: the profile's slug and `--choice` flags.
std::string slug_of(const json& test) {
  const json& options = part(test, "user_options");
  return options.is_object() ? options.value("profile", "") : "";
}

profile::Pairs choices_of(const json& test) {
  profile::Pairs choices;
  for (const auto& [option, choice] : part(test, "user_options").items()) {
    if (option != "profile") choices.emplace_back(option, choice.get<std::string>());
  }
  return choices;
}

const char* const manifest = R"({
  "apiVersion": "v1",
  "kind": "Pod",
  "metadata": {"name": "jupyter"},
  "spec": {
    "containers": [
      {"name": "notebook", "image": "quay.io/jupyterhub/singleuser:latest"},
      {"name": "sidecar", "image": "proxy:1"}
    ]
  }
}
)";

json normal(const json& value) {
  if (value.is_array()) {
    json out = json::array();
    for (const json& item : value) out.push_back(normal(item));
    return out;
  }
  if (!value.is_object()) return value;
  json out = json::object();
  for (const auto& [key, item] : value.items()) {
    const json inner = normal(item);
    if (inner.is_null() || (inner.is_structured() && inner.empty())) continue;
    out[key] = inner;
  }
  return out;
}

std::string sorted(const json& value) {
  return nlohmann::json(normal(value)).dump();
}

std::map<std::string, std::string> quantities(const json& list) {
  std::map<std::string, std::string> out;
  for (const auto& [name, quantity] : list.items()) {
    const auto value =
        kube::Quantity::parse(quantity.is_string() ? quantity.get<std::string>() : quantity.dump());
    REQUIRE(value);
    out[name] = std::to_string(value->milli_value());
  }
  return out;
}

/// Variables in order, without those that the server adds.
std::string variables(const json& list) {
  json out = json::array();
  for (const json& variable : list) {
    const std::string name = variable.at("name");
    if (!name.starts_with("JUPYTER")) out.push_back(sorted(variable));
  }
  return out.dump();
}

void compare_container(const json& got, const json& expected) {
  for (const char* list : {"requests", "limits"}) {
    CHECK(quantities(part(part(got, "resources"), list)) ==
          quantities(part(part(expected, "resources"), list)));
  }
  CHECK(normal(part(part(got, "resources"), "claims")).dump() ==
        normal(part(part(expected, "resources"), "claims")).dump());
  CHECK(variables(part(got, "env")) == variables(part(expected, "env")));
  for (const auto& [field, value] : expected.items()) {
    if (server_fields.count(field) || field == "resources" || field == "env") continue;
    INFO(field);
    CHECK(sorted(part(got, field.c_str())) == sorted(value));
  }
}

void compare(const json& got, const json& expected) {
  for (const auto& [field, value] : expected.items()) {
    if (server_fields.count(field) || field == "containers") continue;
    INFO(field);
    CHECK(sorted(part(got, field.c_str())) == sorted(value));
  }
  for (const char* field : {"nodeSelector", "tolerations", "affinity"}) {
    INFO(field);
    CHECK(part(got, field).is_null() == normal(part(expected, field)).empty());
  }
  compare_container(part(got, "containers").at(0), expected.at("containers").at(0));
  CHECK(part(got, "containers").at(1) == json({{"name", "sidecar"}, {"image", "proxy:1"}}));
}

Settings settings_for(const std::string& text, const profile::Pairs& choices,
                      const std::string& name) {
  Settings settings;
  profile::LoadRequest request;
  request.profiles = {{"hub.yaml", text, name}};
  request.choices = choices;
  settings.profiles = profile::load(request).profiles;
  return settings;
}

}  // namespace

TEST_CASE("pods become what KubeSpawner makes") {
  for (const json& test : cases()) {
    const std::string name = test.at("name");
    INFO(name);
    if (const auto exception = exceptions.find(name); exception != exceptions.end()) {
      std::cout << "not run: " << name << ": " << exception->second << '\n';
      continue;
    }
    const std::string config = configuration(test);
    INFO(config);
    if (test.contains("expected_error")) {
      CHECK_THROWS_AS(settings_for(config, choices_of(test), slug_of(test)), profile::Error);
      continue;
    }
    const Rewritten result = run(manifest, settings_for(config, choices_of(test), slug_of(test)));
    INFO(result.text);
    compare(json::parse(result.text).at("spec"), test.at("expected"));
    const profile::ProfileSet set =
        profile::read_profiles({"hub.yaml", config, slug_of(test)}, choices_of(test));
    for (std::size_t i = 0; i < set.profiles.size(); ++i) {
      if (!set.applies[i]) continue;
      profile::Profile applied = set.profiles[i];
      applied.on_request = false;
      CHECK(run(manifest, settings_for(profile::print_native(applied), {}, "")).text ==
            result.text);
    }
  }
}

}  // namespace gpuspec::rewrite
