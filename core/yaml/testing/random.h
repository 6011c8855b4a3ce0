#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <vector>

namespace gpuspec::yaml::testing {

/// Random choices that are the same on every machine for one seed.
class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed * 0x9E3779B97F4A7C15u + 1) {}

  /// 0 … n-1; 0 when n is 0.
  std::size_t below(std::size_t n) { return n == 0 ? 0 : static_cast<std::size_t>(engine_() % n); }
  /// True in `percent` of a hundred cases.
  bool chance(std::size_t percent) { return below(100) < percent; }
  template <typename T>
  const T& pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

 private:
  std::mt19937_64 engine_;
};

}  // namespace gpuspec::yaml::testing
