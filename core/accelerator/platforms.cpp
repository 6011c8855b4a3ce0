#include "core/accelerator/platforms.h"

#include <algorithm>
#include <charconv>

#include "core/accelerator/tables.h"

namespace gpuspec::accelerator {
namespace {

char lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

bool equal_without_case(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (lower(a[i]) != lower(b[i])) return false;
  }
  return true;
}

/// Reads a number at the front of `text` and removes it; 0 when there is none.
int take_number(std::string_view& text) {
  int number = 0;
  const auto [next, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc()) return 0;
  text.remove_prefix(static_cast<std::size_t>(next - text.data()));
  return number;
}

/// IBM's names are FAMILY-CPUSxGIBxCOUNTdevice: gx3-16x80x1l4.
std::optional<InstanceType> read_ibm_type(std::string_view type) {
  if (!type.starts_with("gx")) return std::nullopt;
  auto rest = type;
  const auto dash = rest.find('-');
  if (dash == std::string_view::npos) return std::nullopt;
  rest.remove_prefix(dash + 1);
  for (int i = 0; i < 2; ++i) {
    if (take_number(rest) == 0 || rest.empty() || rest[0] != 'x') return std::nullopt;
    rest.remove_prefix(1);
  }
  const int count = take_number(rest);
  const Device* device = count ? find_device(rest) : nullptr;
  if (!device) return std::nullopt;
  InstanceType found;
  found.type = type;
  found.provider = "ibm";
  found.device = device->name;
  found.count = count;
  return found;
}

}  // namespace

std::span<const Platform> platforms() {
  return tables::platforms();
}

const Platform* find_platform(std::string_view name) {
  for (const Platform& platform : tables::platforms()) {
    if (platform.name == name) return &platform;
  }
  return nullptr;
}

const PlatformClass* class_of(const Platform& platform, const Device& device) {
  for (const PlatformClass& kind : platform.classes) {
    if (kind.resource == device.resource) return &kind;
  }
  return nullptr;
}

const DeviceValue* value_of(const Platform& platform, const Device& device) {
  for (const DeviceValue& entry : platform.devices) {
    if (entry.device == device.name) return &entry;
  }
  return nullptr;
}

std::string_view value_for_name(const DeviceValue& entry, std::string_view name) {
  const auto key = device_key(name);
  for (auto value : entry.values) {
    if (value == name || device_key(value) == key) return value;
  }
  return entry.values.front();
}

const Device* device_with_value(const Platform& platform, std::string_view value) {
  for (const DeviceValue& entry : platform.devices) {
    for (auto known : entry.values) {
      if (known != value) continue;
      for (const Device& device : tables::devices()) {
        if (device.name == entry.device) return &device;
      }
    }
  }
  return nullptr;
}

std::span<const NodeLabel> node_labels() {
  return tables::labels();
}

const NodeLabel* find_node_label(std::string_view key) {
  const NodeLabel* best = nullptr;
  for (const NodeLabel& label : tables::labels()) {
    if (label.key == key) return &label;
    if (best && best->key.size() >= label.key.size()) continue;
    if (tables::fits(label.key, key)) best = &label;
  }
  return best;
}

std::span<const InstanceType> instance_types() {
  return tables::instances();
}

std::optional<InstanceType> find_instance_type(std::string_view type) {
  for (const InstanceType& known : tables::instances()) {
    if (known.type == type) return known;
    if (known.provider == "azure" && equal_without_case(known.type, type)) return known;
  }
  return read_ibm_type(type);
}

int most_per_machine(std::string_view provider, std::string_view device) {
  int most = 0;
  for (const InstanceType& known : tables::instances()) {
    if (known.provider == provider && known.device == device) most = std::max(most, known.count);
  }
  return most;
}

}  // namespace gpuspec::accelerator
