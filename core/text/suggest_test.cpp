#include "core/text/suggest.h"

#include <vector>

#include "core/testing.h"

using gpuspec::text::closest;
using gpuspec::text::did_you_mean;
using gpuspec::text::edit_distance;

TEST_CASE("edit distance counts swaps once and ignores case") {
  CHECK(edit_distance("", "") == 0);
  CHECK(edit_distance("abc", "abc") == 0);
  CHECK(edit_distance("abc", "ABC") == 0);
  CHECK(edit_distance("abc", "acb") == 1);
  CHECK(edit_distance("abc", "ab") == 1);
  CHECK(edit_distance("kitten", "sitting") == 3);
  CHECK(edit_distance("", "four") == 4);
}

TEST_CASE("the closest word is suggested, a far one is not") {
  const std::vector<std::string_view> keys = {"tolerations", "nodeSelector", "gpus", "image"};
  CHECK(closest("toleration", keys) == "tolerations");
  CHECK(closest("nodeselector", keys) == "nodeSelector");
  CHECK(closest("gpu", keys) == "gpus");
  CHECK(closest("completelyDifferent", keys).empty());
  CHECK(closest("", keys).empty());
  CHECK(did_you_mean("iamge", keys) == " (did you mean \"image\"?)");
  CHECK(did_you_mean("zzz", keys).empty());
}
