#include "core/text/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>

namespace gpuspec::text {
namespace {

constexpr std::uint64_t high_bits = 0x8080808080808080U;

// Eight words at a time: the compiler makes vector instructions of the loop.
bool is_ascii_block(const char* p) {
  std::array<std::uint64_t, 8> words;
  std::memcpy(words.data(), p, sizeof words);
  std::uint64_t all = 0;
  for (const std::uint64_t word : words) all |= word;
  return (all & high_bits) == 0;
}

/// Length of the valid sequence that starts at `p`, or 0. RFC 3629 §4.
std::size_t sequence_length(const char* p, const char* end) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(p[i]); };
  const auto left = static_cast<std::size_t>(end - p);
  const auto continues = [&](std::size_t i, unsigned low = 0x80, unsigned high = 0xBF) {
    return i < left && byte(i) >= low && byte(i) <= high;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return 1;
  if (first < 0xC2) return 0;
  if (first < 0xE0) return continues(1) ? 2 : 0;
  if (first < 0xF0) {
    const unsigned low = first == 0xE0 ? 0xA0 : 0x80;
    const unsigned high = first == 0xED ? 0x9F : 0xBF;
    return continues(1, low, high) && continues(2) ? 3 : 0;
  }
  if (first < 0xF5) {
    const unsigned low = first == 0xF0 ? 0x90 : 0x80;
    const unsigned high = first == 0xF4 ? 0x8F : 0xBF;
    return continues(1, low, high) && continues(2) && continues(3) ? 4 : 0;
  }
  return 0;
}

}  // namespace

std::size_t find_invalid_utf8(std::string_view bytes) {
  const char* const begin = bytes.data();
  const char* const end = begin + bytes.size();
  const char* p = begin;
  while (p < end) {
    while (end - p >= 64 && is_ascii_block(p)) p += 64;
    // Somewhere in the next block is a character past ASCII, or the text ends in it.
    const char* const stop = end - p > 64 ? p + 64 : end;
    while (p < stop) {
      const std::size_t length = sequence_length(p, end);
      if (length == 0) return static_cast<std::size_t>(p - begin);
      p += length;
    }
  }
  return std::string_view::npos;
}

void append_utf8(std::string& out, char32_t code_point) {
  const auto put = [&](char32_t byte) { out += static_cast<char>(byte); };
  if (code_point < 0x80) {
    put(code_point);
  } else if (code_point < 0x800) {
    put(0xC0U | code_point >> 6U);
    put(0x80U | (code_point & 0x3FU));
  } else if (code_point < 0x10000) {
    put(0xE0U | code_point >> 12U);
    put(0x80U | (code_point >> 6U & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  } else {
    put(0xF0U | code_point >> 18U);
    put(0x80U | (code_point >> 12U & 0x3FU));
    put(0x80U | (code_point >> 6U & 0x3FU));
    put(0x80U | (code_point & 0x3FU));
  }
}

char32_t next_code_point(std::string_view bytes, std::size_t& i) {
  const std::size_t length = sequence_length(bytes.data() + i, bytes.data() + bytes.size());
  const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(bytes[at]); };
  if (length == 0) {
    ++i;
    return 0xFFFD;
  }
  constexpr std::array<unsigned, 5> first_bits = {0, 0x7F, 0x1F, 0x0F, 0x07};
  char32_t code_point = byte(i) & first_bits[length];
  for (std::size_t k = 1; k < length; ++k) code_point = code_point << 6U | (byte(i + k) & 0x3FU);
  i += length;
  return code_point;
}

std::size_t count_code_points(std::string_view bytes) {
  return static_cast<std::size_t>(std::count_if(bytes.begin(), bytes.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

}  // namespace gpuspec::text
