#include "core/accelerator/devices.h"

#include <charconv>
#include <unordered_map>
#include <vector>

#include "core/accelerator/tables.h"
#include "core/text/suggest.h"

namespace gpuspec::accelerator {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Removes `word` from the front when something is left after it.
bool drop_front(std::string& text, std::string_view word) {
  if (text.size() <= word.size() || text.compare(0, word.size(), word) != 0) return false;
  text.erase(0, word.size());
  return true;
}

/// Every name that means a device, by key. Canonical names and aliases come before label values, so
/// that Karpenter's `a100`, which both sizes have, stays the alias of one.
const std::unordered_map<std::string, const Device*>& index() {
  static const auto* map = [] {
    auto* made = new std::unordered_map<std::string, const Device*>;
    for (const Device& device : tables::devices()) {
      made->emplace(device_key(device.name), &device);
      for (auto alias : device.aliases) made->emplace(device_key(alias), &device);
    }
    for (const Platform& platform : tables::platforms()) {
      for (const DeviceValue& entry : platform.devices) {
        for (const Device& device : tables::devices()) {
          if (device.name != entry.device) continue;
          for (auto value : entry.values) made->emplace(device_key(value), &device);
        }
      }
    }
    return made;
  }();
  return *map;
}

/// Numbers of `2x4x4`; empty when the text is no topology.
std::vector<long long> topology_sides(std::string_view text) {
  std::vector<long long> sides;
  const char* at = text.data();
  const char* end = at + text.size();
  while (at < end) {
    long long side = 0;
    const auto [next, error] = std::from_chars(at, end, side);
    if (error != std::errc() || side <= 0 || side > 100000) return {};
    sides.push_back(side);
    at = next;
    if (at == end) return sides.size() > 1 && sides.size() < 4 ? sides : std::vector<long long>{};
    if (*at++ != 'x') return {};
  }
  return {};
}

/// `1c.2g.10gb` → `2g.10gb`, when the compute instance fits into its GPU instance.
std::string_view without_compute_instance(std::string_view size) {
  if (size.size() < 6 || !is_digit(size[0]) || size[1] != 'c' || size[2] != '.') return size;
  const auto rest = size.substr(3);
  return is_digit(rest[0]) && size[0] < rest[0] ? rest : size;
}

}  // namespace

std::span<const Device> devices() {
  return tables::devices();
}

std::string device_key(std::string_view name) {
  std::string key;
  for (char c : name) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if ((c >= 'a' && c <= 'z') || is_digit(c)) key += c;
  }
  if (drop_front(key, "nvidia") || key.starts_with("tesla")) drop_front(key, "tesla");
  if (drop_front(key, "amd") || key.starts_with("instinct")) drop_front(key, "instinct");
  if (drop_front(key, "aws")) drop_front(key, "neuron");
  drop_front(key, "habana");
  const auto size = key.size();
  if (size > 3 && key[size - 1] == 'g' && is_digit(key[size - 2]) && is_digit(key[size - 3])) {
    key += 'b';
  }
  return key;
}

const Device* find_device(std::string_view name) {
  const auto found = index().find(device_key(name));
  return found == index().end() ? nullptr : found->second;
}

std::string suggest_device(std::string_view name, std::string_view platform) {
  std::vector<std::string_view> candidates;
  const Platform* only = find_platform(platform);
  for (const Platform& words : tables::platforms()) {
    if (only && only != &words) continue;
    for (const DeviceValue& entry : words.devices) {
      candidates.insert(candidates.end(), entry.values.begin(), entry.values.end());
    }
  }
  for (const Device& device : tables::devices()) {
    if (only && !only->devices.empty() && !value_of(*only, device)) continue;
    candidates.push_back(device.name);
    candidates.insert(candidates.end(), device.aliases.begin(), device.aliases.end());
  }
  return std::string(text::closest(name, candidates));
}

PartitionAnswer has_partition(const Device& device, std::string_view size) {
  if (device.partition_kind == PartitionKind::none) return PartitionAnswer::none;
  if (device.partition_kind == PartitionKind::unknown) {
    // A TPU without a list still has a number of dimensions.
    return PartitionAnswer::not_known;
  }
  if (device.partition_kind == PartitionKind::topology) {
    for (const Partition& partition : device.partitions) {
      if (partition.name == size) return PartitionAnswer::yes;
    }
    const auto sides = topology_sides(size);
    if (static_cast<int>(sides.size()) != device.dimensions) return PartitionAnswer::no;
    return device.partitions_sure ? PartitionAnswer::no : PartitionAnswer::maybe_not;
  }
  const auto wanted = partition_label_value(without_compute_instance(size));
  for (const Partition& partition : device.partitions) {
    if (partition_label_value(partition.name) == wanted) return PartitionAnswer::yes;
  }
  if (!is_mig_profile(size)) return PartitionAnswer::no;
  return device.partitions_sure ? PartitionAnswer::no : PartitionAnswer::maybe_not;
}

std::string partition_label_value(std::string_view size) {
  std::string value(size);
  for (char& c : value) {
    if (c == '+') c = '.';
  }
  return value;
}

std::string partition_names(const Device& device) {
  std::string names;
  for (const Partition& partition : device.partitions) {
    if (!names.empty()) names += ", ";
    names += partition_label_value(partition.name);
  }
  return names;
}

long long topology_chips(std::string_view topology) {
  const auto sides = topology_sides(topology);
  if (sides.empty()) return 0;
  long long chips = 1;
  for (long long side : sides) chips *= side;
  return chips;
}

std::string_view mig_profile_of_resource(std::string_view resource) {
  constexpr std::string_view prefix = "nvidia.com/mig-";
  if (!resource.starts_with(prefix)) return {};
  resource.remove_prefix(prefix.size());
  constexpr std::string_view shared = ".shared";
  if (resource.ends_with(shared)) resource.remove_suffix(shared.size());
  return resource;
}

bool is_mig_profile(std::string_view text) {
  std::size_t at = 0;
  const auto digits = [&] {
    const auto start = at;
    while (at < text.size() && is_digit(text[at])) ++at;
    return at > start;
  };
  const auto word = [&](std::string_view expected) {
    if (text.substr(at, expected.size()) != expected) return false;
    at += expected.size();
    return true;
  };
  if (!digits()) return false;
  if (word("c.") && !digits()) return false;
  if (!word("g.") || !digits() || !word("gb")) return false;
  const auto rest = text.substr(at);
  if (rest.empty() || rest == "-me") return true;
  if (rest[0] != '+' && rest[0] != '.') return false;
  const auto attribute = rest.substr(1);
  return attribute == "me" || attribute == "me.all" || attribute == "gfx";
}

}  // namespace gpuspec::accelerator
