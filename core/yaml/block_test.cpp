#include "core/yaml/block.h"

#include <random>
#include <string>

#include "core/testing.h"

namespace gpuspec::yaml {
namespace {

/// Text in which spaces, stops and other bytes, some of them not ASCII, stand in every place.
std::string random_text(std::mt19937& random) {
  static constexpr char alphabet[] = {' ', ' ', 'a',    ':',    '#',    '\n',   '\t',  '\x01',
                                      '~', '!', '\x1f', '\x7f', '\x80', '\xc3', '\xff'};
  std::string text(random() % 40, ' ');
  for (char& c : text)
    if (random() % 4 == 0) c = alphabet[random() % sizeof alphabet];
  return text;
}

template <typename B>
void check_searches() {
  std::mt19937 random(7);
  for (int round = 0; round < 20000; ++round) {
    const std::string text = random_text(random);
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    const char* stop = begin;
    while (stop < end && *stop != ':' && *stop != '#' && static_cast<unsigned char>(*stop) >= ' ')
      ++stop;
    const char* first = begin;
    while (first < end && *first == ' ') ++first;
    INFO("in " << round << ": \"" << text << '"');
    REQUIRE((find_stop_in<B, ':', '#'>(begin, end) - begin) == (stop - begin));
    REQUIRE((skip_indentation<B>(begin, end) - begin) == (first - begin));
  }
}

TEST_CASE("searches by blocks find what a search by bytes finds") {
  check_searches<WordBlock>();
  check_searches<Block>();
}

}  // namespace
}  // namespace gpuspec::yaml
