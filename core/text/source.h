#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace gpuspec::text {

/// How the bytes of an input were encoded, so that they can be written back as they came.
enum class Encoding { utf8, utf16_le, utf16_be };

/// A place as people count: line and column start at 1; the column counts characters (code points).
struct Location {
  std::size_t line = 1;
  std::size_t column = 1;
};

/// One input: its name for messages and its bytes as UTF-8 (a byte order mark stays in them).
/// Movable, not copyable; string_views into bytes() stay valid as long as the Source lives, moves
/// included.
class Source {
 public:
  /// Maps the file (or reads it, where it is small or cannot be mapped). Throws std::system_error.
  static Source open(const std::string& path);
  /// Reads a file descriptor to its end (maps it, where it is a large file). Throws
  /// std::system_error.
  static Source read(int fd, std::string name);
  /// Takes bytes that are already in memory. `first_line`: the number of their first line, where
  /// they are a part of something longer.
  static Source from_string(std::string name, std::string bytes, std::size_t first_line = 1);

  Source(Source&&) noexcept;
  Source& operator=(Source&&) noexcept;
  ~Source();

  const std::string& name() const { return name_; }
  /// The text as UTF-8. UTF-16 input (known by its byte order mark) was transcoded; where it was
  /// broken the text holds bytes that are not UTF-8. See encoding().
  std::string_view bytes() const { return bytes_; }
  Encoding encoding() const { return encoding_; }

  /// Line and column of a byte offset. Lines end at LF, CRLF or CR. The first call walks the whole
  /// text, the others a few kilobytes. Safe to call from several threads.
  Location location(std::size_t offset) const;
  /// The text of a line (from 1) without its line end; empty past the last line.
  std::string_view line(std::size_t number) const;

 private:
  struct Storage;
  Source();
  void adopt(std::string_view raw);

  std::string name_;
  std::unique_ptr<Storage> storage_;
  std::string_view bytes_;
  Encoding encoding_ = Encoding::utf8;
};

/// UTF-8 back to the encoding of the source it came from.
std::string encode(std::string_view utf8, Encoding encoding);

}  // namespace gpuspec::text
