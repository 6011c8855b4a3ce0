#include "core/accelerator/devices.h"

#include <map>

#include "core/testing.h"

using namespace gpuspec::accelerator;

namespace {
std::string name_of(std::string_view alias) {
  const Device* device = find_device(alias);
  return device ? std::string(device->name) : "";
}
}  // namespace

TEST_CASE("a device is found by every name that people and platforms use") {
  for (const char* name :
       {"a100", "A100", "nvidia-tesla-a100", "NVIDIA-A100-SXM4-40GB", "A100-SXM4-40GB",
        "nvidia-a100", "NVIDIA-A100-PCIE-40GB", "A100-40GB", "a100-40g"}) {
    INFO(name);
    CHECK(name_of(name) == "A100-40GB");
  }
  for (const char* name : {"A100 80G", "a100-80gb", "nvidia-a100-80gb", "NVIDIA-A100-80GB-PCIe",
                           "A100_NVLINK_80GB", "NVIDIA-A100-SXM4-80GB"}) {
    INFO(name);
    CHECK(name_of(name) == "A100-80GB");
  }
  CHECK(name_of("nvidia-tesla-v100") == "V100-16GB");
  CHECK(name_of("h100") == "H100-80GB");
  CHECK(name_of("nvidia-h100") == "H100-80GB");
  CHECK(name_of("H100 MEGA 80G") == "H100-MEGA-80GB");
  CHECK(name_of("T4G") == "T4G");
  CHECK(name_of("t4") == "T4");
  CHECK(name_of("L40s") == "L40S");
  CHECK(name_of("tpu-v5-lite-podslice") == "TPU-v5e");
  CHECK(name_of("V5E") == "TPU-v5e");
  CHECK(name_of("aws-neuron-inf2") == "Inferentia2");
  CHECK(name_of("amd-mi300x") == "MI300X");
  CHECK(name_of("Instinct_MI300X") == "MI300X");
  CHECK(name_of("habana-gaudi-dl1") == "Gaudi");
  CHECK(name_of("Quadro_RTX_4000") == "Quadro-RTX-4000");
  CHECK(name_of("").empty());
  CHECK(name_of("nvidia").empty());
  CHECK(name_of("z9000").empty());
}

TEST_CASE("no two devices share a name or an alias") {
  std::map<std::string, std::string_view> seen;
  for (const Device& device : devices()) {
    const auto add = [&](std::string_view name) {
      const auto [at, fresh] = seen.emplace(device_key(name), device.name);
      INFO(name << " of " << device.name << " and " << at->second);
      CHECK((fresh || at->second == device.name));
    };
    add(device.name);
    for (auto alias : device.aliases) add(alias);
  }
}

TEST_CASE("mistyped devices are suggested") {
  CHECK(suggest_device("nvidia-tesla-a10o") == "nvidia-tesla-a100");
  CHECK(suggest_device("nvidia-tela-v100", "gke") == "nvidia-tesla-v100");
  CHECK(suggest_device("something-else-altogether").empty());
}

TEST_CASE("partitions: MIG profiles") {
  const Device& a100 = *find_device("a100");
  CHECK(has_partition(a100, "2g.10gb") == PartitionAnswer::yes);
  CHECK(has_partition(a100, "1g.5gb+me") == PartitionAnswer::yes);
  CHECK(has_partition(a100, "1g.5gb.me") == PartitionAnswer::yes);
  CHECK(has_partition(a100, "1c.2g.10gb") == PartitionAnswer::yes);
  CHECK(has_partition(a100, "2c.2g.10gb") == PartitionAnswer::no);
  CHECK(has_partition(a100, "2g.20gb") == PartitionAnswer::no);
  CHECK(has_partition(a100, "nonsense") == PartitionAnswer::no);
  CHECK(has_partition(*find_device("gb300"), "1g.31gb") == PartitionAnswer::maybe_not);
  CHECK(has_partition(*find_device("gb300"), "nonsense") == PartitionAnswer::no);
  CHECK(has_partition(*find_device("t4"), "1g.5gb") == PartitionAnswer::none);
  CHECK(has_partition(*find_device("gb10"), "1g.5gb") == PartitionAnswer::not_known);
  CHECK(partition_names(*find_device("a30")) == "1g.6gb, 1g.6gb.me, 2g.12gb, 2g.12gb.me, 4g.24gb");
}

TEST_CASE("partitions: TPU topologies") {
  CHECK(has_partition(*find_device("v5e"), "2x4") == PartitionAnswer::yes);
  CHECK(has_partition(*find_device("v5e"), "3x3") == PartitionAnswer::no);
  CHECK(has_partition(*find_device("v5e"), "2x2x1") == PartitionAnswer::no);
  CHECK(has_partition(*find_device("v5p"), "12x12x12") == PartitionAnswer::maybe_not);
  CHECK(has_partition(*find_device("v5p"), "2x4") == PartitionAnswer::no);
  CHECK(topology_chips("2x4") == 8);
  CHECK(topology_chips("4x4x8") == 128);
  CHECK(topology_chips("4") == 0);
  CHECK(topology_chips("4xa") == 0);
  CHECK(topology_chips("1x1x1x1") == 0);
}

TEST_CASE("MIG profiles in names") {
  CHECK(is_mig_profile("1g.5gb"));
  CHECK(is_mig_profile("1g.24gb+me.all"));
  CHECK(is_mig_profile("1g.24gb.gfx"));
  CHECK(is_mig_profile("1g.24gb-me"));
  CHECK(is_mig_profile("1c.2g.10gb"));
  CHECK_FALSE(is_mig_profile("1g5gb"));
  CHECK_FALSE(is_mig_profile("1g.5gb+me-me"));
  CHECK_FALSE(is_mig_profile("1G.5GB"));
  CHECK(mig_profile_of_resource("nvidia.com/mig-1g.5gb.me") == "1g.5gb.me");
  CHECK(mig_profile_of_resource("nvidia.com/mig-1g.5gb.shared") == "1g.5gb");
  CHECK(mig_profile_of_resource("nvidia.com/gpu").empty());
  CHECK(partition_label_value("1g.5gb+me") == "1g.5gb.me");
}
