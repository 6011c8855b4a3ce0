#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gpuspec::accelerator {

/// A part of a device that can be asked for by itself, and how many of it one device holds (0: not
/// known). MIG profiles are written as NVIDIA's tools do: 1g.5gb+me.
struct Partition {
  std::string_view name;
  int count = 0;
};

/// What parts a device has.
enum class PartitionKind : std::uint8_t {
  unknown,   ///< the tables do not say
  none,      ///< it cannot be partitioned
  mig,       ///< NVIDIA multi-instance GPU
  topology,  ///< a TPU slice, whose size stands where a GPU's partition would
};

/// An accelerator as the tables know it (schemas/devices.yaml).
struct Device {
  std::string_view name;  ///< canonical: A100-40GB
  std::span<const std::string_view> aliases;
  std::string_view vendor;    ///< nvidia, amd, habana, aws, intel, google
  std::string_view family;    ///< ampere, cdna, tpu …
  std::string_view resource;  ///< what pods ask for: nvidia.com/gpu
  int memory_gib = 0;         ///< 0: it varies, or is not known
  bool arm64 = false;         ///< its machines have an arm64 CPU
  PartitionKind partition_kind = PartitionKind::unknown;
  std::span<const Partition> partitions;
  bool partitions_sure = true;  ///< the list is complete; an other size is an error
  int dimensions = 0;           ///< of a topology
};

/// All devices, in the order of the table.
std::span<const Device> devices();

/// The device that a name means: its canonical name, an alias, or the label value that some
/// platform uses for it, compared by device_key(). nullptr when no table knows it.
const Device* find_device(std::string_view name);

/// What is compared in names of devices: lower case, letters and digits only, without the words in
/// front that say no more than the vendor (nvidia-tesla-a100 and A100 are alike), `80g` as `80gb`.
std::string device_key(std::string_view name);

/// The name that was probably meant by one that no table knows, as an alias or a label value of the
/// platform (a name of schemas/platforms; empty: any). Empty when nothing is close.
std::string suggest_device(std::string_view name, std::string_view platform = {});

/// The answer to "has this device such a partition?".
enum class PartitionAnswer : std::uint8_t {
  yes,
  no,         ///< the table is sure
  maybe_not,  ///< not in the table, but the table may lack it
  none,       ///< the device cannot be partitioned
  not_known,  ///< the tables say nothing about this device's partitions
};

/// Whether the device can be asked for in this size: `2g.10gb`, `1g.5gb+me` or `1g.5gb.me`, with a
/// compute instance `1c.2g.10gb`; a topology `2x4` for a TPU.
PartitionAnswer has_partition(const Device& device, std::string_view size);

/// A MIG profile the way label values and resource names spell it: `+` becomes `.`.
std::string partition_label_value(std::string_view size);

/// The names of the device's partitions, as label values, separated by ", ".
std::string partition_names(const Device& device);

/// Number of chips of a TPU topology (`2x4` → 8); 0 when it is not one.
long long topology_chips(std::string_view topology);

/// The MIG profile in a resource name: `nvidia.com/mig-1g.5gb.me` → `1g.5gb.me`; empty when the
/// name is not of that form. A final `.shared` is left out.
std::string_view mig_profile_of_resource(std::string_view resource);

/// Whether the text has the form of a MIG profile: `[Nc.]Ng.MMgb` with `+me`, `+me.all`, `+gfx` (or
/// `.me` …) or `-me` after it.
bool is_mig_profile(std::string_view text);

}  // namespace gpuspec::accelerator
