#include "core/yaml/segment.h"

#include <algorithm>
#include <string>

#include "core/yaml/characters.h"

namespace gpuspec::yaml {
namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

/// The first line start at or after `from` (itself a line start) whose line begins with `-` or `.`;
/// npos when there is none. Blocks without branches, which the compiler turns into vector code.
std::size_t find_dash_or_dot_line(std::string_view text, std::size_t from) {
  const auto hit = [text](std::size_t i) {
    return (text[i] == '\n' || text[i] == '\r') && (text[i + 1] == '-' || text[i + 1] == '.');
  };
  const auto is = [](char a, char b) { return static_cast<unsigned char>(a == b); };
  if (from < text.size() && (text[from] == '-' || text[from] == '.')) return from;
  std::size_t i = from;
  for (; i + 65 <= text.size(); i += 64) {
    unsigned char found = 0;
    for (std::size_t k = i; k < i + 64; ++k) {
      found |= static_cast<unsigned char>((is(text[k], '\n') | is(text[k], '\r')) &
                                          (is(text[k + 1], '-') | is(text[k + 1], '.')));
    }
    if (found) break;
  }
  for (; i + 1 < text.size(); ++i) {
    if (hit(i)) return i + 1;
  }
  return npos;
}

/// Whether the line at `at` is a marker of three `c`, followed by a blank, a line end or nothing.
bool is_marker(std::string_view text, std::size_t at, char c) {
  if (text.size() - at < 3 || text[at] != c || text[at + 1] != c || text[at + 2] != c) return false;
  return text.size() - at == 3 || is_space(text[at + 3]) || is_break(text[at + 3]);
}

/// The start of the line after the one at `at`; npos when the text ends before.
std::size_t next_line(std::string_view text, std::size_t at) {
  std::size_t end = text.find_first_of("\r\n", at);
  if (end == npos) return npos;
  end += text[end] == '\r' && end + 1 < text.size() && text[end + 1] == '\n' ? 2 : 1;
  return end;
}

/// Whether only directives, comments and blank lines stand in the text.
bool is_prefix(std::string_view text) {
  std::size_t at = text.substr(0, 3) == byte_order_mark ? 3 : 0;
  while (at != npos && at < text.size()) {
    const std::size_t first = text.find_first_not_of(" \t", at);
    if (first == npos) return true;
    const char c = text[first];
    if (c != '#' && !is_break(c) && !(c == '%' && first == at)) return false;
    at = next_line(text, first);
  }
  return true;
}

/// The column of the first item and the offset after the line `items:`, when the text starts like a
/// list. It is looked for in the first 64 KiB, which is far more than any list has before it.
struct ListStart {
  std::size_t items = 0;
  std::size_t column = 0;
};
std::optional<ListStart> find_list(std::string_view text) {
  const std::string_view front = text.substr(0, 64 << 10);
  std::size_t at = front.substr(0, 3) == byte_order_mark ? 3 : 0;
  if (front.substr(at, 6) != "items:") {
    at = front.find("\nitems:");
    if (at == npos) return std::nullopt;
    ++at;
  }
  const std::size_t items = next_line(front, at);
  const std::size_t rest = front.find_first_not_of(" \t", at + 6);
  if (items == npos || !(is_break(front[rest]) || (front[rest] == '#' && rest > at + 6))) {
    return std::nullopt;
  }
  const std::size_t dash = front.find_first_not_of(' ', items);
  if (dash == npos || front.substr(dash, 2) != "- ") return std::nullopt;
  return ListStart{items, dash - items};
}

bool is_item(std::string_view text, std::size_t line, std::size_t column) {
  return text.size() > line + column && text.find_first_not_of(' ', line) == line + column &&
         text[line + column] == '-' &&
         (text.size() == line + column + 1 || is_space(text[line + column + 1]) ||
          is_break(text[line + column + 1]));
}

/// The first line after `from` that starts an item; npos when there is none.
std::size_t find_item(std::string_view text, std::size_t from, std::size_t column) {
  const std::string start = "\n" + std::string(column, ' ') + "-";
  for (std::size_t at = text.find(start, from); at != npos; at = text.find(start, at + 1)) {
    if (is_item(text, at + 1, column)) return at + 1;
  }
  return npos;
}

/// The first line from `from` on that belongs to no item: less indented, or in the items' column
/// without `- `; the end of the text when there is none.
std::size_t find_tail(std::string_view text, std::size_t from, std::size_t column) {
  for (std::size_t line = from; line != npos && line < text.size(); line = next_line(text, line)) {
    const std::size_t first = text.find_first_not_of(" \t", line);
    if (first == npos) break;
    if (is_break(text[first]) || text[first] == '#' || first - line > column) continue;
    if (!is_item(text, line, column)) return line;
  }
  return text.size();
}

}  // namespace

Unit Cutter::take(Unit::Kind kind, std::size_t end) {
  Unit unit{kind, begin_, end, document_, column_};
  begin_ = end;
  return unit;
}

/// The unit that ends the document.
Unit Cutter::take_last(Unit::Kind kind) {
  const Unit unit = take(kind, *document_end_);
  ++document_;
  document_end_.reset();
  scanned_ = begin_;
  prefix_possible_ = next_prefix_possible_;
  where_ = Where::document;
  no_list_ = false;
  return unit;
}

/// Looks for the end of the current document in what has not been looked at.
void Cutter::scan(std::string_view text, bool last) {
  if (document_end_) return;
  std::size_t line = scanned_ - base_;
  if (line == 0 && text.substr(0, 3) == byte_order_mark) line = 3;
  for (;;) {
    line = find_dash_or_dot_line(text, line);
    // A marker can only be judged when the byte after it is there.
    if (line == npos || (!last && text.size() - line < 4)) break;
    if (is_marker(text, line, '-')) {
      const std::size_t begin = begin_ - base_;
      const bool own = prefix_possible_ && is_prefix(text.substr(begin, line - begin));
      prefix_possible_ = false;
      if (!own && line > begin) {
        document_end_ = base_ + line;
        next_prefix_possible_ = false;
        return;
      }
    } else if (is_marker(text, line, '.')) {
      const std::size_t end = next_line(text, line);
      if (end == npos && !last) break;
      document_end_ = end == npos ? base_ + text.size() : base_ + end;
      next_prefix_possible_ = true;
      return;
    }
    const std::size_t next = next_line(text, line);
    if (next == npos) break;
    line = next;
  }
  if (last) {
    document_end_ = base_ + text.size();
    return;
  }
  // Resume at the start of the last line, which may be incomplete.
  const std::size_t from = line == npos ? text.find_last_of("\r\n") : line - 1;
  if (from != npos) scanned_ = std::max(scanned_, base_ + from + 1);
}

std::optional<Unit> Cutter::next(std::string_view window, std::size_t window_begin, bool last) {
  base_ = window_begin;
  if (where_ == Where::document && last && begin_ == base_ + window.size()) return std::nullopt;
  scan(window, last);
  return where_ == Where::document ? next_document(window) : next_items(window);
}

std::optional<Unit> Cutter::next_document(std::string_view text) {
  const std::size_t known_end = document_end_ ? *document_end_ : base_ + text.size();
  if (cut_lists_ && !no_list_ && known_end - begin_ >= list_threshold) {
    if (const auto list = find_list(text.substr(begin_ - base_, known_end - begin_))) {
      where_ = Where::items;
      column_ = list->column;
      return take(Unit::Kind::list_head, begin_ + list->items);
    }
    no_list_ = true;
  }
  if (!document_end_) return std::nullopt;
  return take_last(Unit::Kind::document);
}

std::optional<Unit> Cutter::next_items(std::string_view text) {
  const std::size_t limit = document_end_ ? *document_end_ : scanned_;
  const std::string_view part = text.substr(0, limit - base_);
  const std::size_t begin = begin_ - base_;
  if (where_ == Where::items) {
    if (part.size() > begin + list_batch) {
      const std::size_t item = find_item(part, begin + list_batch - 1, column_);
      if (item != npos) return take(Unit::Kind::list_items, base_ + item);
    }
    if (!document_end_) return std::nullopt;
    where_ = Where::tail;
    return take(Unit::Kind::list_items, base_ + find_tail(part, begin, column_));
  }
  return take_last(Unit::Kind::list_tail);
}

std::vector<Segment> split_documents(std::string_view stream) {
  std::vector<Segment> segments;
  Cutter cutter(false);
  while (const auto unit = cutter.next(stream, 0, true)) {
    segments.push_back({unit->begin, unit->end, unit->document});
  }
  return segments;
}

}  // namespace gpuspec::yaml
