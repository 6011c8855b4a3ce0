#include "core/text/source.h"

#include <cstdio>
#include <cstdlib>
#include <string>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "core/testing.h"
#include "core/text/utf8.h"

using gpuspec::text::encode;
using gpuspec::text::Encoding;
using gpuspec::text::Location;
using gpuspec::text::Source;

namespace {

/// A file with this content that goes away with the object.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::string& content) {
    const int fd = ::mkstemp(path_.data());
    REQUIRE(fd >= 0);
    REQUIRE(::write(fd, content.data(), content.size()) == static_cast<ssize_t>(content.size()));
    ::close(fd);
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  ~TemporaryFile() { ::unlink(path_.c_str()); }
  const std::string& path() const { return path_; }

 private:
  std::string path_ = "/tmp/gpuspec-source-XXXXXX";
};

std::string at(const Source& source, std::size_t offset) {
  const Location location = source.location(offset);
  return std::to_string(location.line) + ':' + std::to_string(location.column);
}

}  // namespace

TEST_CASE("source: opens small files, large files and empty ones") {
  for (const std::size_t size : {std::size_t{0}, std::size_t{10}, std::size_t{3} << 20U}) {
    const std::string content(size, 'x');
    const TemporaryFile file(content);
    Source source = Source::open(file.path());
    CHECK(source.name() == file.path());
    CHECK(source.bytes() == content);
    const std::string_view bytes = source.bytes();
    const Source moved = std::move(source);
    CHECK(bytes.data() == moved.bytes().data());
  }
}

TEST_CASE("source: reads a pipe to its end") {
  int ends[2];
  REQUIRE(::pipe(ends) == 0);
  REQUIRE(::write(ends[1], "a: 1\n", 5) == 5);
  ::close(ends[1]);
  CHECK(Source::read(ends[0], "<stdin>").bytes() == "a: 1\n");
  ::close(ends[0]);
}

TEST_CASE("source: reads a redirected file from where it stands") {
  const TemporaryFile file("one\ntwo\n");
  const int fd = ::open(file.path().c_str(), O_RDONLY);
  REQUIRE(::lseek(fd, 4, SEEK_SET) == 4);
  CHECK(Source::read(fd, "<stdin>").bytes() == "two\n");
  ::close(fd);
}

TEST_CASE("source: says what is wrong with a file") {
  CHECK_THROWS_AS(Source::open("/no/such/file.yaml"), std::system_error);
  CHECK_THROWS_WITH(Source::open("/tmp"), ContainsSubstring("Is a directory"));
}

TEST_CASE("source: line and column") {
  const Source source = Source::from_string("x", "a: 1\r\nä: 2\n\n\rz");
  CHECK(at(source, 0) == "1:1");
  CHECK(at(source, 3) == "1:4");
  CHECK(at(source, 6) == "2:1");
  CHECK(at(source, 8) == "2:2");  // after the two bytes of ä
  CHECK(at(source, 12) == "3:1");
  CHECK(at(source, 13) == "4:1");
  CHECK(at(source, 14) == "5:1");
  CHECK(at(source, 99) == "5:2");
  CHECK(source.line(1) == "a: 1");
  CHECK(source.line(2) == "ä: 2");
  CHECK(source.line(3).empty());
  CHECK(source.line(5) == "z");
  CHECK(source.line(6).empty());
  CHECK(at(Source::from_string("x", ""), 0) == "1:1");
}

TEST_CASE("source: a part of something longer") {
  const Source source = Source::from_string("x", "a\nb\n", 100);
  CHECK(at(source, 0) == "100:1");
  CHECK(at(source, 3) == "101:2");
  CHECK(source.line(101) == "b");
}

TEST_CASE("source: line and column far into a text") {
  std::string text;
  for (int i = 0; i < 20000; ++i) text += "line " + std::to_string(i) + "\n";
  const Source source = Source::from_string("x", text);
  CHECK(at(source, text.find("line 12345") + 5) == "12346:6");
  CHECK(source.line(12346) == "line 12345");
  CHECK(source.line(20000) == "line 19999");
  const Source long_line = Source::from_string("x", std::string(100000, 'x'));
  CHECK(at(long_line, 77777) == "1:77778");
}

TEST_CASE("source: UTF-16 comes in and goes back") {
  for (const Encoding encoding : {Encoding::utf16_le, Encoding::utf16_be}) {
    const std::string text = "\xEF\xBB\xBFk: ä€😀\n";
    const std::string raw = encode(text, encoding);
    CHECK(raw.size() == 2 * 9);
    const Source source = Source::from_string("x", raw);
    CHECK(source.encoding() == encoding);
    CHECK(source.bytes() == text);
    CHECK(encode(source.bytes(), source.encoding()) == raw);
  }
}

TEST_CASE("source: broken UTF-16 shows as bytes that are not UTF-8") {
  using namespace std::string_literals;
  for (const std::string& raw :
       {"\xFF\xFE"s + "a"s, "\xFF\xFE"s + "\x00\xD8"s + "a\0"s, "\xFF\xFE"s + "\x00\xDC"s}) {
    const Source source = Source::from_string("x", raw);
    CHECK(gpuspec::text::find_invalid_utf8(source.bytes()) == 3);
  }
}
