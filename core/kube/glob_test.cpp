#include "core/kube/glob.h"

#include "core/testing.h"

using gpuspec::kube::matches_glob;

TEST_CASE("glob") {
  CHECK(matches_glob("train-*", "train-1"));
  CHECK(matches_glob("*", ""));
  CHECK(matches_glob("", ""));
  CHECK(matches_glob("a*b*c", "aXbYbZc"));
  CHECK(matches_glob("?", "é"));
  CHECK(matches_glob("[a-c]x", "bx"));
  CHECK(matches_glob("[!a-c]x", "dx"));
  CHECK(matches_glob("a\\*", "a*"));
  CHECK(matches_glob("[", "["));
  CHECK_FALSE(matches_glob("train-*", "train"));
  CHECK_FALSE(matches_glob("a*b", "aXc"));
  CHECK_FALSE(matches_glob("[a-c]x", "dx"));
  CHECK_FALSE(matches_glob("", "a"));
  CHECK_FALSE(matches_glob("a\\*", "ab"));
  CHECK_FALSE(matches_glob("?", ""));
}
