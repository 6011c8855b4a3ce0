// Flyte configurations and JupyterHub profile lists: where they are found and what their forms
// mean. What pods become is in core/rewrite/*_cases_test.cpp.

#include "core/profile/kubespawner.h"
#include "core/profile/testing.h"

namespace gpuspec::profile {
namespace {

const char* const section =
    "k8s:\n"
    "  gpu-resource-name: example.com/gpu\n"
    "  resource-tolerations:\n"
    "  - example.com/gpu:\n"
    "    - {key: mykey, operator: Equal, value: myvalue, effect: NoSchedule}\n";

/// The section below these keys.
std::string below(const std::vector<std::string>& keys) {
  std::string out, indent;
  for (const std::string& key : keys) {
    out += indent + key + ":\n";
    indent += "  ";
  }
  std::istringstream in(section);
  for (std::string line; std::getline(in, line);) out += indent + line + '\n';
  return out;
}

LoadRequest flyte(const std::string& settings) {
  std::string text = "plugins:\n  k8s:\n";
  std::istringstream in(settings);
  for (std::string line; std::getline(in, line);) text += "    " + line + '\n';
  return request_for(text);
}

}  // namespace

TEST_CASE("a Flyte section is found wherever charts keep it") {
  const std::vector<std::vector<std::string>> places = {
      {"plugins"},
      {"configmap", "k8s", "plugins"},
      {"configuration", "inline", "plugins"},
      {"flyte-core", "configmap", "k8s", "plugins"}};
  for (const auto& place : places) {
    INFO(place.front());
    const Profile profile = load_one(request_for(below(place)));
    CHECK(profile.resource == "example.com/gpu");
    REQUIRE(profile.resource_tolerations.size() == 1);
    CHECK(profile.resource_tolerations[0].first == "example.com/gpu");
    CHECK(profile.resource_tolerations[0].second.front().key == "mykey");
    CHECK(profile.default_resource_tolerations == false);
  }
}

TEST_CASE("Flyte: a list of mappings, a mapping, one object for a list, a string for names") {
  for (const char* form : {"resource-tolerations: [{a.com/x: [{key: k, operator: Exists}]}]",
                           "resource-tolerations: {a.com/x: [{key: k, operator: Exists}]}",
                           "resource-tolerations: {a.com/x: {key: k, operator: Exists}}",
                           "Resource-Tolerations: {a.com/x: {Key: k, OPERATOR: Exists}}"}) {
    INFO(form);
    const Profile profile = load_one(flyte(form));
    REQUIRE(profile.resource_tolerations.size() == 1);
    CHECK(profile.resource_tolerations[0].second.front().key == "k");
  }
  const Profile names = load_one(flyte("add-tolerations-for-extended-resources: a.com/x, b.com/y"));
  CHECK(names.resource_tolerations.size() == 2);
}

TEST_CASE("Flyte: friendly names, and what Flyte makes of their case") {
  LoadRequest request = flyte("accelerator-devices: [{H100: my-h100}]");
  request.flags.accelerator = "h100";
  CHECK(load_one(request).accelerator == "my-h100");
  CHECK(load(request).warnings.empty());
  request = flyte("accelerator-devices: {H100: my-h100}");
  request.flags.accelerator = "H100";
  CHECK(load_one(request).accelerator == "my-h100");
  CHECK(warns(load(request).warnings, "write a list of mappings"));
  request = flyte("gpu-device-node-label: a/b");
  request.flags.accelerator = "A100 80G";
  CHECK(load_one(request).accelerator == "nvidia-a100-80gb");
  request.flags.accelerator = "L40S";  // Flyte never finds its own L40s
  CHECK(load_one(request).accelerator == "L40S");
  request.flags.accelerator = "NVIDIA-A100-SXM4-40GB";
  CHECK(load_one(request).accelerator == "NVIDIA-A100-SXM4-40GB");
}

TEST_CASE("Flyte: device classes") {
  LoadRequest request = flyte("gpu-device-node-label: a/b");
  request.flags.accelerator = "V5P";
  request.device_class = "GOOGLE_TPU";
  Profile profile = load_one(request);
  CHECK(profile.device_label == "cloud.google.com/gke-tpu-accelerator");
  CHECK(profile.resource == "google.com/tpu");
  request = flyte(
      "gpu-resource-name: a.com/gpu\naccelerator-device-classes: {nvidia_gpu: {device-node-label: "
      "c/d}}");
  request.flags.accelerator = "A100";
  profile = load_one(request);
  CHECK(profile.device_label == "c/d");
  CHECK(profile.resource == "a.com/gpu");
  request.device_class = "AMD_GPU";
  CHECK(warns(load(request).warnings, "no device class \"AMD_GPU\""));
}

TEST_CASE("Flyte: keys it does not know are reported, others pass") {
  const Loaded loaded =
      load(flyte("gpu-device-label: a/b\ninject-finalizer: true\ndefault-cpus: 100m"));
  CHECK(loaded.warnings.size() == 1);
  CHECK(warns(loaded.warnings, "did you mean \"gpu-device-node-label\"?"));
}

TEST_CASE("Flyte: partitions are taken as they are, with a warning") {
  LoadRequest request = flyte("gpu-device-node-label: a/b");
  request.flags.accelerator = "nvidia-tesla-a100";
  request.flags.partition = "3g.99gb";
  CHECK(load_one(request).partition == "3g.99gb");
  CHECK(warns(load(request).warnings, "A100-40GB has no"));
}

TEST_CASE("JupyterHub: a list is found under the charts' keys and as KubeSpawner's own") {
  for (const char* head : {"singleuser:\n  profileList:\n", "a:\n  profileList:\n",
                           "KubeSpawner:\n  profile_list:\n"}) {
    const std::string text =
        std::string(head) + "  - display_name: Big GPU\n    kubespawner_override: {cpu_limit: 2}\n";
    CHECK(load_one(request_for(text)).name == "big-gpu");
    CHECK(load_one(request_for(text, "Big GPU")).limits.at("cpu") == "2");
  }
}

TEST_CASE("JupyterHub: what the chart says beside the list is the base") {
  const std::string text =
      "singleuser:\n"
      "  memory: {limit: 1G, guarantee: 512M}\n"
      "  nodeSelector: {pool: users}\n"
      "  image: {name: a, tag: b}\n"
      "  profileList:\n"
      "  - display_name: GPU\n"
      "    kubespawner_override: {mem_limit: null, node_selector: {gpu: t4}}\n";
  const Profile profile = load_one(request_for(text));
  CHECK(profile.limits.at("memory") == std::nullopt);
  CHECK(profile.requests.at("memory") == "512Mi");
  CHECK(profile.node_selector == Pairs{{"pool", "users"}, {"gpu", "t4"}});
  CHECK_FALSE(profile.image);
}

TEST_CASE("JupyterHub: choices by key, slug and display name; unknown ones are refused") {
  const std::string text =
      "profileList:\n"
      "- display_name: GPU\n"
      "  profile_options:\n"
      "    image:\n"
      "      choices:\n"
      "        00-tf: {slug: tensorflow, display_name: TF 2, kubespawner_override: {image: tf:1}}\n"
      "        01-pt: {default: true, kubespawner_override: {image: pt:1}}\n";
  LoadRequest request = request_for(text);
  CHECK(load_one(request).image == "pt:1");
  for (const char* choice : {"00-tf", "tensorflow", "TF 2"}) {
    request.choices = {{"image", choice}};
    CHECK(load_one(request).image == "tf:1");
  }
  request.choices = {{"image", "00-ft"}};
  CHECK_THAT(error_of(request), ContainsSubstring("did you mean 00-tf?"));
  request.choices = {{"imgae", "00-tf"}};
  CHECK_THAT(error_of(request), ContainsSubstring("did you mean image?"));
}

TEST_CASE("JupyterHub: keys without meaning are reported") {
  const Loaded loaded =
      load(request_for("profileList:\n- display_name: GPU\n  colour: red\n"
                       "  kubespawner_override: {extra_tolerations: [], default_url: /lab, "
                       "environment: {A: \"{username}\"}}\n"));
  CHECK(warns(loaded.warnings, "KubeSpawner has no such trait"));
  CHECK(warns(loaded.warnings, "default_url: says nothing about a manifest"));
  CHECK(warns(loaded.warnings, "colour: a profile has no such key"));
  CHECK(warns(loaded.warnings, "for each user"));
}

TEST_CASE("slugs are those of python-slugify") {
  CHECK(slugify("NVIDIA Tesla T4, ~16 GB, ~4 CPUs") == "nvidia-tesla-t4-16-gb-4-cpus");
  CHECK(slugify("GPU: NVIDIA T4, ~16 GB") == "gpu-nvidia-t4-16-gb");
  CHECK(slugify("  1,000 cores! ") == "1000-cores");
  CHECK(slugify("").empty());
}

TEST_CASE("values are put into unlisted choices") {
  CHECK(format_value("{value}", "a:1") == "a:1");
  CHECK(format_value("x-{value}-{{value}}", "a") == "x-a-{value}");
}

}  // namespace gpuspec::profile
