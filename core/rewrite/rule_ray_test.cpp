#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using gpuspec::profile::Profile;

namespace {

/// A worker group; `group` is what it has besides its template.
std::string cluster(const std::string& group, const std::string& limits) {
  return "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata:\n  name: r\nspec:\n"
         "  workerGroupSpecs:\n  - groupName: w\n" +
         group +
         "    template:\n      spec:\n        containers:\n        - name: ray\n"
         "          resources:\n            limits:\n" +
         limits;
}

Profile gpus(const char* resource) {
  Profile profile;
  profile.resource = resource;
  profile.gpus = 2;
  return profile;
}

}  // namespace

TEST_CASE("ray: a GPU that KubeRay does not count is told to it") {
  const std::string cpu = "              cpu: 4\n";
  for (const char* resource :
       {"nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb.me", "gpu.intel.com/i915"}) {
    INFO(resource);
    CHECK_THAT(run(cluster("", cpu), gpus(resource)).text,
               ContainsSubstring("    rayStartParams:\n      num-gpus: \"2\"\n"));
  }
  for (const char* resource :
       {"nvidia.com/gpu", "amd.com/gpu", "nvidia.com/mig-2g.10gb", "google.com/tpu"}) {
    INFO(resource);
    CHECK(run(cluster("", cpu), gpus(resource)).text.find("num-gpus") == std::string::npos);
  }
}

TEST_CASE("ray: a group with resources of its own is told there, where the other is refused") {
  CHECK_THAT(run(cluster("    resources:\n      CPU: \"4\"\n", "              cpu: 4\n"),
                 gpus("nvidia.com/gpu.shared"))
                 .text,
             ContainsSubstring("    resources:\n      CPU: \"4\"\n      GPU: \"2\"\n"));
}

TEST_CASE("ray: what the manifest says about GPUs that it asks for itself is its own affair") {
  const std::string shared = "              nvidia.com/gpu.shared: 2\n";
  CHECK(run(cluster("", shared)).text.find("num-gpus") == std::string::npos);
}
