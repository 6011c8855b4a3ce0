#include <cstdint>

#include "core/text/utf8.h"
#include "core/yaml/characters.h"
#include "core/yaml/lookup.h"

namespace gpuspec::yaml {
namespace {

/// Takes the next line off `rest`, without its break; false when there is none left.
bool take_line(std::string_view& rest, std::string_view& line, bool& ended) {
  if (rest.empty()) return false;
  const std::size_t eol = rest.find_first_of("\r\n");
  line = rest.substr(0, eol);
  ended = eol != std::string_view::npos;
  if (!ended) {
    rest = {};
  } else {
    rest.remove_prefix(
        rest[eol] == '\r' && eol + 1 < rest.size() && rest[eol + 1] == '\n' ? eol + 2 : eol + 1);
  }
  return true;
}

std::string_view trim_left(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t");
  return first == std::string_view::npos ? std::string_view{} : line.substr(first);
}

std::string_view trim_right(std::string_view line) {
  return line.substr(0, line.find_last_not_of(" \t") + 1);
}

/// Folds the lines of a plain or quoted scalar (YAML 1.2 §6.5): one break is a space, the empty
/// lines after a break are breaks. `unescape` appends a line's content and returns false when its
/// end was an escaped line break.
template <typename Append>
void fold(std::string_view body, std::string& out, Append append) {
  std::string_view line;
  bool ended = false;
  bool first = true;
  bool joined = true;  // nothing needed before the next content
  std::size_t breaks = 0;
  while (take_line(body, line, ended)) {
    std::string_view content = first ? line : trim_left(line);
    if (content.find_first_not_of(" \t") == std::string_view::npos && ended && !first) {
      ++breaks;
      continue;
    }
    if (!first) {
      if (breaks > 0) {
        out.append(breaks, '\n');
      } else if (!joined) {
        out.push_back(' ');
      }
    }
    breaks = 0;
    joined = !append(content, ended);
    first = false;
    if (body.empty() && ended) {  // the last line is empty: its break counts
      if (!joined) out.push_back(' ');
    }
  }
  if (breaks > 0) out.append(breaks, '\n');
}

std::uint32_t hex(std::string_view digits) {
  std::uint32_t value = 0;
  for (const char c : digits) {
    value = value * 16 + static_cast<std::uint32_t>(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
  }
  return value;
}

/// Undoes the escapes of a stretch of a double-quoted scalar. The reader has checked them.
void unescape(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 >= text.size()) {
      out.push_back(text[i]);
      continue;
    }
    const char c = text[++i];
    std::size_t digits = 0;
    switch (c) {
      case '0':
        out.push_back('\0');
        break;
      case 'a':
        out.push_back('\a');
        break;
      case 'b':
        out.push_back('\b');
        break;
      case 't':
        out.push_back('\t');
        break;
      case 'n':
        out.push_back('\n');
        break;
      case 'v':
        out.push_back('\v');
        break;
      case 'f':
        out.push_back('\f');
        break;
      case 'r':
        out.push_back('\r');
        break;
      case 'e':
        out.push_back('\x1b');
        break;
      case 'N':
        text::append_utf8(out, 0x85);
        break;
      case '_':
        text::append_utf8(out, 0xA0);
        break;
      case 'L':
        text::append_utf8(out, 0x2028);
        break;
      case 'P':
        text::append_utf8(out, 0x2029);
        break;
      case 'x':
        digits = 2;
        break;
      case 'u':
        digits = 4;
        break;
      case 'U':
        digits = 8;
        break;
      default:
        out.push_back(c);
        break;  // space, tab, quote, slash, backslash
    }
    if (digits == 0) continue;
    std::uint32_t code = hex(text.substr(i + 1, digits));
    i += digits;
    // JSON writes characters beyond the basic plane as two surrogates.
    if (code >= 0xD800 && code < 0xDC00 && text.substr(i + 1, 2) == "\\u") {
      const std::uint32_t low = hex(text.substr(i + 3, 4));
      if (low >= 0xDC00 && low < 0xE000) {
        code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
        i += 6;
      }
    }
    const bool scalar_value = code < 0x110000 && !(code >= 0xD800 && code < 0xE000);
    text::append_utf8(out, scalar_value ? code : 0xFFFD);
  }
}

/// Whether an odd number of backslashes ends the text: its line break is escaped.
bool ends_in_escape(std::string_view text) {
  std::size_t count = 0;
  while (count < text.size() && text[text.size() - 1 - count] == '\\') ++count;
  return count % 2 == 1;
}

void double_quoted(std::string_view body, std::string& out) {
  fold(body, out, [&out](std::string_view line, bool ended) {
    if (!ended) {
      unescape(line, out);
      return true;
    }
    if (ends_in_escape(line)) {
      unescape(line.substr(0, line.size() - 1), out);
      return false;
    }
    // Blanks before the break go, but not one that an escape wrote (`\ `, `\<tab>`).
    std::string_view kept = trim_right(line);
    if (kept.size() < line.size() && ends_in_escape(kept)) kept = line.substr(0, kept.size() + 1);
    unescape(kept, out);
    return true;
  });
}

void single_quoted(std::string_view body, std::string& out) {
  fold(body, out, [&out](std::string_view line, bool ended) {
    if (ended) line = trim_right(line);
    for (std::size_t i = 0; i < line.size(); ++i) {
      out.push_back(line[i]);
      if (line[i] == '\'') ++i;  // written twice
    }
    return true;
  });
}

void plain(std::string_view body, std::string& out) {
  fold(body, out, [&out](std::string_view line, bool) {
    out.append(trim_right(line));
    return true;
  });
}

/// Literal and folded scalars (YAML 1.2 §8.1).
void block(const Tree& tree, const Node& node, std::string& out) {
  std::string_view rest = tree.text.substr(node.begin);
  // The break after the last content line is outside the span, but part of the value.
  const std::size_t body_size = node.end - node.begin;
  std::string_view header;
  bool ended = false;
  std::string_view all = rest.substr(0, body_size);
  take_line(all, header, ended);
  const std::string_view marks =
      header.substr(0, std::min(header.find_first_of(" \t#"), header.size()));
  const char chomp = marks.find('+') != std::string_view::npos   ? '+'
                     : marks.find('-') != std::string_view::npos ? '-'
                                                                 : ' ';
  const bool break_follows = node.end < tree.text.size();
  const bool folded = node.style == Style::folded;
  std::size_t breaks = 0;
  bool have_text = false;
  bool was_spaced = false;
  const bool has_lines = ended;
  bool last_ended = false;
  std::string_view line;
  // `all` ends before the last line's break; an empty last line is a line nevertheless.
  for (bool more = has_lines; more;) {
    if (!take_line(all, line, last_ended)) {
      line = {};
      last_ended = false;
    }
    more = last_ended;
    std::size_t spaces = 0;
    while (spaces < line.size() && spaces < node.indent && line[spaces] == ' ') ++spaces;
    line.remove_prefix(spaces);
    if (line.empty()) {
      ++breaks;
      continue;
    }
    const bool spaced = is_space(line.front());
    const bool break_stays = have_text && (!folded || was_spaced || spaced);
    if (have_text && !break_stays && breaks == 0) {
      out.push_back(' ');
    } else {
      out.append(breaks + (break_stays ? 1 : 0), '\n');
    }
    out.append(line);
    breaks = 0;
    have_text = true;
    was_spaced = spaced;
  }
  if (chomp == '+') {
    if (have_text && (breaks > 0 || break_follows)) out.push_back('\n');
    out.append(breaks, '\n');
  } else if (chomp == ' ' && have_text && break_follows) {
    out.push_back('\n');
  }
}

}  // namespace

std::string_view scalar_text(const Tree& tree, NodeId scalar, std::string& buffer) {
  const Node& node = tree[tree.resolve(scalar)];
  std::string_view raw = tree.text.substr(node.begin, node.end - node.begin);
  if (node.kind != Kind::scalar) return {};
  if (node.style == Style::double_quoted || node.style == Style::single_quoted) {
    raw = raw.substr(1, raw.size() - 2);
    const char special = node.style == Style::double_quoted ? '\\' : '\'';
    if (!(node.flags & multi_line) && raw.find(special) == std::string_view::npos) return raw;
    buffer.clear();
    node.style == Style::double_quoted ? double_quoted(raw, buffer) : single_quoted(raw, buffer);
    return buffer;
  }
  if (node.style == Style::plain) {
    if (!(node.flags & multi_line)) return raw;
    buffer.clear();
    plain(raw, buffer);
    return buffer;
  }
  buffer.clear();
  block(tree, node, buffer);
  return buffer;
}

std::string scalar_text(const Tree& tree, NodeId scalar) {
  std::string buffer;
  const std::string_view text = scalar_text(tree, scalar, buffer);
  return text.data() == buffer.data() ? buffer : std::string(text);
}

}  // namespace gpuspec::yaml
