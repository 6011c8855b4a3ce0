#include "core/yaml/spelling.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace gpuspec::yaml {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

bool equals_ignoring_case(std::string_view text, std::string_view lower) {
  return text.size() == lower.size() &&
         std::equal(text.begin(), text.end(), lower.begin(), [](char a, char b) {
           return (a >= 'A' && a <= 'Z' ? static_cast<char>(a - 'A' + 'a') : a) == b;
         });
}

/// Words with a meaning, in YAML 1.1 or later, in any case.
constexpr std::array<std::string_view, 17> words = {"y",     "n",     "yes",  "no",   "on", "off",
                                                    "true",  "false", "null", "none", "~",  ".inf",
                                                    "+.inf", "-.inf", ".nan", "=",    "<<"};

/// Digits and all that may stand in a number, a date, a time: what starts like one and has nothing
/// else in it is quoted. That quotes a few strings that no parser would mistake (10.0.0.1), which
/// harms nobody.
bool looks_like_number(std::string_view text) {
  std::size_t at = text.front() == '+' || text.front() == '-' ? 1 : 0;
  if (at == text.size()) return false;
  if (!is_digit(text[at]) && text[at] != '.') return false;
  if (text[at] == '.' && (at + 1 == text.size() || !is_digit(text[at + 1])))
    return at + 1 == text.size();
  if (text[at] == '0' && at + 1 < text.size()) {
    const char base = static_cast<char>(text[at + 1] | 0x20);
    if (base == 'x' || base == 'o' || base == 'b') {
      return text.find_first_not_of("0123456789abcdefABCDEF_", at + 2) == std::string_view::npos;
    }
  }
  if (text.find_first_not_of("0123456789_.,:+-eE", at) == std::string_view::npos) return true;
  // 2001-12-14t21:59:43.10-05:00, 2001-12-14 21:59:43
  return text.size() >= 10 && is_digit(text[0]) && text[4] == '-' &&
         text.find_first_not_of("0123456789-:.+tTzZ \t") == std::string_view::npos;
}

/// Decodes one code point of valid UTF-8 and moves on.
char32_t next_code_point(std::string_view text, std::size_t& at) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0u;
  };
  const unsigned lead = byte(at);
  if (lead < 0x80) {
    at += 1;
    return lead;
  }
  const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : 1;
  char32_t point = lead & (0x3Fu >> more);
  for (int i = 1; i <= more; ++i) point = point << 6 | (byte(at + i) & 0x3Fu);
  at += 1 + more;
  return point;
}

/// Printable as every parser takes it: YAML's own set without the line breaks of YAML 1.1.
bool is_printable(char32_t c) {
  if (c == 0x85 || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE || c == 0xFFFF)
    return false;
  return (c >= 0x20 && c < 0x7F) || c >= 0xA0;
}

bool all_printable(std::string_view text, std::string_view also = {}) {
  for (std::size_t at = 0; at < text.size();) {
    const char32_t c = next_code_point(text, at);
    if (!is_printable(c) &&
        (c >= 0x80 || also.find(static_cast<char>(c)) == std::string_view::npos))
      return false;
  }
  return true;
}

void append_escape(std::string& out, char32_t c) {
  static constexpr char digits[] = "0123456789abcdef";
  switch (c) {
    case '\b':
      out += "\\b";
      return;
    case '\t':
      out += "\\t";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\f':
      out += "\\f";
      return;
    case '\r':
      out += "\\r";
      return;
    default:
      break;
  }
  out += "\\u";
  for (int shift = 12; shift >= 0; shift -= 4) out += digits[(c >> shift) & 0xF];
}

}  // namespace

bool is_plainly_a_string(std::string_view text) {
  if (text.empty()) return false;
  if (std::any_of(words.begin(), words.end(),
                  [text](std::string_view word) { return equals_ignoring_case(text, word); }))
    return false;
  return !looks_like_number(text);
}

bool can_be_plain(std::string_view text, bool flow) {
  if (!is_plainly_a_string(text)) return false;
  if (std::string_view("-?:,[]{}#&*!|>'\"%@`").find(text.front()) != std::string_view::npos)
    return false;
  if (text.front() == ' ' || text.back() == ' ' || text.back() == ':') return false;
  if (text.substr(0, 3) == "..." || !all_printable(text)) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (c == '#' && text[i - 1] == ' ') return false;
    if (c == ':' && text[i + 1] == ' ') return false;
    if (!flow) continue;
    if (c == ',' || c == '[' || c == ']' || c == '{' || c == '}') return false;
  }
  return true;
}

bool can_be_literal(std::string_view text) {
  // A leading blank would need an indentation digit, several final line breaks a `+`.
  if (text.empty() || text.front() == ' ' || text.front() == '\n' || text.front() == '\t')
    return false;
  if (text.substr(0, text.size() - 1).find('\n') == std::string_view::npos && text.back() != '\n')
    return false;
  if (text.size() >= 2 && text.substr(text.size() - 2) == "\n\n") return false;
  if (!all_printable(text, "\n\t")) return false;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size());
    const std::string_view line = text.substr(begin, end - begin);
    if (!line.empty() && line.find_first_not_of(" \t") == std::string_view::npos) return false;
    begin = end + 1;
  }
  return true;
}

std::string double_quoted(std::string_view text) {
  std::string out = "\"";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t start = at;
    const char32_t c = next_code_point(text, at);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += static_cast<char>(c);
    } else if (is_printable(c)) {
      out += text.substr(start, at - start);
    } else {
      append_escape(out, c);
    }
  }
  return out += '"';
}

std::string single_quoted(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out.append(c == '\'' ? 2 : 1, c);
  return out += '\'';
}

std::string spell(std::string_view text, Style wish, bool flow) {
  if (wish == Style::single_quoted && all_printable(text)) return single_quoted(text);
  if (wish != Style::double_quoted && can_be_plain(text, flow)) return std::string(text);
  return double_quoted(text);
}

}  // namespace gpuspec::yaml
