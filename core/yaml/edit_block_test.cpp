#include "core/testing.h"
#include "core/yaml/edit_test.h"

using namespace gpuspec::yaml;
using test::edited;

namespace {

const Why why{"test", ""};

Value toleration() {
  return Value::mapping(
      {{"key", Value::string("nvidia.com/gpu")}, {"operator", Value::string("Exists")}});
}

/// Sets a key of the mapping at a path.
std::string set(const std::string& before, std::string_view path, std::string_view key,
                Value value) {
  return edited(before, [&](Changes& changes, auto at) { changes.set(at(path), key, value, why); });
}

std::string append(const std::string& before, std::string_view path, Value item) {
  return edited(before, [&](Changes& changes, auto at) { changes.append(at(path), item, why); });
}

const Value one = Value::integer(1);

}  // namespace

TEST_CASE("A new key goes after the last entry's last content line", "[edit]") {
  CHECK(set("b: 1\na: 2\n", "", "c", one) == "b: 1\na: 2\nc: 1\n");
  CHECK(set("b: 1\na: 2", "", "c", one) == "b: 1\na: 2\nc: 1");
  CHECK(set("b: 1\r\na: 2\r\n", "", "c", one) == "b: 1\r\na: 2\r\nc: 1\r\n");
  CHECK(set("b: 1\r\na: 2", "", "c", one) == "b: 1\r\na: 2\r\nc: 1");
  CHECK(set("b: 1\na: 2  # two\n\n# end\n", "", "c", one) == "b: 1\na: 2  # two\nc: 1\n\n# end\n");
  CHECK(set("x:\n  b: 1\n  a: 2\n\n  # more\ny: 1\n", "x", "c", one) ==
        "x:\n  b: 1\n  a: 2\n  c: 1\n\n  # more\ny: 1\n");
  CHECK(set("x:\n  b: 1\n  a:\n    z: |\n      text\n\n\ny: 1\n", "x", "c", one) ==
        "x:\n  b: 1\n  a:\n    z: |\n      text\n  c: 1\n\n\ny: 1\n");
  CHECK(set("x:\n  b: 1\n  a:\n    z: |+\n      text\n\n\ny: 1\n", "x", "c", one) ==
        "x:\n  b: 1\n  a:\n    z: |+\n      text\n\n\n  c: 1\ny: 1\n");
  CHECK(set("b: 1\na: one\n  two\n   three  # c\n", "", "c", one) ==
        "b: 1\na: one\n  two\n   three  # c\nc: 1\n");
  CHECK(set("b: 1\na: {x: 1,\n  y: 2}\n...\n", "", "c", one) ==
        "b: 1\na: {x: 1,\n  y: 2}\nc: 1\n...\n");
  CHECK(set("--- # start\nb: 1\na:\n--- \n", "", "c", one).substr(0, 6) == "error:");
  CHECK(set("--- # start\nb: 1\na:\n", "", "c", one) == "--- # start\nb: 1\na:\nc: 1\n");
  CHECK(set("\xEF\xBB\xBF"
            "b: 1\na: 1\n",
            "", "c", one) ==
        "\xEF\xBB\xBF"
        "b: 1\na: 1\nc: 1\n");
}

TEST_CASE("A sorted mapping stays sorted", "[edit]") {
  CHECK(set("a: 1\nc: 3\n", "", "b", one) == "a: 1\nb: 1\nc: 3\n");
  CHECK(set("a: 1  # one\n\n# three\nc: 3\n", "", "b", one) ==
        "a: 1  # one\nb: 1\n\n# three\nc: 3\n");
  CHECK(set("# first\nb: 1\nc: 3\n", "", "a", one) == "# first\na: 1\nb: 1\nc: 3\n");
  CHECK(set("\xEF\xBB\xBF"
            "b: 1\nc: 3\n",
            "", "a", one) ==
        "\xEF\xBB\xBF"
        "a: 1\nb: 1\nc: 3\n");
  CHECK(set("x:\n- b: 1\n  c: 3\n", "x[0]", "a", one) == "x:\n- b: 1\n  a: 1\n  c: 3\n");
  CHECK(set("a2: 1\na10: 3\n", "", "a9", one) == "a2: 1\na9: 1\na10: 3\n");
  CHECK(set("{a: 1, c: 2}", "", "b", one) == "{a: 1, b: 1, c: 2}");
  CHECK(set("{b: 1, c: 2}", "", "a", one) == "{a: 1, b: 1, c: 2}");
}

TEST_CASE("Items of sequences follow the dashes", "[edit]") {
  CHECK(append("x:\n- a\n- b\ny: 1\n", "x", Value::string("c")) == "x:\n- a\n- b\n- c\ny: 1\n");
  CHECK(append("x:\n  -   a: 1\n      b: 1\n  # end\ny: 1\n", "x", toleration()) ==
        "x:\n  -   a: 1\n      b: 1\n  -   key: nvidia.com/gpu\n      operator: Exists\n  # "
        "end\ny: 1\n");
  CHECK(append("- - a\n", "[0]", Value::string("c")) == "- - a\n  - c\n");
  CHECK(append("x: [a, b]\n", "x", Value::string("c,d")) == "x: [a, b, \"c,d\"]\n");
}

TEST_CASE("Empty values are filled in place", "[edit]") {
  const std::string filled = "x:\n- key: nvidia.com/gpu\n  operator: Exists\ny: 1\n";
  for (const char* before :
       {"x:\ny: 1\n", "x: ~\ny: 1\n", "x: null\ny: 1\n", "x: []\ny: 1\n", "x: {}\ny: 1\n"})
    CHECK(append(before, "x", toleration()) == filled);
  CHECK(append("x: []  # none\ny: 1\n", "x", toleration()) ==
        "x:  # none\n- key: nvidia.com/gpu\n  operator: Exists\ny: 1\n");
  CHECK(append("x:  # none\n  # at all\ny: 1\n", "x", toleration()) ==
        "x:  # none\n- key: nvidia.com/gpu\n  operator: Exists\n  # at all\ny: 1\n");
  CHECK(append("x:\n  # none\n  []\ny: 1\n", "x", toleration()) ==
        "x:\n  # none\n  - key: nvidia.com/gpu\n    operator: Exists\ny: 1\n");
  CHECK(append("a:\n  - 1\nx: []\ny: 1\n", "x", one) == "a:\n  - 1\nx:\n  - 1\ny: 1\n");
  CHECK(append("x: []", "x", one) == "x:\n- 1");
  CHECK(append("x: &a []\n", "x", one) == "x: &a\n- 1\n");
  CHECK(set("- ~ # c\n- 1\n", "[0]", "a", one) == "- a: 1 # c\n- 1\n");
  CHECK(set("-\n- 1\n", "[0]", "a", one) == "- a: 1\n- 1\n");
  CHECK(set("? x\n: ~\n", "x", "a", one) == "? x\n:\n  a: 1\n");
  CHECK(set("? x\n", "x", "a", one) == "? x\n:\n  a: 1\n");
  CHECK(set("--- {}\n", "", "a", one) == "---\na: 1\n");
  CHECK(set("{a: , b: 1}", "a", "c", one) == "{a: {c: 1} , b: 1}");
  CHECK(set("{a, b: 1}", "a", "c", one) == "{a: {c: 1}, b: 1}");
}

TEST_CASE("Missing parents are made, one for all rules", "[edit]") {
  CHECK(edited("spec:\n    name: x\n    image: y\n",
               [](Changes& changes, auto at) {
                 changes.append(at("spec") / "a" / "b", Value::string("one"), why);
                 changes.append(at("spec") / "a" / "b", Value::string("two"), why);
                 changes.set(at("spec") / "a" / "c", "d", Value::string("yes"), why);
                 changes.set(at("spec") / "a" / "c", "d", Value::string("no"), why);
               }) ==
        "spec:\n    name: x\n    image: y\n    a:\n        b:\n        - one\n        - two\n"
        "        c:\n            d: \"no\"\n");
}

TEST_CASE("A block scalar at the end of a text without line break keeps its value", "[edit]") {
  CHECK(set("b: 1\na: |\n  x", "", "c", one) == "b: 1\na: |-\n  x\nc: 1");
  CHECK(set("b: 1\na: |+\n  x", "", "c", one) == "b: 1\na: |-\n  x\nc: 1");
  CHECK(set("b: 1\na: >2\n   x", "", "c", one) == "b: 1\na: >-2\n   x\nc: 1");
  CHECK(set("b: 1\na: |\n  x\n  ", "", "c", one).substr(0, 2) == "b:");
  CHECK(set("b: 1\na: |+\n  x\n\n", "", "c", one) == "b: 1\na: |+\n  x\n\nc: 1\n");
  CHECK(set("b: 1\na: |+\n  x\n\n  ", "", "c", one).substr(0, 2) == "b:");
  CHECK(set("x:\n  b: 1\n  a: |\n    x", "", "c", Value::string("one\ntwo\n")) ==
        "x:\n  b: 1\n  a: |-\n    x\nc: \"one\\ntwo\\n\"");
}

TEST_CASE("Entries are removed with their lines and nothing else", "[edit]") {
  const auto remove = [](const std::string& before, std::string_view path, std::string_view key) {
    return edited(before, [&](Changes& changes, auto at) { changes.remove(at(path), key, why); });
  };
  CHECK(remove("a: 1\nb: 2 # two\nc: 3\n", "", "b") == "a: 1\nc: 3\n");
  CHECK(remove("a: 1\n# two\nb:\n  x: 1\n\n# three\nc: 3\n", "", "b") ==
        "a: 1\n# two\n\n# three\nc: 3\n");
  CHECK(remove("a: 1\nb: 2\n", "", "a") == "b: 2\n");
  CHECK(remove("a: 1\nb: 2", "", "b") == "a: 1");
  CHECK(remove("a: |\n  x\nb: 2", "", "b") == "a: |\n  x\n");
  CHECK(remove("a:\n  b: 2 # c\nc: 1\n", "a", "b") == "a: {}\nc: 1\n");
  CHECK(remove("a:\n  # why\n  b: 2\nc: 1\n", "a", "b") == "a: {}\n  # why\nc: 1\n");
  CHECK(remove("- a: 1\n  b: 2\n", "[0]", "a") == "- b: 2\n");
  CHECK(remove("- a: 1 # one\n\n  # two\n  b: 2\n", "[0]", "a") == "- # two\n  b: 2\n");
  CHECK(remove("- a: 1\n", "[0]", "a") == "- {}\n");
  CHECK(remove("{a: 1, b: 2, c: 3}", "", "a") == "{b: 2, c: 3}");
  CHECK(remove("{a: 1, b: 2, c: 3}", "", "b") == "{a: 1, c: 3}");
  CHECK(remove("{a: 1, b: 2, c: 3}", "", "c") == "{a: 1, b: 2}");
  CHECK(remove("{a: 1}", "", "a") == "{}");
  CHECK(remove("{\n  a: 1, # one\n  b: 2, # two\n  c: 3 # three\n}", "", "c") ==
        "{\n  a: 1, # one\n  b: 2 # two\n}");
  CHECK(remove("{\n  a: 1, # one\n  b: 2, # two\n  c: 3 # three\n}", "", "b") ==
        "{\n  a: 1, # one\n  c: 3 # three\n}");
  CHECK(edited("r:\n  limits:\n    memory: 1Gi\n  x: 1\n", [](Changes& changes, auto at) {
          changes.remove_and_prune(at("") / "r" / "limits", "memory", why);
        }) == "r:\n  x: 1\n");
  CHECK(edited("n: 1\nr:\n  limits:\n    memory: 1Gi\n    cpu: 1\n", [](Changes& changes, auto at) {
          changes.remove_and_prune(at("") / "r" / "limits", "memory", why);
          changes.remove_and_prune(at("") / "r" / "limits", "cpu", why);
        }) == "n: 1\n");
}

TEST_CASE("Keys are renamed and scalars replaced in their quotes", "[edit]") {
  const auto rename = [](const std::string& before, std::string_view path, std::string_view key) {
    return edited(before, [&](Changes& changes, auto at) {
      changes.rename(at(path), key, "nvidia.com/gpu", why);
    });
  };
  CHECK(rename("limits:\n  gpu: 1 # one\n", "limits", "gpu") ==
        "limits:\n  nvidia.com/gpu: 1 # one\n");
  CHECK(rename("{\"limits\":{\"gpu\":1}}", "limits", "gpu") ==
        "{\"limits\":{\"nvidia.com/gpu\":1}}");
  CHECK(rename("gpu: 1\nnvidia.com/gpu: 2\n", "", "gpu") ==
        "error: cannot rename gpu: nvidia.com/gpu is there already");
  CHECK(set("image: \"a:1\" # c\n", "", "image", Value::string("b:2")) == "image: \"b:2\" # c\n");
  CHECK(set("image: 'a:1'\n", "", "image", Value::string("b:2")) == "image: 'b:2'\n");
  CHECK(set("image:   a:1\n", "", "image", Value::string("b:2")) == "image:   b:2\n");
  CHECK(set("image: |\n  a:1\nx: 1\n", "", "image", Value::string("b:2")) == "image: b:2\nx: 1\n");
  CHECK(set("gpu: \"1\"\n", "", "gpu", Value::quantity("2")) == "gpu: \"2\"\n");
  CHECK(set("gpu: 1\n", "", "gpu", Value::quantity("2")) == "gpu: 2\n");
  CHECK(set("gpu: \"1\"\n", "", "gpu", Value::quantity("1")) == "gpu: \"1\"\n");
  CHECK(set("a:\n  x: 1\n  y: 2\nb: 1\n", "", "a", Value::string("z")) == "a: z\nb: 1\n");
  CHECK(set("a: z\nb: 1\n", "", "a", Value::mapping({{"x", one}})) == "a:\n  x: 1\nb: 1\n");
}

TEST_CASE("Strings that could be read as something else are quoted", "[edit]") {
  for (const char* text : {"yes",
                           "No",
                           "y",
                           "on",
                           "true",
                           "null",
                           "~",
                           "",
                           "0755",
                           "0o17",
                           "0x1F",
                           "0b11",
                           "1e3",
                           "1.0",
                           "1.",
                           ".5",
                           "-1",
                           "+1",
                           "1_000",
                           "1,000",
                           "12:30:45",
                           "2020-01-01",
                           "2001-12-14t21:59:43.10-05:00",
                           ".inf",
                           "-.INF",
                           ".NaN",
                           "=",
                           "<<",
                           "-",
                           "- a",
                           "? a",
                           ": a",
                           "a: b",
                           "a #b",
                           "a:",
                           " a",
                           "a ",
                           "#a",
                           "[a",
                           "{a",
                           "&a",
                           "*a",
                           "!a",
                           "|",
                           ">",
                           "'a",
                           "%a",
                           "@a",
                           "`a",
                           "---",
                           "...",
                           "a\tb",
                           "a\x01"
                           "b",
                           "\xC2\x85",
                           "\xE2\x80\xA8",
                           "\"",
                           "\xEF\xBB\xBF"}) {
    CAPTURE(text);
    const std::string after = set("b: x\na: y\n", "", "c", Value::string(text));
    CHECK(after.substr(0, 14) == "b: x\na: y\nc: \"");
  }
  for (const char* text : {"a", "nvidia.com/gpu", "nvidia-tesla-v100", "1Gi", "100m", "2g.10gb",
                           "a:b", "a#b", "a-b", "_", "a'b", "\xC3\xA9", "\xF0\x9F\x98\x80"}) {
    CHECK(set("b: x\na: y\n", "", "c", Value::string(text)) ==
          "b: x\na: y\nc: " + std::string(text) + "\n");
  }
}

TEST_CASE("Quotes and quantities are written as the neighbours are", "[edit]") {
  CHECK(set("b: \"x\"\na: \"1\"\n", "", "c", Value::string("z")) ==
        "b: \"x\"\na: \"1\"\nc: \"z\"\n");
  CHECK(set("b: 'x'\na: '1'\n", "", "c", Value::string("1")) == "b: 'x'\na: '1'\nc: '1'\n");
  CHECK(set("cpu: 1\nb: 2\n", "", "gpu", Value::quantity("1")) == "cpu: 1\nb: 2\ngpu: 1\n");
  CHECK(set("cpu: \"1\"\na: 1Gi\n", "", "gpu", Value::quantity("1")) ==
        "cpu: \"1\"\na: 1Gi\ngpu: \"1\"\n");
  CHECK(set("cpu: \"1\"\na: 1Gi\n", "", "z", Value::quantity("1Gi")) ==
        "cpu: \"1\"\na: 1Gi\nz: 1Gi\n");
  CHECK(set("memory: 1Gi\n", "", "gpu", Value::quantity("1")) == "memory: 1Gi\ngpu: 1\n");
  CHECK(set("requests:\n  cpu: \"1\"\nlimits: {}\n", "limits", "gpu", Value::quantity("1")) ==
        "requests:\n  cpu: \"1\"\nlimits:\n  gpu: \"1\"\n");
  CHECK(append("- key: \"a\"\n  op: \"b\"\n", "", toleration()) ==
        "- key: \"a\"\n  op: \"b\"\n- key: \"nvidia.com/gpu\"\n  operator: \"Exists\"\n");
}

TEST_CASE("What does not fit is an error that says where", "[edit]") {
  CHECK(append("spec:\n  tolerations: {a: 1}\n", "spec.tolerations", one) ==
        "error: spec.tolerations is a mapping, expected a sequence");
  CHECK(edited("spec: [1]\n", [](Changes& changes, auto at) {
          changes.set(at("") / "spec" / "a", "b", one, why);
        }) == "error: spec is a sequence, expected a mapping");
  CHECK(set("spec:\n  a: 1\n  b: 1\n  a: 2\n", "spec", "c", one) ==
        "error: duplicate key \"a\" in spec");
}

TEST_CASE("What is there already needs no edit", "[edit]") {
  for (const char* before : {"a: 1\nb: {c: [x, \"y\"]}\n", "a: 1\nb:\n  c:\n  - x\n  - 'y'\n"}) {
    CHECK(edited(before, [](Changes& changes, auto at) {
            changes.set(at(""), "a", Value::quantity("1"), why);
            changes.set(
                at(""), "b",
                Value::mapping({{"c", Value::sequence({Value::string("x"), Value::string("y")})}}),
                why);
            changes.remove(at("b"), "z", why);
            changes.rename(at("b"), "z", "y", why);
            CHECK(changes.none());
          }) == before);
  }
}
