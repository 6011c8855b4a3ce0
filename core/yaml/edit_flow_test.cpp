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

std::string tolerate(const std::string& before, std::string_view path = "spec") {
  return edited(before, [&](Changes& changes, auto at) {
    changes.append(at(path) / "tolerations", toleration(), why);
  });
}

std::string set(const std::string& before, std::string_view path, std::string_view key,
                Value value) {
  return edited(before, [&](Changes& changes, auto at) { changes.set(at(path), key, value, why); });
}

}  // namespace

TEST_CASE("JSON stays JSON", "[edit]") {
  CHECK(tolerate(R"({"spec":{"name":"x"}})") ==
        R"({"spec":{"name":"x","tolerations":[{"key":"nvidia.com/gpu","operator":"Exists"}]}})");
  CHECK(tolerate(R"({"spec": {"tolerations": []}})") ==
        R"({"spec": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}})");
  CHECK(tolerate(R"({"spec": {"tolerations": null}})") ==
        R"({"spec": {"tolerations": [{"key": "nvidia.com/gpu", "operator": "Exists"}]}})");
  CHECK(tolerate("{\n    \"spec\": {\n        \"name\": \"x\"\n    }\n}\n") ==
        "{\n    \"spec\": {\n        \"name\": \"x\",\n        \"tolerations\": [\n            {\n"
        "                \"key\": \"nvidia.com/gpu\",\n                \"operator\": \"Exists\"\n"
        "            }\n        ]\n    }\n}\n");
  CHECK(tolerate("{\n\t\"spec\": {\n\t\t\"tolerations\": []\n\t}\n}\n") ==
        "{\n\t\"spec\": {\n\t\t\"tolerations\": [\n\t\t\t{\n\t\t\t\t\"key\": \"nvidia.com/gpu\",\n"
        "\t\t\t\t\"operator\": \"Exists\"\n\t\t\t}\n\t\t]\n\t}\n}\n");
  CHECK(
      tolerate("{\r\n  \"spec\": {\r\n    \"tolerations\": [\r\n      {\r\n        \"a\": 1\r\n"
               "      }\r\n    ]\r\n  }\r\n}\r\n") ==
      "{\r\n  \"spec\": {\r\n    \"tolerations\": [\r\n      {\r\n        \"a\": 1\r\n      },\r\n"
      "      {\r\n        \"key\": \"nvidia.com/gpu\",\r\n        \"operator\": \"Exists\"\r\n"
      "      }\r\n    ]\r\n  }\r\n}\r\n");
  CHECK(set(R"({"limits":{"cpu":"1"}})", "limits", "nvidia.com/gpu", Value::quantity("1")) ==
        R"({"limits":{"cpu":"1","nvidia.com/gpu":"1"}})");
  CHECK(set(R"({"limits":{"cpu":1}})", "limits", "nvidia.com/gpu", Value::quantity("1")) ==
        R"({"limits":{"cpu":1,"nvidia.com/gpu":1}})");
  CHECK(set(R"({"limits":{}})", "limits", "nvidia.com/gpu", Value::quantity("1")) ==
        R"({"limits":{"nvidia.com/gpu":"1"}})");
  CHECK(set(R"({"a":1,"c":"\u00e9/"})", "", "b", Value::string("t\tn\n\"\\\x01\x7f")) ==
        R"({"a":1,"b":"t\tn\n\"\\\u0001\u007f","c":"\u00e9/"})");
}

TEST_CASE("kubectl's KYAML keeps its commas and brackets", "[edit]") {
  const std::string before =
      "---\n{\n  apiVersion: \"v1\",\n  spec: {\n    containers: [{\n      image: \"x\",\n"
      "      name: \"y\",\n    }],\n    nodeName: \"z\",\n  },\n}\n";
  CHECK(tolerate(before) ==
        "---\n{\n  apiVersion: \"v1\",\n  spec: {\n    containers: [{\n      image: \"x\",\n"
        "      name: \"y\",\n    }],\n    nodeName: \"z\",\n    tolerations: [{\n"
        "      key: \"nvidia.com/gpu\",\n      operator: \"Exists\",\n    }],\n  },\n}\n");
  CHECK(
      edited(before,
             [](Changes& changes, auto at) {
               changes.append(at("spec.containers"), Value::mapping({{"name", Value::string("n")}}),
                              why);
               changes.set(at("spec.containers[0]"), "args",
                           Value::sequence({Value::string("a"), Value::string("b")}), why);
             }) ==
      "---\n{\n  apiVersion: \"v1\",\n  spec: {\n    containers: [{\n      args: [\n"
      "        \"a\",\n        \"b\",\n      ],\n      image: \"x\",\n"
      "      name: \"y\",\n    }, {\n      name: \"n\",\n    }],\n    nodeName: \"z\",\n  },\n}\n");
  CHECK(tolerate("{\n  spec: {\n    tolerations: [],\n  },\n}\n") ==
        "{\n  spec: {\n    tolerations: [{\n      key: nvidia.com/gpu,\n      operator: Exists,\n"
        "    }],\n  },\n}\n");
}

TEST_CASE("Flow collections in block documents grow in their own way", "[edit]") {
  CHECK(set("a: {b: 1} # c\n", "a", "x", Value::integer(1)) == "a: {b: 1, x: 1} # c\n");
  CHECK(set("a: { b: 1 }\n", "a", "x", Value::mapping({{"z", Value::integer(1)}})) ==
        "a: { b: 1, x: { z: 1 } }\n");
  CHECK(set("a: {b: 1,}\n", "a", "x", Value::integer(1)) == "a: {b: 1, x: 1,}\n");
  CHECK(set("a: {c: 1,\n    b: 2 # two\n    }\n", "a", "x", Value::integer(1)) ==
        "a: {c: 1,\n    b: 2, # two\n    x: 1\n    }\n");
  CHECK(set("a: {c: 1,\n    b: 2, # two\n    }\n", "a", "x", Value::integer(1)) ==
        "a: {c: 1,\n    b: 2, # two\n    x: 1,\n    }\n");
  CHECK(set("a: {c: 1,\n    b: 2}\n", "a", "x", Value::integer(1)) ==
        "a: {c: 1,\n    b: 2,\n    x: 1}\n");
  CHECK(set("a: {c: 1\n    , b: 2\n    }\n", "a", "x", Value::integer(1)) ==
        "a: {c: 1\n    , b: 2, x: 1\n    }\n");
  CHECK(set("a: {\n  a: 1, # one\n  c: 2 # two\n}\n", "a", "b", Value::integer(1)) ==
        "a: {\n  a: 1, # one\n  b: 1,\n  c: 2 # two\n}\n");
  CHECK(set("a: {\n  # first\n  b: 1,\n  c: 2\n}\n", "a", "a", Value::integer(1)) ==
        "a: {\n  # first\n  a: 1,\n  b: 1,\n  c: 2\n}\n");
  CHECK(set("- [a: b]\n", "[0][0]", "x", Value::integer(1)) == "- [{a: b, x: 1}]\n");
  CHECK(set("{a: 1, b}", "", "x", Value::integer(1)) == "{a: 1, b, x: 1}");
  CHECK(set("{\"a\": 'x', ? b : 'y'}", "", "x", Value::string("z")) ==
        "{\"a\": 'x', ? b : 'y', x: 'z'}");
}
