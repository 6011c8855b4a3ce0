#include "core/text/message.h"

#include <string>

#include "core/testing.h"

using gpuspec::text::Error;
using gpuspec::text::format_message;
using gpuspec::text::Severity;
using gpuspec::text::snippet;
using gpuspec::text::Source;

TEST_CASE("message: place, line, caret and hint") {
  const Source source = Source::from_string("pod.yaml", "kind: Pod\nspec: [1]\n");
  CHECK(format_message(source, Error(16, "expected a mapping", "indent it")) ==
        "pod.yaml:2:7: error: expected a mapping\n"
        "    2 | spec: [1]\n"
        "      |       ^\n"
        "  hint: indent it\n");
  CHECK(format_message(source, 0, Severity::warning, "odd") ==
        "pod.yaml:1:1: warning: odd\n"
        "    1 | kind: Pod\n"
        "      | ^\n");
}

TEST_CASE("message: the caret stands under its character") {
  CHECK(snippet(Source::from_string("x", "\ta:\t!"), 4) == "    1 | \ta:\t!\n      | \t  \t^\n");
  CHECK(snippet(Source::from_string("x", "ä: !"), 4) == "    1 | ä: !\n      |    ^\n");
  CHECK(snippet(Source::from_string("x", "日本: !"), 8) == "    1 | 日本: !\n      |       ^\n");
  CHECK(snippet(Source::from_string("x", "e\u0301: !"), 5) == "    1 | e\u0301: !\n      |    ^\n");
}

TEST_CASE("message: the end of a text and empty lines") {
  CHECK(snippet(Source::from_string("x", "a: [\n"), 5) == "    1 | a: [\n      |     ^\n");
  CHECK(snippet(Source::from_string("x", "a: [\r\n"), 6) == "    1 | a: [\n      |     ^\n");
  CHECK(snippet(Source::from_string("x", "a: ["), 4) == "    1 | a: [\n      |     ^\n");
  CHECK(snippet(Source::from_string("x", ""), 0).empty());
  CHECK(snippet(Source::from_string("x", "a\n\nb"), 2).empty());
}

TEST_CASE("message: a byte order mark is not shown") {
  CHECK(snippet(Source::from_string("x",
                                    "\xEF\xBB\xBF"
                                    "a: !"),
                6) == "    1 | a: !\n      |    ^\n");
}

TEST_CASE("message: what would act on a terminal is not let through") {
  const std::string text = snippet(Source::from_string("x", "a: \033[2J\x9B\xFF !"), 9);
  CHECK(text == "    1 | a: �[2J�� !\n      |          ^\n");
}

TEST_CASE("message: long lines are cut around the caret") {
  const std::string line(100000, 'x');
  const std::string text = snippet(Source::from_string("x", line), 50000);
  CHECK(text == "    1 | …" + std::string(72, 'x') + std::string(48, 'x') + "…\n      |  " +
                    std::string(72, ' ') + "^\n");
  std::string wide;
  for (int i = 0; i < 1000; ++i) wide += "日";
  const std::string cut = snippet(Source::from_string("x", wide), 1500);
  CHECK(cut.find("�") == std::string::npos);
}

TEST_CASE("message: colours") {
  const Source source = Source::from_string("x", "a\n");
  CHECK(format_message(source, 0, Severity::error, "bad", {}, true) ==
        "\033[1mx:1:1: \033[1;31merror: \033[0m\033[1mbad\033[0m\n"
        "    1 | a\n      | \033[1;32m^\033[0m\n");
}
