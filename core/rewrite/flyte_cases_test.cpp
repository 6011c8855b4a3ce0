// Flyte's own unit-test cases: the configuration as a Flyte file, the pod as a manifest, the
// request as flags. The result must schedule as Flyte's does (semantics.md §7), and the
// configuration converted to a native profile must give the same bytes.

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "core/kube/quantity.h"
#include "core/kube/shared_cases.h"
#include "core/profile/load.h"
#include "core/profile/print.h"
#include "core/rewrite/testing.h"

namespace gpuspec::rewrite {
namespace {

using nlohmann::json;

const std::set<std::string> functions = {"ApplyGPUNodeSelectors",
                                         "ToK8sPodSpec",
                                         "ApplyFlytePodConfiguration",
                                         "GetPodTolerations",
                                         "AddTolerationsForExtendedResources",
                                         "ApplyInterruptibleNodeAffinity",
                                         "AddRequiredNodeSelectorRequirements",
                                         "SanitizeGPUResourceRequirements",
                                         "ApplySharedMemory",
                                         "UpdatePod",
                                         "RayGroup"};

/// Cases that cannot be said with a configuration, a manifest and flags, or where semantics.md
/// differs on purpose.
const std::map<std::string, std::string> exceptions = {
    {"ToK8sPod/device class template three way merge",
     "the base PodTemplate is an object in the cluster, in no configuration"},
    {"ResourceName/class config not found falls back",
     "gpu-resource-name custom.gpu.resource has no domain: the API server refuses it, so the "
     "profile is refused"},
    {"SharedMemory/No mount name", "--shm has a name and a path of its own"},
    {"SharedMemory/No mount path name", "--shm has a name and a path of its own"},
    {"SharedMemory/No primary container",
     "a container that is not there is in none of the manifests, which is no error of the profile"},
    {"SharedMemory/Volume already exists in spec",
     "the volume of --shm has another name, so nothing clashes"},
    {"SharedMemory/Volume already in container",
     "the volume of --shm has another name, so nothing clashes"},
    {"SharedMemory/Mount path already in container",
     "a container that mounts /dev/shm keeps it (semantics.md §5)"},
    {"Ray/default affinity not diluted",
     "Ray merges a second pod spec over Flyte's, whose terms become alternatives; a manifest has "
     "one"},
    {"Ray/non-interruptible custom affinity",
     "Ray merges a second pod spec over Flyte's, whose terms become alternatives; a manifest has "
     "one"},
};

std::string text_of(const json& value, const char* key) {
  const auto found = value.find(key);
  return found == value.end() || found->is_null() ? "" : found->get<std::string>();
}

const json& part(const json& value, const char* key) {
  static const json nothing;
  const auto found = value.is_object() ? value.find(key) : value.end();
  return value.is_object() && found != value.end() ? *found : nothing;
}

/// The configuration as a file: the base with the case's keys over it. Device names go in a list of
/// mappings, the form in which Flyte keeps their case.
std::string configuration(const json& test) {
  json section;
  const std::string function = test.at("function");
  if (test.at("config_base") == "default") {
    static const json defaults = [] {
      std::ifstream in(kube::shared_folder() + "/cases/flyte_default_config.json");
      return json::parse(in);
    }();
    section = defaults;
  } else {
    section = {{"accelerator-devices", json::object()},
               {"accelerator-device-classes", json::object()}};
  }
  for (const auto& [key, value] : part(test, "config").items()) {
    // This function looks at the requirements only; the program does the rest of Flyte's work as
    // well.
    if (function == "ApplyInterruptibleNodeAffinity" &&
        key.find("requirement") == std::string::npos)
      continue;
    section[key] = value;
  }
  if (function == "ApplyInterruptibleNodeAffinity") {
    for (const char* key :
         {"interruptible-tolerations", "interruptible-node-selector", "default-node-selector"}) {
      section.erase(key);
    }
  }
  if (function == "AddRequiredNodeSelectorRequirements") {
    section["non-interruptible-node-selector-requirement"] =
        test.at("request").at("requirements").at(0);
  }
  json names = json::array();
  for (const auto& [name, value] : section["accelerator-devices"].items())
    names.push_back({{name, value}});
  if (!names.empty()) section["accelerator-devices"] = names;
  return json{{"plugins", {{"k8s", section}}}}.dump(2) + "\n";
}

/// Ray's second pod spec, merged into the pod that the user would write.
void merge_overlay(json& spec, const json& overlay) {
  for (const json& more : part(overlay, "containers")) {
    for (json& container : spec["containers"]) {
      if (container["name"] != more["name"]) continue;
      for (const auto& [list, quantities] : part(more, "resources").items()) {
        container["resources"][list].update(quantities);
      }
    }
  }
  if (overlay.contains("affinity")) spec["affinity"] = overlay["affinity"];
}

json manifest(const json& test) {
  json pod = part(test, "input_pod");
  if (pod.is_null()) pod = {{"apiVersion", "v1"}, {"kind", "Pod"}, {"metadata", json::object()}};
  json& spec = pod["spec"];
  const json& request = test.at("request");
  const json& listed = part(request, "resource_requirements");
  if (test.at("function") == "SanitizeGPUResourceRequirements") {
    spec["containers"] = json::array({{{"resources", request.at("resources")}}});
  } else if (part(spec, "containers").empty() && listed.is_array()) {
    spec["containers"] = json::array();
    for (const json& resources : listed) spec["containers"].push_back({{"resources", resources}});
  }
  merge_overlay(spec, part(test, "overlay_pod_spec"));
  int number = 0;
  for (json& container : spec["containers"]) {
    if (text_of(container, "name").empty()) container["name"] = "c" + std::to_string(number);
    ++number;
  }
  return pod;
}

/// The task's request as flags.
profile::LoadRequest request_of(const json& test) {
  profile::LoadRequest out;
  profile::Profile& flags = out.flags;
  flags.select.all_pods = true;
  const json& request = test.at("request");
  json accelerator = part(request, "accelerator_override");
  if (accelerator.is_null()) accelerator = part(request, "accelerator");
  if (accelerator.is_object()) {
    if (!text_of(accelerator, "device").empty()) flags.accelerator = text_of(accelerator, "device");
    if (!text_of(accelerator, "partition").empty())
      flags.partition = text_of(accelerator, "partition");
    flags.unpartitioned = accelerator.value("unpartitioned", false);
    if (!text_of(accelerator, "device_class").empty())
      out.device_class = text_of(accelerator, "device_class");
  }
  out.interruptible =
      part(request, "interruptible").is_boolean() && request["interruptible"].get<bool>();
  if (!text_of(request, "primary_container").empty()) {
    flags.select.containers = {text_of(request, "primary_container")};
  }
  json memory = part(request, "shared_memory_override");
  if (memory.is_null()) memory = part(request, "shared_memory");
  if (memory.is_object() && !text_of(memory, "size_limit").empty())
    flags.shared_memory = text_of(memory, "size_limit");
  if (test.at("function") == "SanitizeGPUResourceRequirements") return out;
  const json& resources = part(request, "resources");
  for (const auto& [name, quantity] : part(resources, "requests").items())
    flags.requests[name] = quantity;
  for (const auto& [name, quantity] : part(resources, "limits").items())
    flags.limits[name] = quantity;
  return out;
}

/// Without what means nothing: null, empty strings, lists and mappings; a value beside Exists.
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
    if (inner.is_null() || (inner.is_string() && inner == "") ||
        (inner.is_structured() && inner.empty()))
      continue;
    out[key] = inner;
  }
  if (text_of(out, "operator") == "Exists") out.erase("value");
  return out;
}

/// The required terms, their expressions and the terms themselves as sets.
std::set<std::set<std::string>> terms(const json& affinity) {
  std::set<std::set<std::string>> out;
  const json& required =
      part(part(affinity, "nodeAffinity"), "requiredDuringSchedulingIgnoredDuringExecution");
  for (const json& term : part(required, "nodeSelectorTerms")) {
    std::set<std::string> expressions;
    for (const char* list : {"matchExpressions", "matchFields"}) {
      for (const json& expression : part(term, list))
        expressions.insert(list + normal(expression).dump());
    }
    out.insert(expressions);
  }
  return out;
}

std::set<std::string> tolerations(const json& list) {
  std::set<std::string> out;
  for (const json& toleration : list) out.insert(normal(toleration).dump());
  return out;
}

/// What a container asks of the resources with a domain. A lone request or limit counts as both:
/// where Flyte leaves half of it, the API server would refuse the pod.
std::map<std::string, std::string> extended(const json& resources) {
  std::map<std::string, std::string> out;
  for (const char* list : {"requests", "limits"}) {
    for (const auto& [name, quantity] : part(resources, list).items()) {
      const std::string text = quantity.is_string() ? quantity.get<std::string>() : quantity.dump();
      const auto value = kube::Quantity::parse(text);
      if (name.find('/') != std::string::npos && value && !value->is_zero())
        out[name] = value->str();
    }
  }
  return out;
}

const json& container_of(const json& spec, const std::string& name) {
  for (const char* list : {"containers", "initContainers"}) {
    for (const json& container : part(spec, list)) {
      if (text_of(container, "name") == name) return container;
    }
  }
  // The cases leave the name empty where there is one container, or several alike.
  return part(spec, "containers").empty() ? part(spec, "nothing") : spec["containers"].back();
}

void compare(const json& test, const json& result) {
  const json& expected = test.at("expected");
  const json& spec = part(result, "spec");
  if (expected.contains("affinity"))
    CHECK(terms(part(spec, "affinity")) == terms(expected["affinity"]));
  if (expected.contains("tolerations")) {
    CHECK(tolerations(part(spec, "tolerations")) == tolerations(expected["tolerations"]));
  }
  if (expected.contains("spec") && test.at("function") != "ApplyInterruptibleNodeAffinity") {
    CHECK(normal(part(spec, "nodeSelector")).dump() ==
          normal(part(expected["spec"], "nodeSelector")).dump());
  }
  const std::string primary = text_of(test.at("request"), "primary_container");
  if (test.at("function") == "SanitizeGPUResourceRequirements") {
    CHECK(extended(part(container_of(spec, "c0"), "resources")) == extended(expected["resources"]));
    return;
  }
  for (const auto& [name, resources] : part(expected, "resources").items()) {
    if (!primary.empty() && name != primary) continue;
    INFO("container " << name);
    CHECK(extended(part(container_of(spec, name), "resources")) == extended(resources));
  }
}

Settings settings_for(const std::string& configuration, profile::LoadRequest request) {
  request.profiles = {{"profile.yaml", configuration}};
  Settings settings;
  settings.profiles = profile::load(request).profiles;
  return settings;
}

}  // namespace

TEST_CASE("pods schedule as Flyte's do") {
  int run_cases = 0, excepted = 0;
  for (const json& test : kube::shared_cases("flyte_unit.json")) {
    if (!functions.count(test.at("function"))) continue;
    const std::string name = test.at("name");
    INFO(name);
    ++run_cases;
    const auto exception = exceptions.find(name);
    if (exception != exceptions.end()) {
      std::cout << "not run: " << name << ": " << exception->second << '\n';
      ++excepted;
      continue;
    }
    const std::string config = configuration(test);
    const std::string pod = manifest(test).dump(2) + "\n";
    const auto size = request_of(test).flags.shared_memory;
    if (size && !kube::Quantity::parse(*size)) {  // the command line refuses the flag
      CHECK(test.at("expected").contains("error"));
      continue;
    }
    if (test.at("expected").contains("error")) {
      CHECK_THROWS_AS(run(pod, settings_for(config, request_of(test))), std::exception);
      continue;
    }
    const Rewritten result = run(pod, settings_for(config, request_of(test)));
    compare(test, json::parse(result.text));
    const profile::ProfileSet set = profile::read_profiles({"profile.yaml", config});
    const std::string native = profile::print_native(set.profiles.at(0));
    INFO(native);
    CHECK(run(pod, settings_for(native, request_of(test))).text == result.text);
  }
  CHECK(excepted * 10 <= run_cases);
}

}  // namespace gpuspec::rewrite
