#include "core/testing.h"
#include "core/yaml/edit_test.h"

using namespace gpuspec::yaml;
using test::edited;

namespace {

const Why why{"test", ""};

std::string set(const std::string& before, std::string_view path, std::string_view key) {
  return edited(before, [&](Changes& changes, auto at) {
    changes.set(at(path), key, Value::integer(9), why);
  });
}

}  // namespace

TEST_CASE("An alias that must change becomes a copy at its place", "[edit][anchor]") {
  CHECK(set("a: &t {x: 1}\nb: *t # use\nc: *t\n", "b", "z") ==
        "a: &t {x: 1}\nb: # use\n  x: 1\n  z: 9\nc: *t\n");
  CHECK(set("a: &t\n  x: 1\n  y: *u\nb: *t\n", "b", "z").substr(0, 6) == "error:");
  CHECK(set("u: &u [1]\na: &t\n  x: '1'\n  y: *u\nb: *t\n", "b", "z") ==
        "u: &u [1]\na: &t\n  x: '1'\n  y: *u\nb:\n  x: '1'\n  y: *u\n  z: 9\n");
  CHECK(edited("a: &t\n- 1\nb: *t\n", [](Changes& changes, auto at) {
          changes.append(at("b"), Value::integer(2), why);
        }) == "a: &t\n- 1\nb:\n- 1\n- 2\n");
  CHECK(set("a: &t {x: {y: 1}}\nb: [*t, *t]\n", "b[1].x", "z") ==
        "a: &t {x: {y: 1}}\nb: [*t, {x: {y: 1, z: 9}}]\n");
  CHECK(set("a: &t {x: 1}\nb:\n- *t\n- 1\n", "b[0]", "z") ==
        "a: &t {x: 1}\nb:\n- x: 1\n  z: 9\n- 1\n");
  CHECK(set("s: &s |\n  a\n  b\nq: &t {x: *s, y: \"1\"}\nb: *t\n", "b", "z") ==
        "s: &s |\n  a\n  b\nq: &t {x: *s, y: \"1\"}\nb:\n  x: *s\n  y: \"1\"\n  z: 9\n");
  CHECK(edited("a: &t 1\nb: *t\n", [](Changes& changes, auto at) {
          changes.set(at(""), "b", Value::integer(2), why);
        }) == "a: &t 1\nb: 2\n");
}

TEST_CASE("What comes through a merge key is written next to it", "[edit][anchor]") {
  CHECK(set("a: &t {x: {y: 1}}\nb:\n  <<: *t\n  c: 1\n", "b.x", "z") ==
        "a: &t {x: {y: 1}}\nb:\n  <<: *t\n  c: 1\n  x:\n    y: 1\n    z: 9\n");
  CHECK(set("a: &t {x: 1}\nb:\n  <<: *t\n  c: 1\n", "b", "x") ==
        "a: &t {x: 1}\nb:\n  <<: *t\n  c: 1\n  x: 9\n");
  CHECK(set("a: &t {x: 1}\nb:\n  <<: *t\n", "b", "z") == "a: &t {x: 1}\nb:\n  <<: *t\n  z: 9\n");
  CHECK(set("a: &t {x: {y: 1}}\nu: &u {x: {y: 2}}\nb: {<<: [*t, *u], c: 1}\n", "b.x", "z") ==
        "a: &t {x: {y: 1}}\nu: &u {x: {y: 2}}\nb: {<<: [*t, *u], c: 1, x: {y: 1, z: 9}}\n");
  CHECK(edited("a: &t {x: 1, y: 2}\nb:\n  <<: *t\n  x: 3\nc: *t\n", [](Changes& changes, auto at) {
          changes.remove(at("b"), "x", why);
        }) == "a: &t {x: 1, y: 2}\nb:\n  <<:\n    y: 2\nc: *t\n");
  CHECK(edited("a: &t {x: 1, y: 2}\nb:\n  <<: *t\nc: *t\n", [](Changes& changes, auto at) {
          changes.rename(at("b"), "x", "z", why);
        }) == "a: &t {x: 1, y: 2}\nb:\n  <<:\n    y: 2\n  z: 1\nc: *t\n");
}

TEST_CASE("An anchored node that changes leaves its users what they had", "[edit][anchor]") {
  CHECK(set("a: &t\n  x: 1\nb: *t\nc: *t\n", "a", "z") ==
        "a:\n  x: 1\n  z: 9\nb: &t\n  x: 1\nc: *t\n");
  CHECK(set("a: &t {x: 1}\nb: *t # b\nc: *t\n", "a", "z") ==
        "a: {x: 1, z: 9}\nb: &t # b\n  x: 1\nc: *t\n");
  CHECK(set("a: &t\n  x: 1\nb:\n  <<: *t\n  c: 2\n", "a", "z") ==
        "a:\n  x: 1\n  z: 9\nb:\n  <<: &t\n    x: 1\n  c: 2\n");
  CHECK(set("- &t\n  x: 1\n- *t\n", "[0]", "z") == "-\n  x: 1\n  z: 9\n- &t\n  x: 1\n");
  CHECK(set("- !m &t {x: 1}\n- [*t, *t]\n", "[0]", "z") ==
        "- !m {x: 1, z: 9}\n- [&t !m {x: 1}, *t]\n");
  CHECK(set("- &t !m {x: 1}\n- *t\n", "[0]", "z") == "- !m {x: 1, z: 9}\n- &t !m\n  x: 1\n");
  // Inner anchors, too; and an anchored node around the change.
  CHECK(set("a: &o\n  b: &i\n    x: 1\nc: *o\nd: *i\n", "a.b", "z") ==
        "a:\n  b:\n    x: 1\n    z: 9\nc: &o\n  b:\n    x: 1\nd: &i\n  x: 1\n");
  CHECK(set("a: &o\n  b: &i\n    x: 1\n  y: 1\nc: *o\nd: *i\n", "a", "z") ==
        "a:\n  b: &i\n    x: 1\n  y: 1\n  z: 9\nc: &o\n  b:\n    x: 1\n  y: 1\nd: *i\n");
  // Filled in place.
  CHECK(set("a: &t {}\nb: *t\n", "a", "z") == "a:\n  z: 9\nb: &t {}\n");
  CHECK(set("a: &t\nb: *t\n", "a", "z") == "a:\n  z: 9\nb: &t null\n");
  // A scalar.
  CHECK(edited("a: &t one\nb: [*t]\n", [](Changes& changes, auto at) {
          changes.set(at(""), "a", Value::string("two"), why);
        }) == "a: two\nb: [&t one]\n");
  // Removed.
  CHECK(edited("x: 1\na: &t {x: 1}\nb: *t\n", [](Changes& changes, auto at) {
          changes.remove(at(""), "a", why);
        }) == "x: 1\nb: &t\n  x: 1\n");
}

TEST_CASE("Definition and use change alike: each has its own", "[edit][anchor]") {
  CHECK(edited("a: &t\n  x: 1\nb: *t\n", [](Changes& changes, auto at) {
          changes.set(at("a"), "z", Value::integer(9), why);
          changes.set(at("b"), "z", Value::integer(9), why);
        }) == "a: &t\n  x: 1\n  z: 9\nb:\n  x: 1\n  z: 9\n");
  CHECK(edited("a: &t\n  x: 1\nb: *t\nc: *t\n", [](Changes& changes, auto at) {
          changes.set(at("a"), "z", Value::integer(9), why);
          changes.set(at("b"), "z", Value::integer(8), why);
        }) == "a:\n  x: 1\n  z: 9\nb:\n  x: 1\n  z: 8\nc: &t\n  x: 1\n");
}

TEST_CASE("An alias in a copy keeps its meaning where the anchor is redefined", "[edit][anchor]") {
  CHECK(set("a: &x 1\nb: &s {v: *x}\nc: &x 2\nd: *s\n", "d", "z") ==
        "a: &x 1\nb: &s {v: *x}\nc: &x 2\nd:\n  v: 1\n  z: 9\n");
  CHECK(edited("a: &x {k: 1}\nb: &s {v: *x}\nd: *s\n", [](Changes& changes, auto at) {
          changes.set(at("d"), "z", Value::integer(9), why);
          changes.set(at("a"), "z", Value::integer(9), why);
        }) == "a: {k: 1, z: 9}\nb: &s {v: &x {k: 1}}\nd:\n  v: *x\n  z: 9\n");
  CHECK(edited("a: &x {k: 1}\nb: &s {v: *x}\nd: *s\n", [](Changes& changes, auto at) {
          changes.set(at("d"), "z", Value::integer(9), why);
          changes.set(at("a"), "z", Value::integer(9), why);
          changes.set(at("b"), "v", Value::integer(9), why);
        }) == "a: &x {k: 1, z: 9}\nb: &s {v: 9}\nd:\n  v:\n    k: 1\n  z: 9\n");
}

TEST_CASE("An alias bomb is neither copied nor compared without end", "[edit][anchor]") {
  std::string bomb = "a0: &a0 [1, 1, 1, 1, 1, 1, 1, 1, 1, 1]\n";
  for (int i = 1; i < 30; ++i) {
    const std::string use = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + use;
    for (int k = 0; k < 9; ++k) bomb += ", " + use;
    bomb += "]\n";
  }
  bomb += "b: {x: *a29}\nc: {y: 1}\n";
  CHECK(set(bomb, "c", "z") == bomb.substr(0, bomb.size() - 2) + ", z: 9}\n");
  const std::string after = edited(
      bomb, [](Changes& changes, auto at) { changes.append(at("b.x"), Value::integer(2), why); });
  CHECK(after.substr(0, 7) == "a0: &a0");
  // Every level changes its name's meaning between definition and use: nothing but copies is left.
  std::string shadowed = bomb;
  for (int i = 0; i < 29; ++i)
    shadowed += "s" + std::to_string(i) + ": &a" + std::to_string(i) + " 0\n";
  shadowed += "d: *a29\n";
  CHECK(edited(shadowed, [](Changes& changes, auto at) {
          changes.append(at("d"), Value::integer(2), why);
        }) == "error: the aliases here stand for too much text to copy");
}
