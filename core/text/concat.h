#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace gpuspec::text {

/// The parts, one after the other, with one allocation.
inline std::string concat(std::initializer_list<std::string_view> parts) {
  std::size_t size = 0;
  for (const std::string_view part : parts) size += part.size();
  std::string all;
  all.reserve(size);
  for (const std::string_view part : parts) all.append(part);
  return all;
}

}  // namespace gpuspec::text
