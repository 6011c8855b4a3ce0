#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/accelerator/devices.h"

namespace gpuspec::accelerator {

struct LabelValue {
  std::string_view key;
  std::string_view value;
};

/// The values that a platform's label has for a device, the usual one first.
struct DeviceValue {
  std::string_view device;  ///< canonical name
  std::span<const std::string_view> values;
  std::span<const LabelValue> with;  ///< further labels that tell this device from its namesakes
};

/// A kind of accelerator on a platform: what pods ask for and which labels nodes have.
struct PlatformClass {
  std::string_view name;             ///< NVIDIA_GPU, GOOGLE_TPU … (Flyte's names)
  std::string_view resource;         ///< nvidia.com/gpu
  std::string_view device_label;     ///< node label key
  std::string_view partition_label;  ///< empty: partitions have no label here
};

/// A toleration of the tables.
struct TableToleration {
  std::string_view key;
  std::string_view op;
  std::string_view value;
  std::string_view effect;
};

struct ResourceTolerations {
  std::string_view resource;
  std::span<const TableToleration> tolerations;
};

struct PlatformPartitions {
  std::string_view device;
  std::span<const Partition> sizes;  ///< as label values
};

struct PlatformCounts {
  std::string_view device;
  std::span<const int> counts;  ///< devices a node can have
};

/// The words of a platform (schemas/platforms/NAME.yaml).
struct Platform {
  std::string_view name;
  std::string_view title;
  bool node_selector_style = false;
  bool device_tolerations = true;
  bool values_are_alternatives = false;  ///< a device means nodes with any of its values
  bool labels_by_hand =
      false;  ///< operators choose the values: what looks like one is taken as it is
  std::string_view value_prefix;      ///< a device's value is this and the name as written
  std::string_view partition_suffix;  ///< between device value and size; empty: a label of its own
  std::span<const PlatformClass> classes;  ///< the first one is the default
  std::span<const DeviceValue> devices;
  std::span<const PlatformPartitions> partitions;
  std::span<const PlatformCounts> counts;
  std::span<const ResourceTolerations> resource_tolerations;
  std::span<const TableToleration> arm64_tolerations;
  std::span<const TableToleration> spot_tolerations;
  std::span<const LabelValue> spot_labels;
  std::span<const LabelValue>
      names;  ///< names that the platform's own software knows, and their values
};

/// All platforms, `flyte` first.
std::span<const Platform> platforms();
const Platform* find_platform(std::string_view name);

/// The class whose resource pods ask for to get this device; nullptr when the platform has none.
const PlatformClass* class_of(const Platform& platform, const Device& device);
/// The entry of the platform for a device; nullptr when it does not offer it.
const DeviceValue* value_of(const Platform& platform, const Device& device);
/// Which of a device's values a name means: the one it spells (up to device_key), else the first.
std::string_view value_for_name(const DeviceValue& entry, std::string_view name);
/// The device that has this very label value on the platform; nullptr when none has.
const Device* device_with_value(const Platform& platform, std::string_view value);

/// A node label that says something about accelerators (schemas/labels.yaml).
struct NodeLabel {
  std::string_view key;       ///< `*` stands for any text
  std::string_view platform;  ///< a platform's name, `any`, or a name that is no built-in platform
  std::string_view kind;      ///< model, partition, count, memory, capacity, instance-type …
};

std::span<const NodeLabel> node_labels();
/// The entry for a label key (exact before patterns); nullptr when the key is not known.
const NodeLabel* find_node_label(std::string_view key);

/// A machine type with accelerators (schemas/instances.yaml).
struct InstanceType {
  std::string_view type;      ///< g4dn.xlarge
  std::string_view provider;  ///< aws, gcp, azure, oci, ibm
  std::string_view device;    ///< canonical name
  int count = 0;              ///< of the device's resource that a pod can ask for
  bool part = false;          ///< has a part of a device, counted as one
  bool arm64 = false;
  std::string_view topology;  ///< of a TPU machine by itself
  bool sure = true;           ///< read in a vendor's table
};

std::span<const InstanceType> instance_types();
/// The machine type of this name (letters without case for Azure); nullopt when it is not known.
/// IBM names say it all and are read, not looked up.
std::optional<InstanceType> find_instance_type(std::string_view type);
/// Largest number of the device on one machine of the provider; 0 when not known.
int most_per_machine(std::string_view provider, std::string_view device);

}  // namespace gpuspec::accelerator
