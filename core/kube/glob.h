#pragma once

#include <string_view>

namespace gpuspec::kube {

/// Whether the text fits the pattern as a whole: `*` stands for any text, `?` for one character,
/// `[a-c]` and `[!a-c]` for one of a set, a backslash takes the next character as it is.
bool matches_glob(std::string_view pattern, std::string_view text);

}  // namespace gpuspec::kube
