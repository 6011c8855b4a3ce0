#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/yaml/testing/random.h"
#include "core/yaml/value.h"

namespace gpuspec::yaml::testing {

/// Values of chance: anything that YAML can say, with parts that repeat, so that anchors have
/// something to do.
class Values {
 public:
  explicit Values(Random& random) : r_(random) {}

  Value mapping(int depth) {
    Value value = Value::mapping();
    if (!pool_.empty() && r_.chance(30)) {
      const Value& base = r_.pick(pool_);
      if (base.is_mapping()) value = base;
    }
    for (std::size_t count = r_.below(5) + (depth == 0 ? 1 : 0); count > 0; --count) {
      std::string name = key();
      if (!value.find(name))
        value.entries.emplace_back(Value::string(name), this->value(depth + 1));
    }
    if (r_.chance(50)) {
      std::sort(value.entries.begin(), value.entries.end(),
                [](const auto& a, const auto& b) { return a.first.text < b.first.text; });
    }
    pool_.push_back(value);
    return value;
  }

  Value value(int depth) {
    if (!pool_.empty() && r_.chance(15)) return r_.pick(pool_);
    const std::size_t way = r_.below(100);
    if (depth < 5 && way < 30) return mapping(depth);
    if (depth < 5 && way < 45) {
      Value value = Value::sequence();
      const bool alike = r_.chance(50);
      for (std::size_t count = r_.below(4); count > 0; --count)
        value.items.push_back(alike ? mapping(depth + 1) : this->value(depth + 1));
      pool_.push_back(value);
      return value;
    }
    return scalar();
  }

  Value scalar() {
    static const std::vector<std::string> plain = {"1",     "0",    "-3",   "1.5", "true",
                                                   "false", "null", "null", "1e3"};
    if (r_.chance(30)) return Value::plain(r_.pick(plain));
    return Value::string(string());
  }

  std::string string() {
    static const std::vector<std::string> strings = {"a",
                                                     "b c",
                                                     "some more words to fold",
                                                     "yes",
                                                     "1",
                                                     "0755",
                                                     "1e3",
                                                     "null",
                                                     "",
                                                     "~",
                                                     "2020-01-01",
                                                     "x: y",
                                                     "x #y",
                                                     "#x",
                                                     "- x",
                                                     "a, b",
                                                     "[a]",
                                                     "{{ x }}",
                                                     "it's",
                                                     "say \"no\"",
                                                     "back\\slash",
                                                     " lead",
                                                     "trail ",
                                                     "tab\there",
                                                     "line one\nline two\n",
                                                     "one\ntwo",
                                                     "one\n\ntwo\n\n",
                                                     "\n  indented\n",
                                                     "  first is indented\nsecond\n",
                                                     "#!/bin/sh\necho \"x\" # not a comment\n",
                                                     "end\n\n\n",
                                                     "nvidia.com/gpu",
                                                     "1Gi",
                                                     "100m",
                                                     "12:30:45",
                                                     "=",
                                                     "<<",
                                                     "\xC3\xA9t\xC3\xA9",
                                                     "\xF0\x9F\x98\x80",
                                                     "\x01",
                                                     "\xE2\x80\xA8",
                                                     "a:b",
                                                     ":",
                                                     "-",
                                                     "?",
                                                     "!x",
                                                     "&x",
                                                     "*x",
                                                     "@x",
                                                     "%x",
                                                     "`x",
                                                     "|",
                                                     ">",
                                                     "---",
                                                     "...",
                                                     "a:",
                                                     "key = value",
                                                     "trailing line  \nx\n"};
    return r_.pick(strings);
  }

  std::string key() {
    static const std::vector<std::string> keys = {
        "a",    "b",    "c",        "d",      "e",
        "f",    "name", "image",    "limits", "nvidia.com/gpu",
        "spec", "zone", "yes",      "1",      "a b",
        "k: v", "null", "\xC3\xA9", "x#y",    "-x",
        "0x",   "a2",   "a10",      "Upper"};
    return r_.pick(keys);
  }

 private:
  Random& r_;
  std::vector<Value> pool_;
};

}  // namespace gpuspec::yaml::testing
