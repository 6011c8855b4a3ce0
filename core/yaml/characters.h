#pragma once

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

/// Offset of the first control character that YAML and Kubernetes' parser refuse (all below space
/// but tab, line feed and carriage return), or npos. They are refused wherever they stand.
std::size_t find_control_character(std::string_view text);

}  // namespace gpuspec::yaml
