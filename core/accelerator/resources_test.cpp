#include "core/accelerator/resources.h"

#include "core/testing.h"

using gpuspec::accelerator::find_resource;
using gpuspec::accelerator::is_accelerator_resource;
using gpuspec::accelerator::Role;

TEST_CASE("names and patterns that ask for an accelerator") {
  for (const char* name :
       {"nvidia.com/gpu", "nvidia.com/gpu.shared", "nvidia.com/mig-1g.5gb",
        "nvidia.com/mig-1g.5gb.me", "nvidia.com/mig-2g.10gb.shared", "nvidia.com/TU104GL_Tesla_T4",
        "nvidia.com/gpumem", "amd.com/gpu", "amd.com/cpx_nps4", "gpu.intel.com/i915",
        "gpu.intel.com/xe", "habana.ai/gaudi", "aws.amazon.com/neuron", "aws.amazon.com/neuroncore",
        "aws.amazon.com/neurondevice", "google.com/tpu", "huawei.com/Ascend910B4",
        "volcano.sh/vgpu-number", "iluvatar.ai/MR-V50-vgpu"}) {
    INFO(name);
    CHECK(is_accelerator_resource(name));
  }
}

TEST_CASE("names that do not") {
  for (const char* name :
       {"", "cpu", "memory", "gpu", "ephemeral-storage", "hugepages-2Mi", "nvidia.com",
        "nvidia.com/", "nvidia.com/hostdev", "nvidia.com/priority", "gpu.intel.com/monitoring",
        "rdma/ib", "vpc.amazonaws.com/efa", "example.com/fpga", "amd.com/cpu",
        "alpha.kubernetes.io/nvidia-gpu", "cloud-tpus.google.com/v2"}) {
    INFO(name);
    CHECK_FALSE(is_accelerator_resource(name));
  }
}

TEST_CASE("removed names say what took their place") {
  const auto* old = find_resource("alpha.kubernetes.io/nvidia-gpu");
  REQUIRE(old);
  CHECK(old->role == Role::removed);
  CHECK(old->instead == "nvidia.com/gpu");
  CHECK(find_resource("cloud-tpus.google.com/preemptible-v2")->instead == "google.com/tpu");
  CHECK(find_resource("example.com/fpga") == nullptr);
}
