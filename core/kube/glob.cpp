#include "core/kube/glob.h"

#include <cstddef>

namespace gpuspec::kube {
namespace {

/// Length of the UTF-8 sequence that starts with this byte.
std::size_t width(char first) {
  const auto byte = static_cast<unsigned char>(first);
  return byte < 0xC0 ? 1 : byte < 0xE0 ? 2 : byte < 0xF0 ? 3 : 4;
}

/// The place after `[...]` that starts at `at`, or npos when it is not closed.
std::size_t set_end(std::string_view pattern, std::size_t at) {
  std::size_t i = at + 1;
  if (i < pattern.size() && (pattern[i] == '!' || pattern[i] == '^')) ++i;
  if (i < pattern.size() && pattern[i] == ']') ++i;
  while (i < pattern.size() && pattern[i] != ']') ++i;
  return i < pattern.size() ? i + 1 : std::string_view::npos;
}

bool in_set(std::string_view set, char c) {
  set = set.substr(1, set.size() - 2);
  const bool negated = set.starts_with('!') || set.starts_with('^');
  if (negated) set.remove_prefix(1);
  bool found = false;
  for (std::size_t i = 0; i < set.size(); ++i) {
    if (i + 2 < set.size() && set[i + 1] == '-') {
      found = found || (set[i] <= c && c <= set[i + 2]);
      i += 2;
    } else {
      found = found || set[i] == c;
    }
  }
  return found != negated;
}

}  // namespace

bool matches_glob(std::string_view pattern, std::string_view text) {
  std::size_t p = 0;
  std::size_t t = 0;
  std::size_t star = std::string_view::npos;  // where to take up again: after the last `*`
  std::size_t resume = 0;
  while (t < text.size() || p < pattern.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = ++p;
      resume = t;
      continue;
    }
    if (p < pattern.size() && t < text.size()) {
      const char c = pattern[p];
      if (c == '?') {
        ++p;
        t += width(text[t]);
        continue;
      }
      if (const std::size_t end = c == '[' ? set_end(pattern, p) : std::string_view::npos;
          end != std::string_view::npos) {
        if (in_set(pattern.substr(p, end - p), text[t])) {
          p = end;
          ++t;
          continue;
        }
      } else {
        const std::size_t literal = c == '\\' && p + 1 < pattern.size() ? p + 1 : p;
        if (pattern[literal] == text[t]) {
          p = literal + 1;
          ++t;
          continue;
        }
      }
    }
    if (star == std::string_view::npos || resume >= text.size()) return false;
    p = star;
    t = ++resume;
  }
  return true;
}

}  // namespace gpuspec::kube
