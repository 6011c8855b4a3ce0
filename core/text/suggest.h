#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace gpuspec::text {

/// Number of single-character insertions, deletions, substitutions and swaps of neighbours that
/// turn one word into the other; letters compare without case.
std::size_t edit_distance(std::string_view a, std::string_view b);

/// The candidate most like the word, for "did you mean": at most a third of the word's characters
/// differ (one, for short words), or one begins with the other. Empty when nothing is close.
std::string_view closest(std::string_view word, std::span<const std::string_view> candidates);

/// ` (did you mean "X"?)` for the closest candidate, or nothing.
std::string did_you_mean(std::string_view word, std::span<const std::string_view> candidates);

}  // namespace gpuspec::text
