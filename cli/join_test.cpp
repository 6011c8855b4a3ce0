#include "cli/join.h"

#include <string>
#include <vector>

#include "core/testing.h"

using gpuspec::cli::Joiner;
using gpuspec::text::Source;

namespace {

std::string joined(const std::vector<std::string>& files) {
  Joiner joiner;
  std::string out;
  for (const std::string& file : files) {
    const Source source = Source::from_string("x", file);
    out += joiner.before(source);
    out += source.bytes().substr(joiner.skip());
    joiner.wrote(source, {});
  }
  return out;
}

}  // namespace

TEST_CASE("join: a marker where one is needed") {
  CHECK(joined({"a: 1\n", "b: 2\n"}) == "a: 1\n---\nb: 2\n");
  CHECK(joined({"a: 1", "b: 2"}) == "a: 1\n---\nb: 2");
  CHECK(joined({"{}", "{}", "{}"}) == "{}\n---\n{}\n---\n{}");
  CHECK(joined({"a: 1\r\n", "b: 2\r\n"}) == "a: 1\r\n---\r\nb: 2\r\n");
  CHECK(joined({"a: 1\n# end\n\n", "# start\nb: 2\n"}) == "a: 1\n# end\n\n---\n# start\nb: 2\n");
  CHECK(joined({"a: 1\n...\n", "b: 2\n"}) == "a: 1\n...\n---\nb: 2\n");
  CHECK(joined({"--- a\n", "b: 2\n"}) == "--- a\n---\nb: 2\n");
  // The blank line would belong to the block scalar.
  CHECK(joined({"a: |+\n  x\n", "\n---\nb: 2\n"}) == "a: |+\n  x\n---\n\n---\nb: 2\n");
}

TEST_CASE("join: no marker where none is needed") {
  CHECK(joined({"a: 1\n", "---\nb: 2\n"}) == "a: 1\n---\nb: 2\n");
  CHECK(joined({"a: 1\n", "--- # two\nb: 2\n"}) == "a: 1\n--- # two\nb: 2\n");
  CHECK(joined({"a: 1\n", "# two\n\n---\nb: 2\n"}) == "a: 1\n# two\n\n---\nb: 2\n");
  CHECK(joined({"a: 1\n---\n", "b: 2\n"}) == "a: 1\n---\nb: 2\n");
  CHECK(joined({"# only comments\n", "b: 2\n"}) == "# only comments\nb: 2\n");
  CHECK(joined({"a: 1\n", "", "b: 2\n"}) == "a: 1\n---\nb: 2\n");
  CHECK(joined({"a: 1\n"}) == "a: 1\n");
}

TEST_CASE("join: directives close what is before them") {
  CHECK(joined({"a: 1\n", "%YAML 1.2\n---\nb: 2\n"}) == "a: 1\n...\n%YAML 1.2\n---\nb: 2\n");
  CHECK(joined({"a: 1\n...\n", "%YAML 1.2\n---\nb\n"}) == "a: 1\n...\n%YAML 1.2\n---\nb\n");
}

TEST_CASE("join: only the first byte order mark stays") {
  CHECK(joined({"\xEF\xBB\xBF"
                "a: 1\n",
                "\xEF\xBB\xBF"
                "b: 2\n"}) ==
        "\xEF\xBB\xBF"
        "a: 1\n---\nb: 2\n");
}
