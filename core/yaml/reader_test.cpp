#include "core/yaml/reader.h"

#include <string>
#include <vector>

#include "core/testing.h"
#include "core/yaml/lookup.h"

using namespace gpuspec::yaml;
using gpuspec::text::Error;

namespace {

Tree read(std::string_view text) {
  Tree tree;
  read_document(text, 0, tree);
  return tree;
}

/// What an error says and where: "LINE:COLUMN message".
std::string error_of(const std::string& text) {
  try {
    read(text);
  } catch (const Error& error) {
    std::size_t line = 1;
    std::size_t column = 1;
    for (std::size_t i = 0; i < error.offset(); ++i) {
      ++column;
      if (text[i] == '\n') {
        ++line;
        column = 1;
      }
    }
    return std::to_string(line) + ":" + std::to_string(column) + " " + error.what();
  }
  return "";
}

std::string raw(const std::string& text, std::initializer_list<std::string_view> keys) {
  Tree tree;
  read_document(text, 0, tree);
  const NodeId node = get(tree, 0, keys);
  return node == no_node ? "<none>" : std::string(tree.raw(node));
}

}  // namespace

TEST_CASE("spans cover the content of a node and nothing else") {
  CHECK(raw("a: b  # c\n", {"a"}) == "b");
  CHECK(raw("a: &x !!str b\n", {"a"}) == "b");
  CHECK(raw("a: 'it''s'  \n", {"a"}) == "'it''s'");
  CHECK(raw("a: one\n  two # c\nb: 1\n", {"a"}) == "one\n  two");
  CHECK(raw("a: |  # c\n  x\n   y\n\n# end\nb: 1\n", {"a"}) == "|  # c\n  x\n   y");
  CHECK(raw("a: |+\n  x\n\n\nb: 1\n", {"a"}) == "|+\n  x\n\n");
  CHECK(raw("a: [1, {b: c}]  \nd: e\n", {"a"}) == "[1, {b: c}]");
  CHECK(raw("a:\n  - 1\n  - b: c\n    d: e  # x\n# y\nf: g\n", {"a"}) == "- 1\n  - b: c\n    d: e");
  CHECK(raw("a:\n  b: 1\n\n  c: 2\n\n", {"a"}) == "b: 1\n\n  c: 2");
  CHECK(raw("a:\nb: 1\n", {"a"}) == "");
  CHECK(raw("a:\n- x\n- y\nb: 1\n", {"a"}) == "- x\n- y");
}

TEST_CASE("an empty value is a place after its indicator") {
  const std::string text = "a:\nb: &x\nc: 1\n";
  const Tree tree = read(text);
  const Node& a = tree[get(tree, 0, "a")];
  CHECK(a.begin == 2);
  CHECK(a.end == 2);
  CHECK((a.flags & empty) != 0);
  CHECK(tree[get(tree, 0, "b")].begin == text.find("&x") + 2);
}

TEST_CASE("nodes lie in document order and know where their subtree ends") {
  const Tree tree = read("a: [1, 2]\nb: {c: d}\n");
  REQUIRE(tree.nodes.size() == 9);
  CHECK(tree[0].next == 9);
  CHECK(tree[2].kind == Kind::sequence);
  CHECK(tree[2].next == 5);
  CHECK(items(tree, 2) == std::vector<NodeId>{3, 4});
}

TEST_CASE("the pair of a flow sequence is a mapping of its own") {
  const Tree tree = read("[a: b, {c: d}: e, ? f : g]");
  const auto pairs = items(tree, 0);
  REQUIRE(pairs.size() == 3);
  for (const NodeId pair : pairs) {
    CHECK(tree[pair].kind == Kind::mapping);
    CHECK((tree[pair].flags & single_pair) != 0);
  }
  CHECK(tree.raw(pairs[1]) == "{c: d}: e");
  CHECK(tree.raw(pairs[2]) == "? f : g");
}

TEST_CASE("anchors and aliases") {
  const Tree tree = read("a: &x {k: 1}\nb: *x\nc: &x 2\nd: *x\n");
  CHECK(tree.resolve(find(tree, 0, "b").value) == get(tree, 0, "a"));
  CHECK(get_text(tree, 0, "d") == "2");
  CHECK(tree.is_aliased(get(tree, 0, "a")));
  CHECK(tree.properties(get(tree, 0, "a"))->anchor == "x");
  CHECK(error_of("a: *x\n") == "1:4 the alias *x has no anchor before it");
  CHECK(error_of("a: &x [*x]\n") == "1:8 the alias *x stands inside the very node it names");
  // A flow collection that turns out to be a key moves the nodes behind it.
  const Tree key = read("&k {x: &y 1}: *y\n*k : 3\n");
  CHECK(key.resolve(key[1].next) == 3);
}

TEST_CASE("what people write and Kubernetes' parser takes") {
  CHECK(raw("a:\n  args: [\n    x\n  ]\n", {"a", "args"}) == "[\n    x\n  ]");
  CHECK(error_of("a:\n  args: [\"\n    x &&\n    y\n  \"]\n") == "");
  CHECK(error_of("- a\n-\n  - b\n-   c: d\n    e: f\n") == "");
  CHECK(error_of("{\"a\":1,\"b\":[true,null],}") == "");
  CHECK(error_of("---\n{\n  kind: \"Pod\",\n  c: [{\n    a: 1,\n  }, {\n    b: 2,\n  }],\n}\n") ==
        "");
}

TEST_CASE("malformed input is refused where it goes wrong") {
  CHECK(error_of("a: b\nc\nd: e\n") ==
        "2:1 a key of the mapping above is expected here, but no `:` follows");
  CHECK(error_of("a: \"b\nc: d\n") ==
        "2:1 a line of a quoted scalar must be indented more than the block around it");
  CHECK(error_of("a: \"b") == "1:4 this double quote is never closed");
  CHECK(error_of("a:\n\tb: c\n") == "2:2 a tab may not stand in indentation");
  CHECK(error_of("a: b: c\n") == "1:5 a mapping may not start here");
  CHECK(error_of("a:\n    b: 1\n  c: 2\n") ==
        "3:3 wrong indentation: this belongs to no key of the mapping above");
  CHECK(error_of("- a\n  - b: c\n d: e\n").substr(0, 4) == "2:6 ");
  CHECK(error_of("a: [1, 2\nb: 3\n").substr(0, 4) == "2:1 ");
  CHECK(error_of("a: {b: c\n").find("never closed") != std::string::npos);
  CHECK(error_of("a: 'x' y\n") == "1:8 unexpected content after a value");
  CHECK(error_of("a: @x\n") == "1:4 a plain scalar cannot start with `@`");
  CHECK(error_of("a: \"\\q\"\n") == "1:5 this escape is not known");
  CHECK(error_of("a: |x\n").substr(0, 4) == "1:5 ");
  CHECK(error_of("a: !e!x b\n") == "1:4 the tag handle !e! is not declared by a %TAG directive");
  CHECK(error_of("a: \x01\n") == "1:4 control characters are not allowed in YAML");
  CHECK(error_of("a: \xff\n") == "1:4 this is not valid UTF-8");
  CHECK(error_of("a: b\n---\nc: d\n") == "2:1 a second document starts here");
}

TEST_CASE("nesting has a limit, below which everything reads") {
  const auto flow = [](int depth) {
    return std::string(static_cast<std::size_t>(depth), '[') +
           std::string(static_cast<std::size_t>(depth), ']');
  };
  CHECK(error_of(flow(max_depth)) == "");
  CHECK(error_of(flow(max_depth + 1)).find("levels deep") != std::string::npos);
  CHECK(error_of(std::string(1'000'000, '[')).find("levels deep") != std::string::npos);
  std::string block;
  for (int i = 0; i < 1000; ++i) block += std::string(static_cast<std::size_t>(i), ' ') + "a:\n";
  CHECK(error_of(block) == "");
  std::string dashes;
  for (int i = 0; i < 1000; ++i) dashes += "- ";
  CHECK(error_of(dashes + "x\n") == "");
}

TEST_CASE("hostile input takes no more than linear time") {
  // Each of these would take minutes if a step were quadratic.
  CHECK(error_of("[" + std::string(2'000'000, ',')) != "");
  std::string pairs = "[";
  for (int i = 0; i < 200'000; ++i) pairs += "&a" + std::to_string(i) + " a: b, ";
  CHECK(error_of(pairs + "]") == "");
  std::string comments(2'000'000, '#');
  CHECK(error_of("a: b " + comments + "\n") == "");
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before +
            "]\n";
  }
  CHECK(error_of(bomb) == "");
}
