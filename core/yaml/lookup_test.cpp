#include "core/yaml/lookup.h"

#include <string>
#include <utility>
#include <vector>

#include "core/testing.h"
#include "core/yaml/reader.h"

using namespace gpuspec::yaml;

namespace {

/// The value of the key `a` of a document.
std::string value(const std::string& text) {
  Tree tree;
  read_document(text, 0, tree);
  return scalar_text(tree, get(tree, 0, "a"));
}

Type type(const std::string& spelling) {
  Tree tree;
  const std::string text = "a: " + spelling + "\n";
  read_document(text, 0, tree);
  return type_of(tree, get(tree, 0, "a"));
}

}  // namespace

TEST_CASE("scalar values") {
  CHECK(value("a: plain # c\n") == "plain");
  CHECK(value("a: one\n  two\n\n  three\n") == "one two\nthree");
  CHECK(value("a: 'it''s'\n") == "it's");
  CHECK(value("a: 'one\n  two'\n") == "one two");
  CHECK(value(R"(a: "x\ty\u00e9\x41\"\/")"
              "\n") ==
        "x\ty\xc3\xa9"
        "A\"/");
  CHECK(value(R"(a: "\ud83d\ude00")"
              "\n") == "\xF0\x9F\x98\x80");
  CHECK(value("a: \"one \\\n  two\"\n") == "one two");
  CHECK(value("a: |\n  x\n   y\n\n  z\n\n") == "x\n y\n\nz\n");
  CHECK(value("a: |-\n  x\n") == "x");
  CHECK(value("a: |+\n  x\n\n") == "x\n\n");
  CHECK(value("a: |2\n    x\n") == "  x\n");
  CHECK(value("a: >\n  one\n  two\n\n  three\n   more\n  four\n") ==
        "one two\nthree\n more\nfour\n");
  CHECK(value("a: |\n  x") == "x");
  CHECK(value("a: |\r\n  x\r\n  y\r\n") == "x\ny\n");
  CHECK(value("a: ''\n") == "");
  CHECK(value("a:\n") == "");
}

TEST_CASE("plain scalars mean what Kubernetes' parser makes of them") {
  const std::vector<std::pair<Type, std::vector<std::string>>> table{
      {Type::boolean, {"y", "Y", "yes", "No", "ON", "off", "true", "False"}},
      {Type::null, {"~", "null", "Null", "NULL", ""}},
      {Type::integer,
       {"0", "0777", "0o17", "0b11", "0x1F", "1_000", "+1", "-12", "18446744073709551615"}},
      {Type::floating,
       {"1e3", "1.0", "1.", ".5", "08", ".inf", "-.Inf", ".nan", "18446744073709551616"}},
      {Type::string,
       {"12:30:45", "2020-01-01", "1E400", "=", ".", "a", "-x", "+", "1Gi", "nULL", "tRUE", "0x",
        "1e", "_1", "<<", "'1'", "\"true\"", "!!str 1", "|\n  1"}}};
  for (const auto& [expected, spellings] : table) {
    for (const std::string& spelling : spellings) {
      CAPTURE(spelling);
      CHECK(type(spelling) == expected);
    }
  }
}

TEST_CASE("lookup follows aliases and merge keys") {
  const std::string text =
      "base: &base {a: 1, b: 2}\nother: &other {b: 3, c: 4}\n"
      "x: {<<: [*base, *other], a: 9}\ny: *base\nz: {<<: *base, b: 5}\n";
  Tree tree;
  read_document(text, 0, tree);
  CHECK(get_text(tree, get(tree, 0, "x"), "a") == "9");
  CHECK(get_text(tree, get(tree, 0, "x"), "b") == "2");
  CHECK(get_text(tree, get(tree, 0, "x"), "c") == "4");
  CHECK(find(tree, get(tree, 0, "x"), "c").merged);
  CHECK_FALSE(find(tree, get(tree, 0, "x"), "a").merged);
  CHECK_FALSE(find(tree, get(tree, 0, "x"), "d"));
  CHECK(get_text(tree, find(tree, 0, "y").value, "b") == "2");
  CHECK(get_text(tree, get(tree, 0, "z"), "b") == "5");
  std::string keys;
  for (const Found& e : entries(tree, get(tree, 0, "x"))) keys += scalar_text(tree, e.key);
  CHECK(keys == "abc");
}

TEST_CASE("the last of two equal keys counts, and can be found") {
  const std::string text = "a: 1\nb: 2\n\"a\": 3\n";
  Tree tree;
  read_document(text, 0, tree);
  CHECK(get_text(tree, 0, "a") == "3");
  CHECK(entries(tree, 0).size() == 2);
  CHECK(tree[duplicate_key(tree, 0)].begin == text.find('"'));
}

TEST_CASE("a merge bomb is looked through once") {
  std::string text = "m0: &m0 {k: 1}\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*m" + std::to_string(i - 1);
    text += "m" + std::to_string(i) + ": &m" + std::to_string(i) + " {<<: [" + before + ", " +
            before + "]}\n";
  }
  Tree tree;
  read_document(text, 0, tree);
  const NodeId last = get(tree, 0, "m59");
  CHECK(get_text(tree, last, "k") == "1");
  CHECK_FALSE(find(tree, last, "absent"));
  CHECK(entries(tree, last).size() == 1);
}
