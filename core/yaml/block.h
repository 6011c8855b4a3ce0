#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace gpuspec::yaml {

// Searches in several bytes at once. Scalars and indentation are short, so what a search costs is
// its branches, not its bytes. A block has `size` bytes; `Marks` of it have something set for every
// byte that is meant, and first() is the index of the first such byte.

/// Eight bytes, on any processor. Above the first mark there may be false ones.
struct WordBlock {
  using Marks = std::uint64_t;
  static constexpr std::size_t size = 8;
  static constexpr std::uint64_t ones = 0x0101010101010101U;
  static constexpr std::uint64_t highs = 0x8080808080808080U;

  std::uint64_t bytes;

  static WordBlock load(const char* from) {
    std::uint64_t bytes = 0;
    std::memcpy(&bytes, from, size);
    if constexpr (std::endian::native == std::endian::big) bytes = __builtin_bswap64(bytes);
    return {bytes};
  }
  Marks below_space() const { return (bytes - ones * ' ') & ~bytes & highs; }
  Marks equal(char c) const {
    const std::uint64_t others = unequal(c);
    return (others - ones) & ~others & highs;
  }
  Marks unequal(char c) const { return bytes ^ (ones * static_cast<unsigned char>(c)); }
  static std::size_t first(Marks marks) {
    return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
  }
};

#ifdef __SSE2__
/// Sixteen bytes, on every x86-64.
struct SseBlock {
  using Marks = unsigned;
  static constexpr std::size_t size = 16;

  __m128i bytes;

  static SseBlock load(const char* from) {
    return {_mm_loadu_si128(reinterpret_cast<const __m128i*>(from))};
  }
  Marks below_space() const {
    const __m128i most = _mm_set1_epi8(' ' - 1);
    return marks(_mm_cmpeq_epi8(_mm_max_epu8(bytes, most), most));
  }
  Marks equal(char c) const { return marks(_mm_cmpeq_epi8(bytes, _mm_set1_epi8(c))); }
  Marks unequal(char c) const { return equal(c) ^ 0xFFFFU; }
  static std::size_t first(Marks marks) {
    return static_cast<std::size_t>(std::countr_zero(marks));
  }

 private:
  static Marks marks(__m128i which) { return static_cast<unsigned>(_mm_movemask_epi8(which)); }
};
using Block = SseBlock;
#else
using Block = WordBlock;
#endif

/// The first byte from `from` that is one of the characters or below space (a line end, a tab).
template <typename B, char... characters>
const char* find_stop_in(const char* from, const char* end) {
  for (; end - from >= static_cast<std::ptrdiff_t>(B::size); from += B::size) {
    const B block = B::load(from);
    const auto stops = (block.below_space() | ... | block.equal(characters));
    if (stops != 0) return from + B::first(stops);
  }
  while (from < end && static_cast<unsigned char>(*from) >= ' ' && ((*from != characters) && ...))
    ++from;
  return from;
}
template <char... characters>
const char* find_stop(const char* from, const char* end) {
  return find_stop_in<Block, characters...>(from, end);
}

/// The first byte from `from` that is no space.
template <typename B = Block>
const char* skip_indentation(const char* from, const char* end) {
  for (; end - from >= static_cast<std::ptrdiff_t>(B::size); from += B::size) {
    const auto others = B::load(from).unequal(' ');
    if (others != 0) return from + B::first(others);
  }
  while (from < end && *from == ' ') ++from;
  return from;
}

}  // namespace gpuspec::yaml
