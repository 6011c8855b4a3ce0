#include "cli/join.h"

namespace gpuspec::cli {
namespace {

constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

bool is_marker(std::string_view line, std::string_view marker) {
  if (!line.starts_with(marker)) return false;
  return line.size() == 3 || line[3] == ' ' || line[3] == '\t' || line[3] == '\r';
}

bool is_blank_or_comment(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// How a file begins: with a document of its own accord, with directives, or bare.
enum class Start { marker, directive, bare };

Start start_of(std::string_view bytes) {
  // A comment before the marker can stay with the document before: it means nothing there. Blank
  // lines cannot: they may be content of a block scalar.
  for (bool commented = false; !bytes.empty();) {
    const std::size_t end = std::min(bytes.find('\n'), bytes.size());
    const std::string_view line = bytes.substr(0, end);
    if (is_marker(line, "---")) return Start::marker;
    if (line.starts_with('%')) return Start::directive;
    const bool comment = line.starts_with('#');
    if (!comment && !(commented && is_blank_or_comment(line))) return Start::bare;
    commented = true;
    bytes.remove_prefix(std::min(end + 1, bytes.size()));
  }
  return Start::bare;
}

}  // namespace

Joiner::End Joiner::end_of(std::string_view bytes, End before) {
  if (bytes.starts_with(byte_order_mark)) bytes.remove_prefix(byte_order_mark.size());
  while (!bytes.empty()) {
    if (bytes.back() == '\n') bytes.remove_suffix(1);
    const std::size_t begin = bytes.rfind('\n') + 1;  // npos + 1 is 0
    const std::string_view line = bytes.substr(begin);
    if (is_marker(line, "...")) return End::closed;
    if (is_marker(line, "---")) {
      return is_blank_or_comment(line.substr(3)) ? End::nothing : End::content;
    }
    if (!is_blank_or_comment(line)) return End::content;
    bytes = bytes.substr(0, begin);
  }
  return before;
}

std::string Joiner::before(const text::Source& next) {
  std::string_view bytes = next.bytes();
  skip_ = 0;
  if (first_) {
    first_ = false;
    return {};
  }
  if (bytes.starts_with(byte_order_mark)) skip_ = byte_order_mark.size();
  bytes.remove_prefix(skip_);
  if (bytes.empty()) return {};
  std::string out;
  if (line_open_) out += line_break_;
  const Start start = start_of(bytes);
  // Directives need the document before them closed. kubectl cuts streams at `---` only, so a bare
  // document gets one after `...` too.
  if (start == Start::directive && end_ == End::content) out += "..." + line_break_;
  if (start == Start::bare && end_ != End::nothing) out += "---" + line_break_;
  return out;
}

void Joiner::wrote(const text::Source& source, const std::vector<text::Edit>& edits) {
  const std::string_view bytes = source.bytes();
  if (bytes.size() == skip_) return;
  const bool crlf = bytes.substr(0, bytes.find('\n')).ends_with('\r');
  line_break_ = crlf ? "\r\n" : "\n";
  const bool edited_end =
      !edits.empty() && edits.back().end == bytes.size() && !edits.back().text.empty();
  line_open_ = (edited_end ? edits.back().text.back() : bytes.back()) != '\n';
  end_ = end_of(bytes, end_);
}

}  // namespace gpuspec::cli
