#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gpuspec::text {

/// Offset of the first byte that is not part of a valid UTF-8 sequence (RFC 3629: no overlong
/// forms, no surrogates, at most U+10FFFF), or npos when all is valid. Reads ASCII in blocks.
std::size_t find_invalid_utf8(std::string_view bytes);

/// Appends the code point as UTF-8.
void append_utf8(std::string& out, char32_t code_point);

/// The code point at `i`, which is moved behind it. A byte that starts no valid sequence is one
/// character, U+FFFD. `i` must be less than bytes.size().
char32_t next_code_point(std::string_view bytes, std::size_t& i);

/// Number of code points in valid UTF-8.
std::size_t count_code_points(std::string_view bytes);

}  // namespace gpuspec::text
