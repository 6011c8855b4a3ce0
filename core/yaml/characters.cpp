#include "core/yaml/characters.h"

#include <cstdint>
#include <cstring>

namespace gpuspec::yaml {
namespace {

bool is_control(char c) {
  return static_cast<unsigned char>(c) < 0x20 && c != '\t' && c != '\n' && c != '\r';
}

}  // namespace

std::size_t find_control_character(std::string_view text) {
  // Blocks of 128 bytes without a branch inside, which the compiler turns into vector code.
  std::size_t i = 0;
  for (; i + 128 <= text.size(); i += 128) {
    unsigned char bad = 0;
    for (std::size_t k = 0; k < 128; ++k) {
      const auto c = static_cast<unsigned char>(text[i + k]);
      bad |= static_cast<unsigned char>((c < 0x20) & (c != '\t') & (c != '\n') & (c != '\r'));
    }
    if (bad) break;
  }
  for (; i < text.size(); ++i) {
    if (is_control(text[i])) return i;
  }
  return std::string_view::npos;
}

}  // namespace gpuspec::yaml
