#include <cstring>

#include "core/yaml/characters.h"
#include "core/yaml/reader.h"

namespace gpuspec::yaml {
namespace {

/// Whether the line at `at` is a marker of three `c`: followed by a blank, a line end or nothing.
bool is_marker(std::string_view text, std::size_t at, char c) {
  if (text.size() - at < 3 || text[at] != c || text[at + 1] != c || text[at + 2] != c) return false;
  return text.size() - at == 3 || is_space(text[at + 3]) || is_break(text[at + 3]);
}

/// Whether only directives, comments and blank lines stand in the text.
bool is_prefix(std::string_view text) {
  std::size_t at = text.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (at < text.size()) {
    std::size_t first = text.find_first_not_of(" \t", at);
    if (first == std::string_view::npos) return true;
    const char c = text[first];
    if (c != '#' && !is_break(c) && !(c == '%' && first == at)) return false;
    at = text.find_first_of("\r\n", first);
    if (at == std::string_view::npos) return true;
    ++at;
  }
  return true;
}

}  // namespace

std::vector<Segment> split_documents(std::string_view stream) {
  std::vector<Segment> segments;
  std::size_t begin = 0;
  bool prefix_possible = true;  // at the start, and after `...`: directives may come
  const auto cut = [&](std::size_t end) {
    if (end == begin) return;
    segments.push_back({begin, end, segments.size()});
    begin = end;
  };
  const bool has_cr = std::memchr(stream.data(), '\r', stream.size()) != nullptr;
  std::size_t line = stream.substr(0, 3) == "\xEF\xBB\xBF" ? 3 : 0;
  while (line < stream.size()) {
    // `begin` itself may be the marker of the current document.
    if (stream[line] == '-' && is_marker(stream, line, '-')) {
      if (!(prefix_possible && is_prefix(stream.substr(begin, line - begin)))) cut(line);
      prefix_possible = false;
    } else if (stream[line] == '.' && is_marker(stream, line, '.')) {
      std::size_t end = stream.find_first_of("\r\n", line);
      if (end == std::string_view::npos) {
        end = stream.size();
      } else {
        end += stream[end] == '\r' && end + 1 < stream.size() && stream[end + 1] == '\n' ? 2 : 1;
      }
      cut(end);
      prefix_possible = true;
      line = end;
      continue;
    }
    // To the next line that starts with one of the two characters.
    for (;;) {
      if (has_cr) {
        line = stream.find_first_of("\r\n", line);
        if (line == std::string_view::npos) {
          line = stream.size();
          break;
        }
        ++line;
      } else {
        const void* found =
            std::memchr(stream.data() + line, '\n', stream.size() - line);
        if (!found) {
          line = stream.size();
          break;
        }
        line = static_cast<std::size_t>(static_cast<const char*>(found) - stream.data()) + 1;
      }
      if (line < stream.size() && (stream[line] == '-' || stream[line] == '.')) break;
    }
  }
  cut(stream.size());
  return segments;
}

}  // namespace gpuspec::yaml
