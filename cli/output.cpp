#include "cli/output.h"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace gpuspec::cli {
namespace {

namespace fs = std::filesystem;

// Enough for the cost of a system call not to matter.
constexpr std::size_t flush_at = 1U << 20U;

[[noreturn]] void fail(const std::string& path) {
  throw std::system_error(errno, std::generic_category(), "cannot write " + path);
}

/// Where a chain of links ends, which need not exist.
std::string follow_links(const std::string& path) {
  fs::path at = path;
  for (int steps = 0; steps < 40 && fs::is_symlink(fs::symlink_status(at)); ++steps) {
    const fs::path target = fs::read_symlink(at);
    at = target.is_absolute() ? target : at.parent_path() / target;
  }
  return at.string();
}

mode_t mode_of_new_files() {
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

}  // namespace

Writer::Writer(int fd, std::string name) : fd_(fd), name_(std::move(name)) {
  pieces_.reserve(IOV_MAX);
}

void Writer::put(std::string_view piece) {
  if (piece.empty()) return;
  // writev takes the pointer as not const but does not write through it.
  pieces_.push_back({const_cast<char*>(piece.data()), piece.size()});
  pending_ += piece.size();
  if (pieces_.size() == IOV_MAX || pending_ >= flush_at) flush();
}

void Writer::flush() {
  auto next = pieces_.begin();
  while (next != pieces_.end()) {
    const ssize_t wrote = ::writev(fd_, &*next, static_cast<int>(pieces_.end() - next));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0 && errno == EPIPE) throw ClosedPipe();
    if (wrote < 0) fail(name_);
    written_ += static_cast<std::size_t>(wrote);
    auto left = static_cast<std::size_t>(wrote);
    for (; next != pieces_.end() && left >= next->iov_len; ++next) left -= next->iov_len;
    if (left > 0) {
      next->iov_base = static_cast<char*>(next->iov_base) + left;
      next->iov_len -= left;
    }
  }
  pieces_.clear();
  pending_ = 0;
}

void put_edited(Writer& writer, const text::Source& source, const std::vector<text::Edit>& edits,
                text::Encoding encoding, std::size_t skip) {
  const std::string_view bytes = source.bytes();
  std::string copy;
  const auto put = [&](std::string_view piece) {
    if (encoding == text::Encoding::utf8) {
      writer.put(piece);
    } else {
      copy += piece;
    }
  };
  std::size_t at = skip;
  for (const text::Edit& edit : edits) {
    put(bytes.substr(at, edit.begin - at));
    put(edit.text);
    at = edit.end;
  }
  put(bytes.substr(at));
  if (encoding == text::Encoding::utf8) return;
  const std::string encoded = text::encode(copy, encoding);
  writer.put(encoded);
  writer.flush();
}

void print(std::string_view text) {
  Writer writer(STDOUT_FILENO, "standard output");
  writer.put(text);
  writer.flush();
}

Replacement::Replacement(const std::string& path) : path_(follow_links(path)) {
  const fs::path target = path_;
  temporary_ = (target.parent_path() / ("." + target.filename().string() + ".XXXXXX")).string();
  fd_ = ::mkostemp(temporary_.data(), O_CLOEXEC);
  if (fd_ < 0) fail(path_);
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) {
    if (::fchmod(fd_, mode_of_new_files()) != 0) fail(path_);
    return;
  }
  struct stat own {};
  if (::fstat(fd_, &own) != 0) fail(path_);
  const bool same_owner = own.st_uid == status.st_uid && own.st_gid == status.st_gid;
  if ((!same_owner && ::fchown(fd_, status.st_uid, status.st_gid) != 0) ||
      ::fchmod(fd_, status.st_mode & 07777U) != 0) {
    const int error = errno;
    ::close(fd_);
    ::unlink(temporary_.c_str());
    throw std::system_error(error, std::generic_category(),
                            "cannot keep owner and mode of " + path_);
  }
}

Replacement::Replacement(Replacement&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      fd_(std::exchange(other.fd_, -1)) {}

Replacement::~Replacement() {
  if (fd_ >= 0) ::close(fd_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void Replacement::finish() {
  if (::fsync(fd_) != 0) fail(path_);
  if (::close(std::exchange(fd_, -1)) != 0) fail(path_);
}

void Replacement::commit() {
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) fail(path_);
  temporary_.clear();
  // The new name is safe only when the directory is on the disk, too. Some file systems cannot.
  const fs::path directory = fs::path(path_).parent_path();
  const int fd =
      ::open(directory.empty() ? "." : directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd >= 0) {
    ::fsync(fd);
    ::close(fd);
  }
}

bool is_replaceable(const std::string& path) {
  const fs::file_status status = fs::status(path);
  return !fs::exists(status) || fs::is_regular_file(status);
}

void write_file(const std::string& path, std::string_view text) {
  if (is_replaceable(path)) {
    Replacement replacement(path);
    Writer writer(replacement.fd(), path);
    writer.put(text);
    writer.flush();
    replacement.finish();
    replacement.commit();
    return;
  }
  const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  Writer writer(fd, path);
  writer.put(text);
  writer.flush();
  ::close(fd);
}

}  // namespace gpuspec::cli
