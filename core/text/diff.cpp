#include "core/text/diff.h"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace gpuspec::text {
namespace {

constexpr std::size_t context_lines = 3;

/// Whole lines of the old text that become other whole lines.
struct Change {
  std::size_t begin = 0;  // bytes of the old text
  std::size_t end = 0;
  std::size_t line = 0;  // number of its first line, from 0
  std::string text;      // what stands there afterwards
};

std::size_t count_lines(std::string_view text) {
  const auto breaks = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
  return breaks + (!text.empty() && text.back() != '\n' ? 1 : 0);
}

/// Offset of the first byte of the line that holds `offset`.
std::size_t line_begin(std::string_view text, std::size_t offset) {
  if (offset == 0) return 0;
  const std::size_t found = text.rfind('\n', offset - 1);
  return found == std::string_view::npos ? 0 : found + 1;
}

/// Offset after the line, line break included.
std::size_t line_end(std::string_view text, std::size_t offset) {
  const std::size_t found = text.find('\n', offset);
  return found == std::string_view::npos ? text.size() : found + 1;
}

bool ends_with_break(std::string_view text, std::size_t end) {
  return end == 0 || text[end - 1] == '\n';
}

std::string_view first_line(std::string_view text) {
  return text.substr(0, line_end(text, 0));
}

std::string_view last_line(std::string_view text) {
  return text.substr(text.empty() ? 0 : line_begin(text, text.size() - 1));
}

/// Leaves out the lines at both ends that stay the same.
void trim(Change& change, std::string_view before) {
  std::string_view was = before.substr(change.begin, change.end - change.begin);
  std::string_view is = change.text;
  while (!was.empty() && !is.empty() && first_line(was) == first_line(is)) {
    const std::size_t length = first_line(was).size();
    was.remove_prefix(length);
    is.remove_prefix(length);
    change.begin += length;
    ++change.line;
  }
  while (!was.empty() && !is.empty() && last_line(was) == last_line(is)) {
    const std::size_t length = last_line(was).size();
    was.remove_suffix(length);
    is.remove_suffix(length);
    change.end -= length;
  }
  change.text = std::string(is);
}

/// Writes hunks as changes come in, each with its context.
class HunkWriter {
 public:
  HunkWriter(std::string_view name, std::string_view before, bool color, const Sink& sink)
      : name_(name), before_(before), color_(color), sink_(sink) {}

  void add(Change change) {
    trim(change, before_);
    if (change.begin == change.end && change.text.empty()) return;
    if (!hunk_.empty()) {
      const Change& last = hunk_.back();
      const std::size_t last_end =
          last.line + count_lines(before_.substr(last.begin, last.end - last.begin));
      if (change.line - last_end > 2 * context_lines) flush();
    }
    if (!hunk_.empty() && hunk_.back().end == change.begin) {
      hunk_.back().end = change.end;
      hunk_.back().text += change.text;
      return;
    }
    hunk_.push_back(std::move(change));
  }

  void flush() {
    if (hunk_.empty()) return;
    if (!started_) header();
    std::size_t begin = hunk_.front().begin;
    std::size_t first = hunk_.front().line;
    for (std::size_t i = 0; i < context_lines && begin > 0; ++i, --first) {
      begin = line_begin(before_, begin - 1);
    }
    std::size_t end = hunk_.back().end;
    for (std::size_t i = 0; i < context_lines; ++i) end = line_end(before_, end);

    const std::size_t removed = count_lines(before_.substr(begin, end - begin));
    std::size_t added = removed;
    std::string body;
    std::size_t at = begin;
    for (const Change& change : hunk_) {
      const std::string_view was = before_.substr(change.begin, change.end - change.begin);
      added += count_lines(change.text) - count_lines(was);
      lines(body, ' ', before_.substr(at, change.begin - at), {});
      lines(body, '-', was, "\033[31m");
      lines(body, '+', change.text, "\033[32m");
      at = change.end;
    }
    lines(body, ' ', before_.substr(at, end - at), {});

    std::string head = "@@ -" + range(first, removed) + " +" + range(first + shift_, added) + " @@";
    if (color_) head = "\033[36m" + head + "\033[m";
    sink_(head + '\n');
    sink_(body);
    shift_ += added - removed;
    hunk_.clear();
  }

 private:
  void header() {
    started_ = true;
    std::string_view name = name_;
    while (name.starts_with('/')) name.remove_prefix(1);
    std::string text;
    for (const std::string_view side : {"--- a/", "+++ b/"}) {
      if (color_) text += "\033[1m";
      text += side;
      text += name;
      if (color_) text += "\033[m";
      text += '\n';
    }
    sink_(text);
  }

  static std::string range(std::size_t first, std::size_t count) {
    // An empty range names the line before it.
    std::string out = std::to_string(count == 0 ? first : first + 1);
    if (count != 1) out += ',' + std::to_string(count);
    return out;
  }

  void lines(std::string& out, char sign, std::string_view text, std::string_view tint) const {
    const bool tinted = color_ && !tint.empty();
    while (!text.empty()) {
      const std::string_view line = first_line(text);
      text.remove_prefix(line.size());
      const bool ended = line.back() == '\n';
      if (tinted) out += tint;
      out += sign;
      out += ended ? line.substr(0, line.size() - 1) : line;
      if (tinted) out += "\033[m";
      out += '\n';
      if (!ended) out += "\\ No newline at end of file\n";
    }
  }

  std::string_view name_;
  std::string_view before_;
  bool color_;
  const Sink& sink_;
  std::vector<Change> hunk_;
  std::size_t shift_ = 0;  // lines added so far less lines removed; wraps, as it is only added
  bool started_ = false;
};

}  // namespace

void write_unified_diff(std::string_view name, std::string_view before,
                        const std::vector<Edit>& edits, bool color, const Sink& sink) {
  HunkWriter writer(name, before, color, sink);
  std::size_t counted = 0;  // lines are counted up to here
  std::size_t line = 0;
  for (auto edit = edits.begin(); edit != edits.end();) {
    Change change;
    change.begin = line_begin(before, edit->begin);
    line += static_cast<std::size_t>(std::count(before.begin() + static_cast<long>(counted),
                                                before.begin() + static_cast<long>(change.begin),
                                                '\n'));
    counted = change.begin;
    change.line = line;
    std::size_t copied = change.begin;
    const auto touches = [&](std::size_t offset) {
      return offset < change.end || (offset == change.end && !ends_with_break(before, change.end));
    };
    // Edits that touch the same lines make one change. The end of a line is looked for once: the
    // line may be the whole file.
    do {
      change.text += before.substr(copied, edit->begin - copied);
      change.text += edit->text;
      copied = edit->end;
      if (change.end <= edit->end) change.end = line_end(before, edit->end);
      ++edit;
    } while (edit != edits.end() && touches(edit->begin));
    change.text += before.substr(copied, change.end - copied);
    writer.add(std::move(change));
  }
  writer.flush();
}

std::string unified_diff(std::string_view name, std::string_view before,
                         const std::vector<Edit>& edits, bool color) {
  std::string out;
  write_unified_diff(name, before, edits, color, [&](std::string_view piece) { out += piece; });
  return out;
}

}  // namespace gpuspec::text
