#include "core/profile/error.h"
#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using namespace gpuspec::profile;
using gpuspec::kube::NodeSelectorRequirement;

namespace {

Profile device(const std::string& value = "v100") {
  Profile profile;
  profile.accelerator = value;
  profile.device_label = "gpu";
  profile.partition_label = "slice";
  profile.default_resource_tolerations = false;
  return profile;
}

Profile as_entries(Profile profile) {
  profile.selector_style = SelectorStyle::node_selector;
  return profile;
}

Profile with_conflict(Profile profile, Conflict conflict) {
  profile.conflict = conflict;
  return profile;
}

std::string affinity(const std::string& terms) {
  return "  affinity:\n    nodeAffinity:\n      requiredDuringSchedulingIgnoredDuringExecution:\n"
         "        nodeSelectorTerms:\n" +
         terms;
}

const std::string v100 =
    "          - key: gpu\n            operator: In\n            values:\n            - v100\n";
const std::string v100_toleration =
    "  tolerations:\n  - key: gpu\n    operator: Equal\n    value: v100\n    effect: NoSchedule\n";

/// The pod with this affinity, rewritten, from its `affinity` to its containers.
std::string after(const std::string& terms, const Profile& profile) {
  const std::string text = run(gpu_pod(affinity(terms)), profile).text;
  const std::size_t begin = text.find("        nodeSelectorTerms:\n") + 27;
  return text.substr(begin, text.find("  containers:\n") - begin);
}

}  // namespace

TEST_CASE("node selection: a device as affinity, and its toleration") {
  const std::string text = gpu_pod();
  CHECK(added(run(text, device()), text) ==
        affinity("        - matchExpressions:\n" + v100) + v100_toleration);
}

TEST_CASE("node selection: every term gets the requirement, none twice") {
  const std::string zone =
      "          - key: zone\n            operator: In\n            values:\n            - a\n";
  const std::string fields =
      "        - matchFields:\n          - key: metadata.name\n            operator: In\n"
      "            values:\n            - n1\n";
  CHECK(after("        - matchExpressions:\n" + zone + "        - matchExpressions:\n" + v100 +
                  fields,
              device()) == "        - matchExpressions:\n" + zone + v100 +
                               "        - matchExpressions:\n" + v100 + fields +
                               "          matchExpressions:\n" + v100);
}

TEST_CASE("node selection: an empty term is filled when it is the only one") {
  CHECK(after("        - {}\n", device()).find("v100") != std::string::npos);
  const std::string beside = after("        - {}\n        - matchExpressions:\n" + v100, device());
  CHECK(beside == "        - {}\n        - matchExpressions:\n" + v100);
}

TEST_CASE("node selection: no terms, or none written") {
  for (const char* there :
       {"  affinity: {}\n", "  affinity:\n    nodeAffinity:\n", "  affinity: ~\n"}) {
    const Rewritten result = run(gpu_pod(there), device());
    CHECK_THAT(result.text, ContainsSubstring("matchExpressions"));
  }
}

TEST_CASE("node selection: preferred terms, pod affinity stay") {
  const std::string other =
      "  affinity:\n    podAntiAffinity: {}\n    nodeAffinity:\n"
      "      preferredDuringSchedulingIgnoredDuringExecution: []\n";
  const Rewritten result = run(gpu_pod(other), device());
  CHECK_THAT(result.text, ContainsSubstring(other));
}

TEST_CASE("node selection: nodeSelector style, values are strings") {
  const std::string text = gpu_pod();
  Profile profile = as_entries(device("true"));
  profile.device_tolerations = false;
  CHECK(added(run(text, profile), text) == "  nodeSelector:\n    gpu: \"true\"\n");
}

TEST_CASE("node selection: order is device, partition, profile") {
  Profile profile = device();
  profile.partition = "1g.5gb";
  profile.device_tolerations = false;
  profile.required = {{"zone", "In", {"a", "b"}}};
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        affinity("        - matchExpressions:\n" + v100 +
                 "          - key: slice\n            operator: In\n            values:\n"
                 "            - 1g.5gb\n          - key: zone\n            operator: In\n"
                 "            values:\n            - a\n            - b\n"));
}

TEST_CASE("node selection: unpartitioned") {
  Profile profile = device();
  profile.accelerator.reset();
  profile.unpartitioned = true;
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        affinity("        - matchExpressions:\n          - key: slice\n"
                 "            operator: DoesNotExist\n"));
  profile.unpartitioned_requirement = NodeSelectorRequirement{"slice", "NotIn", {"1g.5gb"}};
  profile.unpartitioned_toleration = {"slice", "Equal", "whole", "NoSchedule", {}};
  const Rewritten result = run(text, profile);
  CHECK_THAT(result.text, ContainsSubstring("operator: NotIn"));
  CHECK_THAT(result.text, ContainsSubstring("value: whole"));
  profile.unpartitioned_requirement.reset();
  CHECK_THROWS_WITH(run(text, as_entries(profile)),
                    ContainsSubstring("cannot be required with a nodeSelector"));
}

TEST_CASE("node selection: only pods that ask for the accelerator get its device") {
  Profile profile = device();
  profile.select.all_pods = true;
  const std::string text = pod("    image: x\n");
  CHECK(run(text, profile).text == text);
  // Another vendor's device is none of the resource in force.
  profile.resource = "amd.com/gpu";
  const std::string nvidia = gpu_pod();
  CHECK(run(nvidia, profile).text == nvidia);
}

TEST_CASE("conflict: keep leaves the pod's own and says so") {
  const std::string entry = gpu_pod("  nodeSelector:\n    gpu: t4\n");
  const Rewritten kept = run(entry, device());
  CHECK(kept.text == entry);
  CHECK(
      kept.warns("nodeSelector requires gpu=t4; that is kept, and gpu=v100 neither required nor "
                 "tolerated"));
  const std::string term = gpu_pod(affinity(
      "        - matchExpressions:\n          - {key: gpu, operator: In, values: [t4]}\n"));
  for (const Profile& profile : {device(), as_entries(device())}) {
    CHECK(run(term, profile).text == term);
    CHECK(run(term, profile).warns("node affinity requires gpu=t4"));
  }
  Profile partition = device();
  partition.partition = "1g.5gb";
  CHECK(run(entry, partition).text == entry);
}

TEST_CASE("conflict: an expression that excludes the value, or the label") {
  for (const char* expression :
       {"{key: gpu, operator: NotIn, values: [v100]}", "{key: gpu, operator: DoesNotExist}",
        "{key: gpu, operator: Gt, values: [\"1\"]}"}) {
    const std::string text = gpu_pod(
        affinity("        - matchExpressions:\n          - " + std::string(expression) + "\n"));
    CHECK(run(text, device()).text == text);
    CHECK_FALSE(run(text, device()).silent());
  }
  for (const char* expression :
       {"{key: gpu, operator: In, values: [v100, t4]}", "{key: gpu, operator: Exists}",
        "{key: gpu, operator: NotIn, values: [t4]}"}) {
    const std::string text = gpu_pod(
        affinity("        - matchExpressions:\n          - " + std::string(expression) + "\n"));
    CHECK(run(text, device()).silent());
    CHECK(run(text, device()).text != text);
  }
}

TEST_CASE("conflict: replace rewrites what contradicts") {
  const Profile replacing = with_conflict(device(), Conflict::replace);
  const Rewritten entry = run(gpu_pod("  nodeSelector:\n    gpu: t4\n"), as_entries(replacing));
  CHECK_THAT(entry.text, ContainsSubstring("  nodeSelector:\n    gpu: v100\n"));
  CHECK_THAT(entry.text, ContainsSubstring(v100_toleration));
  CHECK(entry.silent());
  const Rewritten term = run(
      gpu_pod(affinity("        - matchExpressions:\n          - {key: gpu, operator: In, values: "
                       "[t4]}\n")),
      replacing);
  CHECK_THAT(term.text, ContainsSubstring("- {key: gpu, operator: In, values: [v100]}\n"));
  const Rewritten absent = run(
      gpu_pod(affinity("        - matchExpressions:\n          - key: gpu\n            operator: "
                       "DoesNotExist\n")),
      replacing);
  CHECK_THAT(absent.text, ContainsSubstring("operator: In\n            values:\n"));
}

TEST_CASE("conflict: error fails the run at the place") {
  const std::string text = gpu_pod("  nodeSelector:\n    gpu: t4\n");
  try {
    run(text, with_conflict(device(), Conflict::error));
    FAIL("no error");
  } catch (const gpuspec::text::Error& error) {
    CHECK(error.offset() == text.find("t4"));
    CHECK_THAT(error.what(), ContainsSubstring("nodeSelector requires gpu=t4, but gpu=v100"));
  }
}

TEST_CASE("conflict: nodeSelector entries of a profile") {
  Profile profile;
  profile.default_resource_tolerations = false;
  profile.node_selector = {{"pool", "gpu"}, {"disk", "ssd"}};
  const std::string text = gpu_pod("  nodeSelector:\n    pool: cpu\n");
  const Rewritten kept = run(text, profile);
  CHECK_THAT(kept.text, ContainsSubstring("  nodeSelector:\n    pool: cpu\n    disk: ssd\n"));
  CHECK(kept.warns("nodeSelector requires pool=cpu; that is kept, and pool=gpu not required"));
  const Rewritten replaced = run(text, with_conflict(profile, Conflict::replace));
  CHECK_THAT(replaced.text, ContainsSubstring("  nodeSelector:\n    pool: gpu\n    disk: ssd\n"));
  Profile override;
  override.node_selector_overrides = {{"pool", "spot"}};
  CHECK_THAT(run(text, override).text, ContainsSubstring("pool: spot\n"));
}

TEST_CASE("node selection: preferred terms of a profile come once") {
  Profile profile;
  profile.default_resource_tolerations = false;
  profile.preferred = {{50, {{{"zone", "In", {"a"}}}, {}}}};
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        "  affinity:\n    nodeAffinity:\n"
        "      preferredDuringSchedulingIgnoredDuringExecution:\n      - weight: 50\n"
        "        preference:\n          matchExpressions:\n          - key: zone\n"
        "            operator: In\n            values:\n            - a\n");
}

TEST_CASE("node selection: required terms combine with the pod's") {
  Profile profile;
  profile.default_resource_tolerations = false;
  profile.required_terms = {{{{"a", "Exists", {}}}, {}}, {{{"b", "Exists", {}}}, {}}};
  const std::string text = gpu_pod();
  CHECK(
      added(run(text, profile), text) ==
      affinity("        - matchExpressions:\n          - key: a\n            operator: Exists\n"
               "        - matchExpressions:\n          - key: b\n            operator: Exists\n"));
  const std::string combined = after("        - matchExpressions:\n" + v100, profile);
  CHECK_THAT(combined, ContainsSubstring("key: a\n"));
  CHECK_THAT(combined, ContainsSubstring("key: b\n"));
  profile.required_terms.pop_back();
  CHECK(after("        - matchExpressions:\n" + v100, profile) ==
        "        - matchExpressions:\n" + v100 +
            "          - key: a\n            operator: Exists\n");
}

TEST_CASE("node selection: alternatives do not get what is required of the pod's own terms") {
  Profile profile = device();
  profile.device_tolerations = false;
  profile.alternatives = {{{{"a", "Exists", {}}}, {}}};
  profile.required = {{"own", "Exists", {}}};
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        affinity("        - matchExpressions:\n          - key: a\n            operator: Exists\n" +
                 v100 + "        - matchExpressions:\n" + v100 +
                 "          - key: own\n            operator: Exists\n"));
}

TEST_CASE("node selection: a default affinity is what the rules work on") {
  using gpuspec::yaml::Value;
  Profile profile = device();
  profile.device_tolerations = false;
  const Value expression =
      Value::mapping({{"key", Value::string("zone")}, {"operator", Value::string("Exists")}});
  profile.default_affinity = Value::mapping(
      {{"nodeAffinity",
        Value::mapping({{"requiredDuringSchedulingIgnoredDuringExecution",
                         Value::mapping({{"nodeSelectorTerms",
                                          Value::sequence({Value::mapping(
                                              {{"matchExpressions",
                                                Value::sequence({expression})}})})}})}})}});
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        affinity("        - matchExpressions:\n          - key: zone\n"
                 "            operator: Exists\n" +
                 v100));
  const std::string own = gpu_pod("  affinity:\n    podAffinity: {}\n");
  CHECK(run(own, profile).text.find("zone") == std::string::npos);
}
