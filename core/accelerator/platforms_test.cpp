#include "core/accelerator/platforms.h"

#include "core/testing.h"

using namespace gpuspec::accelerator;

namespace {
std::string value(std::string_view platform, std::string_view name) {
  const Platform* words = find_platform(platform);
  const Device* device = find_device(name);
  REQUIRE(words);
  REQUIRE(device);
  const DeviceValue* entry = value_of(*words, *device);
  return entry ? std::string(value_for_name(*entry, name)) : "";
}
}  // namespace

TEST_CASE("every platform of profile.md is there, flyte first") {
  CHECK(platforms().front().name == "flyte");
  for (const char* name : {"flyte", "gke", "eks", "karpenter", "aks", "oke", "doks", "coreweave",
                           "gfd", "amd", "intel-gaudi", "neuron", "tpu", "packet"}) {
    INFO(name);
    const Platform* platform = find_platform(name);
    REQUIRE(platform);
    REQUIRE_FALSE(platform->classes.empty());
    CHECK_FALSE(platform->classes.front().resource.empty());
    CHECK_FALSE(platform->classes.front().device_label.empty());
  }
  CHECK(find_platform("nowhere") == nullptr);
}

TEST_CASE("each platform has its own value for a device") {
  CHECK(value("gke", "a100") == "nvidia-tesla-a100");
  CHECK(value("karpenter", "nvidia-tesla-a100") == "a100");
  CHECK(value("gfd", "a100") == "NVIDIA-A100-SXM4-40GB");
  CHECK(value("gfd", "a100-pcie-40gb") == "NVIDIA-A100-PCIE-40GB");
  CHECK(value("flyte", "H100") == "nvidia-h100");
  CHECK(value("flyte", "H100 80G") == "nvidia-h100-80gb");
  CHECK(value("gke", "nvidia-h100") == "nvidia-h100-80gb");
  CHECK(value("coreweave", "h100") == "H100_NVLINK_80GB");
  CHECK(value("gke", "l40s").empty());
  CHECK(value_of(*find_platform("karpenter"), *find_device("a100-80gb"))->with.front().value ==
        "81920");
  CHECK(device_with_value(*find_platform("gke"), "nvidia-l4")->name == "L4");
  CHECK(device_with_value(*find_platform("gke"), "NVIDIA-L4") == nullptr);
}

TEST_CASE("the class follows the device") {
  CHECK(class_of(*find_platform("gke"), *find_device("v5e"))->device_label ==
        "cloud.google.com/gke-tpu-accelerator");
  CHECK(class_of(*find_platform("doks"), *find_device("mi300x"))->resource == "amd.com/gpu");
  CHECK(class_of(*find_platform("coreweave"), *find_device("mi300x")) == nullptr);
}

TEST_CASE("node labels know their platform") {
  CHECK(find_node_label("cloud.google.com/gke-accelerator")->kind == "model");
  CHECK(find_node_label("karpenter.k8s.aws/instance-family")->platform == "karpenter");
  CHECK(find_node_label("nvidia.com/gpu.product")->platform == "gfd");
  CHECK(find_node_label("kubernetes.io/hostname") == nullptr);
}

TEST_CASE("machine types know what is in them") {
  const auto g4dn = find_instance_type("g4dn.12xlarge");
  REQUIRE(g4dn);
  CHECK(g4dn->device == "T4");
  CHECK(g4dn->count == 4);
  CHECK(find_instance_type("standard_nc24ads_a100_v4")->device == "A100-80GB");
  CHECK(find_instance_type("p6e-gb200.36xlarge")->arm64);
  CHECK(find_instance_type("ct5lp-hightpu-4t")->topology == "2x2");
  CHECK(find_instance_type("gx3-16x80x2l4")->count == 2);
  CHECK(find_instance_type("gx3d-160x1792x8h100")->device == "H100-80GB");
  CHECK_FALSE(find_instance_type("gx3-16x80"));
  CHECK_FALSE(find_instance_type("m5.large"));
  CHECK(most_per_machine("aws", "T4") == 8);
}
