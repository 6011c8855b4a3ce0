#include "core/yaml/order.h"

#include "core/testing.h"

using namespace gpuspec::yaml;

TEST_CASE("Keys are ordered as kubectl prints them", "[order]") {
  const std::vector<std::string> sorted = {
      "",    "1",  "2",   "10",  "-",          "A",    "B",        "a",
      "a1",  "a2", "a10", "a-b", "apiVersion", "kind", "metadata", "nvidia.com/gpu",
      "spec"};
  // Pairs whose order go-yaml's rule defines.
  CHECK(natural_less("a", "b"));
  CHECK(natural_less("A", "a"));
  CHECK(natural_less("a", "ab"));
  CHECK(natural_less("a2", "a10"));
  CHECK(natural_less("a02", "a3"));
  CHECK(natural_less("a1", "a01"));
  CHECK(natural_less("1", "a"));
  CHECK(natural_less("-", "a"));
  CHECK(natural_less("a-b", "ab"));
  CHECK(natural_less("a1b", "a10"));
  CHECK(natural_less("a", "\xC3\xA9"));
  for (const std::string& a : sorted) {
    CHECK_FALSE(natural_less(a, a));
    for (const std::string& b : sorted) CHECK_FALSE((natural_less(a, b) && natural_less(b, a)));
  }
}

TEST_CASE("A mapping is in order, or not", "[order]") {
  CHECK(order_of({"apiVersion", "kind", "metadata", "spec"}) == Order::natural);
  CHECK(order_of({"a2", "a10"}) == Order::natural);
  CHECK(order_of({"a10", "a2"}) == Order::bytes);
  CHECK(order_of({"name", "image"}) == Order::none);
  CHECK(order_of({"a", "a"}) == Order::none);
  CHECK(order_of({"a"}) == Order::none);
  CHECK(order_of({}) == Order::none);
}
