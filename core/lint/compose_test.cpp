#include "core/lint/compose.h"

#include <random>
#include <string>

#include "core/testing.h"
#include "core/yaml/edit.h"

using namespace gpuspec;
using text::Edit;

namespace {

std::string applied(const std::string& text, const std::vector<Edit>& edits) {
  return yaml::apply(text, 0, edits);
}

std::vector<Edit> random_edits(std::mt19937& random, std::size_t size) {
  std::vector<Edit> edits;
  std::size_t at = 0;
  while (true) {
    at += random() % 5;
    const std::size_t end = at + random() % 4;
    if (end > size) break;
    edits.push_back({at, end, std::string(random() % 4, static_cast<char>('A' + random() % 26))});
    at = end + 1;
  }
  return edits;
}

}  // namespace

TEST_CASE("two rounds of edits are one") {
  const std::string text = "abcdef";
  const std::vector<Edit> first = {{1, 2, "XY"}, {6, 6, "!"}};  // aXYcdef!
  const std::vector<Edit> second = {{2, 4, "-"}};               // aX-def!
  CHECK(applied(text, lint::compose(text, first, second)) == "aX-def!");
  CHECK(lint::compose(text, {}, {}).empty());
}

TEST_CASE("whatever the rounds are") {
  std::mt19937 random(7);
  for (int i = 0; i < 2000; ++i) {
    const std::string text(random() % 30, 'x');
    const std::vector<Edit> first = random_edits(random, text.size());
    const std::string between = applied(text, first);
    const std::vector<Edit> second = random_edits(random, between.size());
    const std::vector<Edit> both = lint::compose(text, first, second);
    CHECK(applied(text, both) == applied(between, second));
    for (std::size_t k = 1; k < both.size(); ++k) CHECK(both[k - 1].end <= both[k].begin);
  }
}
