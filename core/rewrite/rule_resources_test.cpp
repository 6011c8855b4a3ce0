#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using gpuspec::profile::Profile;

namespace {

std::string with(const std::string& resources) {
  return pod("    resources:\n" + resources);
}

/// The container's resources after a rewriting, with tolerations cut off.
std::string resources(const std::string& before, const Profile& profile = {}) {
  const std::string text = run(with(before), profile).text;
  const std::size_t begin = text.find("    resources:\n");
  if (begin == std::string::npos) return "";
  const std::size_t end = text.find("  tolerations:\n");
  return text.substr(begin + 15, end == std::string::npos ? end : end - begin - 15);
}

Profile gpus(long long count) {
  Profile profile;
  profile.gpus = count;
  return profile;
}

}  // namespace

TEST_CASE("resources: a lone request gets its limit, a lone limit is left alone") {
  CHECK(resources("      requests:\n        nvidia.com/gpu: 2\n") ==
        "      requests:\n        nvidia.com/gpu: 2\n      limits:\n        nvidia.com/gpu: 2\n");
  const std::string limit = "      limits:\n        nvidia.com/gpu: 2\n";
  CHECK(resources(limit) == limit);
}

TEST_CASE("resources: unequal quantities are told, not mended") {
  const std::string text =
      "      requests:\n        nvidia.com/gpu: 2\n      limits:\n        nvidia.com/gpu: 1\n";
  CHECK(resources(text) == text);
  CHECK(run(with(text)).warns("the request is 2, the limit is 1"));
}

TEST_CASE("resources: gpus sets the limit, and the request where it is written") {
  CHECK(resources("      limits:\n        nvidia.com/gpu: 1\n", gpus(4)) ==
        "      limits:\n        nvidia.com/gpu: 4\n");
  CHECK(resources("      limits:\n        nvidia.com/gpu: 1\n      requests:\n"
                  "        nvidia.com/gpu: 1\n        cpu: 1\n",
                  gpus(4)) ==
        "      limits:\n        nvidia.com/gpu: 4\n      requests:\n"
        "        nvidia.com/gpu: 4\n        cpu: 1\n");
  CHECK(resources("      requests:\n        nvidia.com/gpu: 1\n", gpus(4)) ==
        "      requests:\n        nvidia.com/gpu: 4\n      limits:\n        nvidia.com/gpu: 4\n");
}

TEST_CASE("resources: gpus are written as the neighbours are, and compared by value") {
  CHECK(resources("      limits:\n        cpu: \"2\"\n", gpus(1)) ==
        "      limits:\n        cpu: \"2\"\n        nvidia.com/gpu: \"1\"\n");
  for (const char* same : {"1", "\"1\"", "1000m", "'1'"}) {
    const std::string text = std::string("      limits:\n        nvidia.com/gpu: ") + same + "\n";
    CHECK(resources(text, gpus(1)) == text);
  }
}

TEST_CASE("resources: without a request the first container that is no init container gets gpus") {
  const std::string text = pod("  - name: other\n", "  initContainers:\n  - name: init\n");
  const Rewritten result = run(text, gpus(1));
  CHECK_THAT(result.text, ContainsSubstring("  - name: main\n    resources:\n      limits:\n"
                                            "        nvidia.com/gpu: 1\n  - name: other\n"));
  CHECK_THAT(result.text, ContainsSubstring("  tolerations:\n"));
}

TEST_CASE("resources: gpus for the container that asks, or the one that is named") {
  const std::string text =
      pod("  - name: gpu\n    resources:\n      limits:\n        nvidia.com/gpu: 1\n");
  CHECK_THAT(run(text, gpus(2)).text, ContainsSubstring("  - name: main\n  - name: gpu\n"));
  CHECK_THAT(run(text, gpus(2)).text, ContainsSubstring("nvidia.com/gpu: 2\n"));
  Profile named = gpus(2);
  named.select.containers = {"ma*"};
  CHECK_THAT(run(text, named).text,
             ContainsSubstring("  - name: main\n    resources:\n      limits:\n"
                               "        nvidia.com/gpu: 2\n  - name: gpu\n"));
}

TEST_CASE("resources: merged by key; null removes, and empty parents go") {
  Profile profile;
  profile.limits = {{"memory", std::nullopt}, {"nvidia.com/gpu", "1"}};
  profile.requests = {{"memory", "14G"}};
  CHECK(resources("      limits:\n        memory: 2Gi\n        cpu: 1\n", profile) ==
        "      limits:\n        cpu: 1\n        nvidia.com/gpu: 1\n      requests:\n"
        "        memory: 14G\n");
  Profile removing;
  removing.limits = {{"memory", std::nullopt}};
  removing.select.all_pods = true;
  const std::string bare =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n"
      "  containers:\n  - name: main\n";
  CHECK(run(bare + "    resources:\n      limits:\n        memory: 2Gi\n", removing).text == bare);
  CHECK(resources("      limits:\n        memory: 2Gi\n      requests:\n        cpu: 1\n",
                  removing) == "      requests:\n        cpu: 1\n");
}

TEST_CASE("resources: quantities are compared by value") {
  Profile profile;
  profile.select.all_pods = true;
  profile.limits = {{"memory", "16384Mi"}};
  const std::string text = "      limits:\n        memory: 16Gi\n";
  CHECK(resources(text, profile) == text);
}

TEST_CASE("resources: the generic key gpu is renamed, each list on its own") {
  CHECK(resources("      limits:\n        gpu: 1\n      requests:\n        gpu: \"1\"\n") ==
        "      limits:\n        nvidia.com/gpu: 1\n      requests:\n"
        "        nvidia.com/gpu: \"1\"\n");
  Profile amd;
  amd.resource = "amd.com/gpu";
  CHECK(resources("      limits:\n        gpu: 1\n", amd) ==
        "      limits:\n        amd.com/gpu: 1\n");
  CHECK(resources("      limits:\n        gpu: 2\n        nvidia.com/gpu: 1\n") ==
        "      limits:\n        nvidia.com/gpu: 2\n");
}

TEST_CASE("resources: misplaced ones are refused with the place where they belong") {
  const std::string beside =
      pod("    resources:\n      cpu: 1000m\n    limits:\n      nvidia.com/gpu: 1\n");
  CHECK_THROWS_WITH(run(beside),
                    ContainsSubstring("spec.containers[0].limits: found limits beside resources, "
                                      "expected spec.containers[0].resources.limits"));
  CHECK_THROWS_WITH(
      run(pod("    resources:\n      nvidia.com/gpu: 1\n")),
      ContainsSubstring("spec.containers[0].resources.nvidia.com/gpu: found a resource directly"));
  CHECK_THROWS_WITH(
      run(pod("    resources:\n      limits: [nvidia.com/gpu]\n    env: []\n"), gpus(1)),
      ContainsSubstring("limits: expected a mapping, found a sequence"));
}

TEST_CASE("resources: a Ray group's own counts follow") {
  const std::string text =
      "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata:\n  name: r\nspec:\n"
      "  workerGroupSpecs:\n  - rayStartParams:\n      num-gpus: \"1\"\n    template:\n"
      "      spec:\n        containers:\n        - name: w\n          resources:\n"
      "            limits:\n              nvidia.com/gpu: 1\n";
  const Rewritten result = run(text, gpus(4));
  CHECK_THAT(result.text, ContainsSubstring("num-gpus: \"4\"\n"));
  CHECK_THAT(result.text, ContainsSubstring("nvidia.com/gpu: 4\n"));
}
