#pragma once

#include <array>
#include <cstddef>
#include <string_view>

namespace gpuspec::yaml {

inline bool is_space(char c) {
  return c == ' ' || c == '\t';
}
inline bool is_break(char c) {
  return c == '\n' || c == '\r';
}
inline bool is_flow_indicator(char c) {
  return c == ',' || c == '[' || c == ']' || c == '{' || c == '}';
}

/// Whether a plain scalar may start with a character, whatever follows it.
inline constexpr auto starts_plain_always = [] {
  std::array<bool, 256> starts{};
  starts.fill(true);
  for (const char c : std::string_view("-?:,[]{}#&*!|>'\"%@`\0", 20))
    starts[static_cast<unsigned char>(c)] = false;
  return starts;
}();

/// Offset of the first control character that YAML and Kubernetes' parser refuse (all below space
/// but tab, line feed and carriage return), or npos. They are refused wherever they stand.
std::size_t find_control_character(std::string_view text);

}  // namespace gpuspec::yaml
