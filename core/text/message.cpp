#include "core/text/message.h"

#include <algorithm>
#include <array>
#include <utility>

#include "core/text/utf8.h"

namespace gpuspec::text {
namespace {

// Of a long line this many bytes before and after the caret are shown.
constexpr std::size_t shown_before = 72;
constexpr std::size_t shown_after = 48;

constexpr std::string_view bold = "\033[1m";
constexpr std::string_view green = "\033[1;32m";
constexpr std::string_view reset = "\033[0m";

std::string_view color_of(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "\033[1;31m";
    case Severity::warning:
      return "\033[1;35m";
    case Severity::note:
      return "\033[1;36m";
  }
  return reset;
}

using Range = std::pair<char32_t, char32_t>;

template <std::size_t size>
bool in_any(const std::array<Range, size>& ranges, char32_t c) {
  return std::any_of(ranges.begin(), ranges.end(),
                     [c](const Range& range) { return c >= range.first && c <= range.second; });
}

/// Columns of a terminal that the character takes: the blocks of Unicode's East Asian Wide and of
/// combining characters that occur in practice.
std::size_t width(char32_t c) {
  static constexpr std::array<Range, 6> none = {{{0x300, 0x36F},
                                                 {0x200B, 0x200F},
                                                 {0x20D0, 0x20FF},
                                                 {0xFE00, 0xFE0F},
                                                 {0xFEFF, 0xFEFF},
                                                 {0xE0100, 0xE01EF}}};
  static constexpr std::array<Range, 9> wide = {{{0x1100, 0x115F},
                                                 {0x2E80, 0x303E},
                                                 {0x3041, 0xA4CF},
                                                 {0xAC00, 0xD7A3},
                                                 {0xF900, 0xFAFF},
                                                 {0xFE30, 0xFE6F},
                                                 {0xFF00, 0xFF60},
                                                 {0x1F300, 0x1FAFF},
                                                 {0x20000, 0x3FFFD}}};
  if (c < 0x300) return 1;
  if (in_any(none, c)) return 0;
  return in_any(wide, c) ? 2 : 1;
}

bool is_control(char32_t c) {
  return (c < 0x20 && c != '\t' && c != '\n') || (c >= 0x7F && c < 0xA0);
}

bool continues_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;
}

/// Appends `text` fit for a terminal.
void append_visible(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    append_utf8(out, is_control(c) ? U'\uFFFD' : c);
  }
}

/// As many blanks as `text` is wide; tabs stay tabs, so that the caret stands right at any tab
/// stop.
void append_blank(std::string& out, std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const char32_t c = next_code_point(text, i);
    if (c == '\t') {
      out += '\t';
    } else {
      out.append(width(c), ' ');
    }
  }
}

/// Where the part of the line around `offset` that is worth showing begins and ends. Looks no
/// further than that: a line may be the whole file.
struct Window {
  std::size_t begin = 0;
  std::size_t end = 0;
  bool cut_before = false;
  bool cut_after = false;
};

Window window_around(std::string_view bytes, std::size_t offset) {
  Window window{offset, offset};
  const auto is_break = [](char c) { return c == '\n' || c == '\r'; };
  while (window.begin > 0 && !is_break(bytes[window.begin - 1])) {
    if (offset - window.begin >= shown_before && !continues_character(bytes[window.begin])) {
      window.cut_before = true;
      break;
    }
    --window.begin;
  }
  while (window.end < bytes.size() && !is_break(bytes[window.end])) {
    if (window.end - offset >= shown_after && !continues_character(bytes[window.end])) {
      window.cut_after = true;
      break;
    }
    ++window.end;
  }
  if (window.begin == 0 && bytes.starts_with("\xEF\xBB\xBF") && offset >= 3) window.begin = 3;
  return window;
}

}  // namespace

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::note:
      return "note";
  }
  return "";
}

std::string snippet(const Source& source, std::size_t offset, bool color) {
  const std::string_view bytes = source.bytes();
  offset = std::min(offset, bytes.size());
  // The end of the text after a final line end: show the line that ended there.
  if (offset == bytes.size() && offset > 0 && bytes[offset - 1] == '\n') {
    --offset;
    if (offset > 0 && bytes[offset - 1] == '\r') --offset;
  }
  const Window window = window_around(bytes, offset);
  if (window.begin == window.end) return {};
  const std::string number = std::to_string(source.location(offset).line);
  const std::string margin(number.size() < 5 ? 5 - number.size() : 0, ' ');
  constexpr std::string_view ellipsis = "…";

  std::string out = margin + number + " | ";
  if (window.cut_before) out += ellipsis;
  append_visible(out, bytes.substr(window.begin, window.end - window.begin));
  if (window.cut_after) out += ellipsis;
  out += '\n';
  out.append(margin.size() + number.size(), ' ');
  out += " | ";
  if (window.cut_before) out += ' ';
  append_blank(out, bytes.substr(window.begin, offset - window.begin));
  if (color) out += green;
  out += '^';
  if (color) out += reset;
  out += '\n';
  return out;
}

std::string format_message(const Source& source, std::size_t offset, Severity severity,
                           std::string_view text, std::string_view hint, bool color) {
  const Location at = source.location(offset);
  std::string out;
  if (color) out += bold;
  append_visible(out, source.name());
  out += ':' + std::to_string(at.line) + ':' + std::to_string(at.column) + ": ";
  if (color) out += color_of(severity);
  out += word(severity);
  out += ": ";
  if (color) {
    out += reset;
    out += bold;
  }
  append_visible(out, text);
  if (color) out += reset;
  out += '\n';
  out += snippet(source, offset, color);
  if (!hint.empty()) {
    out += "  hint: ";
    append_visible(out, hint);
    out += '\n';
  }
  return out;
}

std::string format_message(const Source& source, const Error& error, bool color) {
  return format_message(source, error.offset(), Severity::error, error.what(), error.hint(), color);
}

}  // namespace gpuspec::text
