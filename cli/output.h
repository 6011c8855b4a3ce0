#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <sys/uio.h>

#include "core/text/edit.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// Whoever read standard output does not any more. Ends the program quietly.
class ClosedPipe : public std::runtime_error {
 public:
  ClosedPipe() : std::runtime_error("closed pipe") {}
};

/// Writes to a file descriptor in few large steps. Pieces are not copied: they must live until
/// flush(). Throws ClosedPipe, std::system_error.
class Writer {
 public:
  /// `name` is for messages.
  Writer(int fd, std::string name);
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;

  void put(std::string_view piece);
  void flush();
  std::size_t written() const { return written_; }

 private:
  int fd_;
  std::string name_;
  std::vector<iovec> pieces_;
  std::size_t pending_ = 0;
  std::size_t written_ = 0;
};

/// Hands the source with the edits applied to the writer, without the first `skip` bytes and in
/// `encoding`. Bytes outside the edits are not copied where they stay UTF-8.
void put_edited(Writer& writer, const text::Source& source, const std::vector<text::Edit>& edits,
                text::Encoding encoding, std::size_t skip = 0);

/// Writes text to standard output at once.
void print(std::string_view text);

/// New contents of a file, first written beside it and then put in its place: the file is replaced
/// whole or not at all. A symbolic link is followed; mode and owner stay.
class Replacement {
 public:
  /// Makes the temporary file. `path` need not exist. Throws std::system_error.
  explicit Replacement(const std::string& path);
  Replacement(Replacement&& other) noexcept;
  Replacement& operator=(Replacement&&) = delete;
  Replacement(const Replacement&) = delete;
  Replacement& operator=(const Replacement&) = delete;
  ~Replacement();  ///< removes the temporary file where it was not put in place

  int fd() const { return fd_; }
  /// The contents are complete: to the disk with them.
  void finish();
  /// Puts them in place.
  void commit();

 private:
  std::string path_;  // what the link leads to
  std::string temporary_;
  int fd_ = -1;
};

/// Whether contents can be put in the place of this path: it does not exist or is a regular file.
/// Terminals, pipes and /dev/stdout are written to instead.
bool is_replaceable(const std::string& path);

/// Writes `text` to a file: as a Replacement where that can be done.
void write_file(const std::string& path, std::string_view text);

}  // namespace gpuspec::cli
