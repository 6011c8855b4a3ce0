#include "core/text/utf8.h"

#include <string>

#include "core/testing.h"

using gpuspec::text::append_utf8;
using gpuspec::text::count_code_points;
using gpuspec::text::find_invalid_utf8;
using gpuspec::text::next_code_point;

TEST_CASE("utf8: accepts every code point and nothing more") {
  for (char32_t c = 0; c < 0x110400; ++c) {
    std::string text;
    append_utf8(text, c);
    const bool valid = c < 0x110000 && !(c >= 0xD800 && c < 0xE000);
    if ((find_invalid_utf8(text) == std::string::npos) != valid)
      FAIL("U+" << std::hex << static_cast<unsigned>(c));
    if (!valid) continue;
    std::size_t i = 0;
    if (next_code_point(text, i) != c || i != text.size())
      FAIL("U+" << std::hex << static_cast<unsigned>(c));
  }
}

TEST_CASE("utf8: names the first bad byte wherever it stands") {
  const std::string bad[] = {"\x80",
                             "\xC0\xAF",
                             "\xC1\xBF",
                             "\xE0\x80\xAF",
                             "\xED\xA0\x80",
                             "\xF0\x80\x80\x80",
                             "\xF4\x90\x80\x80",
                             "\xF5\x80\x80\x80",
                             "\xFF",
                             "\xE2\x82",
                             "\xC3"};
  for (const std::string& sequence : bad) {
    for (std::size_t before = 0; before < 200; ++before) {
      for (const std::size_t after : {0, 1, 70, 200}) {
        const std::string text = std::string(before, 'x') + sequence + std::string(after, 'y');
        if (find_invalid_utf8(text) != before) FAIL("before " << before << " after " << after);
      }
    }
  }
}

TEST_CASE("utf8: characters across the borders of blocks") {
  for (std::size_t before = 0; before < 140; ++before) {
    const std::string text = std::string(before, 'x') + "€😀ä" + std::string(80, 'y');
    CHECK(find_invalid_utf8(text) == std::string::npos);
    CHECK(count_code_points(text) == before + 3 + 80);
  }
}
