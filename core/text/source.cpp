#include "core/text/source.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <new>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/text/utf8.h"

namespace gpuspec::text {
namespace {

// Below this size read() is cheaper than a mapping, and safe from files that shrink meanwhile.
constexpr std::size_t map_threshold = 1U << 20U;
// Distance of the places whose line and column are remembered.
constexpr std::size_t index_step = 1U << 14U;

[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}

/// Closes a file descriptor at the end of a scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() { ::close(fd_); }
  int get() const { return fd_; }

 private:
  int fd_;
};

char16_t unit_at(std::string_view raw, std::size_t index, Encoding encoding) {
  const auto first = static_cast<unsigned char>(raw[index]);
  const auto second = static_cast<unsigned char>(raw[index + 1]);
  return static_cast<char16_t>(encoding == Encoding::utf16_le ? first | second << 8U
                                                              : first << 8U | second);
}

// A lone surrogate becomes its three bytes, which are not UTF-8, and a half unit at the end becomes
// 0xFF: so the reader rejects them with the same message and a place, like any broken UTF-8.
std::string from_utf16(std::string_view raw, Encoding encoding) {
  std::string out;
  out.reserve(raw.size());
  std::size_t i = 0;
  for (; i + 1 < raw.size(); i += 2) {
    char32_t code_point = unit_at(raw, i, encoding);
    if (code_point >= 0xD800 && code_point < 0xDC00 && i + 3 < raw.size()) {
      const char16_t low = unit_at(raw, i + 2, encoding);
      if (low >= 0xDC00 && low < 0xE000) {
        code_point = 0x10000 + ((code_point - 0xD800) << 10U) + (low - 0xDC00U);
        i += 2;
      }
    }
    append_utf8(out, code_point);
  }
  if (i < raw.size()) out += '\xFF';
  return out;
}

bool ends_line(std::string_view bytes, std::size_t i) {
  return bytes[i] == '\n' || (bytes[i] == '\r' && (i + 1 == bytes.size() || bytes[i + 1] != '\n'));
}

bool starts_character(char c) {
  return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
}

void advance(std::string_view bytes, std::size_t begin, std::size_t end, Location& at) {
  for (std::size_t i = begin; i < end; ++i) {
    if (ends_line(bytes, i)) {
      ++at.line;
      at.column = 1;
    } else if (starts_character(bytes[i])) {
      ++at.column;
    }
  }
}

}  // namespace

/// Owns the bytes (one of three ways) and the index of lines over them.
struct Source::Storage {
  void* mapping = nullptr;
  std::size_t mapped = 0;
  char* buffer = nullptr;  // from malloc: realloc moves pages of large buffers without copying
  std::string string;
  std::size_t first_line = 1;

  std::once_flag indexed;
  std::vector<Location> index;  // of every index_step-th byte

  Storage() = default;
  Storage(const Storage&) = delete;
  Storage& operator=(const Storage&) = delete;
  ~Storage() {
    if (mapping != nullptr) ::munmap(mapping, mapped);
    std::free(buffer);
  }

  const std::vector<Location>& index_of(std::string_view bytes) {
    std::call_once(indexed, [&] {
      Location at{first_line, 1};
      for (std::size_t begin = 0; begin < bytes.size(); begin += index_step) {
        index.push_back(at);
        advance(bytes, begin, std::min(begin + index_step, bytes.size()), at);
      }
      if (index.empty()) index.push_back(at);
    });
    return index;
  }
};

Source::Source() : storage_(std::make_unique<Storage>()) {}
Source::Source(Source&&) noexcept = default;
Source& Source::operator=(Source&&) noexcept = default;
Source::~Source() = default;

Source Source::open(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) fail(path);
  const Descriptor closer(fd);
  return read(fd, path);
}

Source Source::read(int fd, std::string name) {
  struct stat status {};
  if (::fstat(fd, &status) != 0) fail(name);
  if (S_ISDIR(status.st_mode)) {
    errno = EISDIR;
    fail(name);
  }
  Source source;
  source.name_ = std::move(name);
  Storage& storage = *source.storage_;
  std::size_t expected = 0;
  if (S_ISREG(status.st_mode)) {
    // A file on standard input may have been read from already.
    const off_t position = ::lseek(fd, 0, SEEK_CUR);
    if (position >= 0 && position <= status.st_size) {
      expected = static_cast<std::size_t>(status.st_size - position);
    }
    if (position == 0 && expected >= map_threshold) {
      void* mapping = ::mmap(nullptr, expected, PROT_READ, MAP_PRIVATE, fd, 0);
      if (mapping != MAP_FAILED) {
        ::madvise(mapping, expected, MADV_SEQUENTIAL);
        storage.mapping = mapping;
        storage.mapped = expected;
        source.adopt({static_cast<const char*>(mapping), expected});
        return source;
      }
    }
  }
  std::size_t capacity = expected > 0 ? expected + 1 : std::size_t{1} << 16U;
  std::size_t size = 0;
  storage.buffer = static_cast<char*>(std::malloc(capacity));
  if (storage.buffer == nullptr) throw std::bad_alloc();
  for (;;) {
    const ssize_t got = ::read(fd, storage.buffer + size, capacity - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) fail(source.name_);
    if (got == 0) break;
    size += static_cast<std::size_t>(got);
    if (size == capacity) {
      capacity *= 2;
      void* grown = std::realloc(storage.buffer, capacity);
      if (grown == nullptr) throw std::bad_alloc();
      storage.buffer = static_cast<char*>(grown);
    }
  }
  source.adopt({storage.buffer, size});
  return source;
}

Source Source::from_string(std::string name, std::string bytes, std::size_t first_line) {
  Source source;
  source.storage_->first_line = first_line;
  source.name_ = std::move(name);
  source.storage_->string = std::move(bytes);
  source.adopt(source.storage_->string);
  return source;
}

void Source::adopt(std::string_view raw) {
  bytes_ = raw;
  if (raw.starts_with("\xFF\xFE")) {
    encoding_ = Encoding::utf16_le;
  } else if (raw.starts_with("\xFE\xFF")) {
    encoding_ = Encoding::utf16_be;
  } else {
    return;
  }
  // `raw` may lie in the storage that is replaced here.
  std::string transcoded = from_utf16(raw, encoding_);
  const std::size_t first_line = storage_->first_line;
  storage_ = std::make_unique<Storage>();
  storage_->first_line = first_line;
  storage_->string = std::move(transcoded);
  bytes_ = storage_->string;
}

Location Source::location(std::size_t offset) const {
  offset = std::min(offset, bytes_.size());
  const std::vector<Location>& index = storage_->index_of(bytes_);
  const std::size_t slot = std::min(offset / index_step, index.size() - 1);
  Location at = index[slot];
  advance(bytes_, slot * index_step, offset, at);
  return at;
}

std::string_view Source::line(std::size_t number) const {
  const std::vector<Location>& index = storage_->index_of(bytes_);
  // The last remembered place before the line begins, or in the first line.
  auto after = std::partition_point(index.begin(), index.end(),
                                    [&](const Location& at) { return at.line < number; });
  if (after != index.begin()) --after;
  std::size_t begin = static_cast<std::size_t>(after - index.begin()) * index_step;
  for (std::size_t line = after->line; line < number; ++begin) {
    if (begin >= bytes_.size()) return {};
    if (ends_line(bytes_, begin)) ++line;
  }
  return bytes_.substr(begin, bytes_.find_first_of("\r\n", begin) - begin);
}

std::string encode(std::string_view utf8, Encoding encoding) {
  if (encoding == Encoding::utf8) return std::string(utf8);
  std::string out;
  out.reserve(utf8.size() * 2);
  const auto put = [&](unsigned unit) {
    const char low = static_cast<char>(unit & 0xFFU);
    const char high = static_cast<char>(unit >> 8U);
    out += encoding == Encoding::utf16_le ? low : high;
    out += encoding == Encoding::utf16_le ? high : low;
  };
  for (std::size_t i = 0; i < utf8.size();) {
    const char32_t code_point = next_code_point(utf8, i);
    if (code_point < 0x10000) {
      put(code_point);
    } else {
      put(0xD800U + ((code_point - 0x10000U) >> 10U));
      put(0xDC00U + ((code_point - 0x10000U) & 0x3FFU));
    }
  }
  return out;
}

}  // namespace gpuspec::text
