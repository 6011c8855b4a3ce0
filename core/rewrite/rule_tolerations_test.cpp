#include "core/kube/shared_cases.h"
#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using gpuspec::kube::Toleration;
using gpuspec::profile::Profile;

namespace {

const std::string gpu_toleration =
    "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n";

}  // namespace

TEST_CASE("tolerations: an accelerator in limits or requests, init containers too") {
  const std::string limits = gpu_pod();
  CHECK(added(run(limits), limits) == gpu_toleration);
  const std::string both =
      pod("    resources:\n      requests:\n        nvidia.com/gpu: 1\n      limits:\n"
          "        nvidia.com/gpu: 1\n");
  CHECK(added(run(both), both) == gpu_toleration);
  const std::string init = pod("",
                               "  initContainers:\n  - name: check\n    resources:\n"
                               "      limits:\n        nvidia.com/gpu: 1\n");
  CHECK(added(run(init), init) == gpu_toleration);
}

TEST_CASE("tolerations: what does not ask") {
  for (const char* resources : {"cpu: 1", "nvidia.com/gpu: 0", "nvidia.com/gpu: \"0\"",
                                "nvidia.com/gpu:", "example.com/fpga: 1", "memory: 1Gi"}) {
    const std::string text =
        pod("    resources:\n      limits:\n        " + std::string(resources) + "\n");
    CAPTURE(resources);
    CHECK(run(text).text == text);
    CHECK(run(text).outcome.pods == 0);
  }
}

TEST_CASE("tolerations: several resources come sorted by name, each once") {
  const std::string text = pod(
      "    resources:\n      limits:\n        nvidia.com/mig-1g.5gb: 1\n        amd.com/gpu: 1\n"
      "  - name: other\n    resources:\n      limits:\n        amd.com/gpu: 2\n");
  CHECK(added(run(text), text) ==
        "  tolerations:\n  - key: amd.com/gpu\n    operator: Exists\n    effect: NoSchedule\n"
        "  - key: nvidia.com/mig-1g.5gb\n    operator: Exists\n    effect: NoSchedule\n");
}

TEST_CASE("tolerations: nothing is added that is covered") {
  for (const char* there : {"operator: Exists", "key: nvidia.com/gpu\n    operator: Exists",
                            "effect: NoSchedule\n    key: nvidia.com/gpu\n    operator: Exists"}) {
    const std::string text = gpu_pod("  tolerations:\n  - " + std::string(there) + "\n");
    CHECK(run(text).text == text);
  }
  const std::string other = gpu_pod(
      "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n"
      "    effect: NoExecute\n");
  CHECK(run(other).text != other);
}

TEST_CASE("tolerations: of a profile, by resource and always, in order") {
  Profile profile;
  profile.resource_tolerations = {
      {"nvidia.com/gpu", {{"k1", "Equal", "v1", "NoSchedule", {}}, {"k2", "Exists", "", "", {}}}}};
  profile.tolerations = {{"k3", "Exists", "", "NoExecute", 60}, {"k1", "", "v1", "NoSchedule", {}}};
  profile.accelerator = "nvidia-tesla-v100";
  profile.device_label = "gpu";
  profile.partition = "1g.5gb";
  profile.partition_label = "slice";
  profile.selector_style = gpuspec::profile::SelectorStyle::node_selector;
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        "  nodeSelector:\n    gpu: nvidia-tesla-v100\n    slice: 1g.5gb\n"
        "  tolerations:\n"
        "  - key: k1\n    operator: Equal\n    value: v1\n    effect: NoSchedule\n"
        "  - key: k2\n    operator: Exists\n"
        "  - key: gpu\n    operator: Equal\n    value: nvidia-tesla-v100\n    effect: NoSchedule\n"
        "  - key: slice\n    operator: Equal\n    value: 1g.5gb\n    effect: NoSchedule\n"
        "  - key: k3\n    operator: Exists\n    effect: NoExecute\n    tolerationSeconds: 60\n");
}

TEST_CASE("tolerations: switched off for the resource and the device") {
  Profile profile;
  profile.default_resource_tolerations = false;
  profile.device_tolerations = false;
  profile.accelerator = "x";
  CHECK(run(gpu_pod(), profile).text.find("tolerations") == std::string::npos);
}

TEST_CASE("tolerations: a profile's other resource counts as an accelerator") {
  const std::string text = pod("    resources:\n      limits:\n        example.com/npu: 1\n");
  Profile profile;
  profile.resource = "example.com/npu";
  CHECK(added(run(text, profile), text) ==
        "  tolerations:\n  - key: example.com/npu\n    operator: Exists\n    effect: NoSchedule\n");
  Profile all;
  all.all_extended_resources = true;
  CHECK(run(text, all).text == run(text, profile).text);
}

TEST_CASE("tolerations: records say what was done and why") {
  const Rewritten result = run(gpu_pod());
  REQUIRE(result.outcome.records.size() == 1);
  const Record& record = result.outcome.records.front();
  CHECK(record.object == "Pod/p");
  CHECK(record.field == "spec.tolerations");
  CHECK(record.op == "append");
  CHECK(record.rule == "resource-toleration");
  CHECK(record.value == R"({"key":"nvidia.com/gpu","operator":"Exists","effect":"NoSchedule"})");
  CHECK(record.reason == "a container asks for nvidia.com/gpu");
}

TEST_CASE("tolerations: the admission plugin's cases") {
  using nlohmann::json;
  const auto toleration = [](const json& j) {
    return Toleration{j.value("key", ""),
                      j.value("operator", ""),
                      j.value("value", ""),
                      j.value("effect", ""),
                      {}};
  };
  Profile profile;
  profile.all_extended_resources = true;
  for (const json& c : gpuspec::kube::shared_cases("k8s_ert_cases.json")) {
    CAPTURE(c.at("name").get<std::string>());
    json manifest = c.at("input_pod");
    manifest["apiVersion"] = "v1";
    manifest["kind"] = "Pod";
    const json before = manifest.at("spec").value("tolerations", json::array());
    const Rewritten result = run(manifest.dump(1) + "\n", profile);
    const json after = json::parse(result.text).at("spec").value("tolerations", json::array());
    // Order and number as expected, but for those that one before them covers.
    json expected = json::array();
    for (const json& wanted : c.at("expected_tolerations")) {
      bool covered = false;
      for (const json& there : expected)
        covered = covered || gpuspec::kube::covers(toleration(there), toleration(wanted));
      if (!covered) expected.push_back(wanted);
    }
    CHECK(after == expected);
  }
}
