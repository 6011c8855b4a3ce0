#include "core/yaml/segment.h"

#include <string>

#include "core/testing.h"
#include "core/yaml/lookup.h"

using namespace gpuspec::yaml;

namespace {

std::vector<std::string> documents(const std::string& stream) {
  std::vector<std::string> result;
  for (const Segment& s : split_documents(stream)) {
    result.push_back(stream.substr(s.begin, s.end - s.begin));
  }
  return result;
}

/// Units of a stream that arrives in pieces of `step` bytes, dropping what is no longer needed.
std::vector<Unit> arriving(const std::string& stream, std::size_t step) {
  std::vector<Unit> units;
  Cutter cutter(true);
  std::size_t have = 0;
  for (;;) {
    const std::size_t from = cutter.position();
    const bool last = have == stream.size();
    const auto unit = cutter.next(std::string_view(stream).substr(from, have - from), from, last);
    if (unit) {
      units.push_back(*unit);
    } else if (last) {
      return units;
    } else {
      have = std::min(stream.size(), have + step);
    }
  }
}

std::string large_list(std::size_t pods, const std::string& indent, const std::string& eol) {
  std::string text = "apiVersion: v1" + eol + "items:" + eol;
  for (std::size_t i = 0; i < pods; ++i) {
    text += indent + "- apiVersion: v1" + eol + indent + "  kind: Pod" + eol + indent +
            "  text: |" + eol + indent + "    - no item" + eol + indent + "# comment" + eol +
            indent + "  name: pod-" + std::to_string(i) + eol;
  }
  return text + "kind: List" + eol + "metadata: {}" + eol;
}

}  // namespace

TEST_CASE("documents are cut at markers") {
  using Strings = std::vector<std::string>;
  CHECK(documents("").empty());
  CHECK(documents("a: b\n") == Strings{"a: b\n"});
  CHECK(documents("a: b\n---\nc: d\n") == Strings{"a: b\n", "---\nc: d\n"});
  CHECK(documents("---\na: b\n---\n---\n") == Strings{"---\na: b\n", "---\n", "---\n"});
  CHECK(documents("# c\n---\na: b\n") == Strings{"# c\n---\na: b\n"});
  CHECK(documents("%YAML 1.2\n---\na\n...\n%YAML 1.2\n---\nb\n") ==
        Strings{"%YAML 1.2\n---\na\n...\n", "%YAML 1.2\n---\nb\n"});
  CHECK(documents("a\n...\nb\n...\n") == Strings{"a\n...\n", "b\n...\n"});
  CHECK(documents("a: --- b\n--- c\n----\n") == Strings{"a: --- b\n", "--- c\n----\n"});
  CHECK(documents("a: b\r\n---\r\nc: d") == Strings{"a: b\r\n", "---\r\nc: d"});
  CHECK(documents("\xEF\xBB\xBF---\na: b\n") == Strings{"\xEF\xBB\xBF---\na: b\n"});
}

TEST_CASE("a large list is cut into pieces that read as the whole does") {
  for (const std::string indent : {"", "  "}) {
    for (const std::string eol : {"\n", "\r\n"}) {
      const std::string text =
          "---" + eol + large_list(20000, indent, eol) + "---" + eol + "a: b" + eol;
      const std::vector<Unit> units = arriving(text, text.size());
      REQUIRE(units.size() > 6);
      CHECK(units.front().kind == Unit::Kind::list_head);
      CHECK(units[units.size() - 2].kind == Unit::Kind::list_tail);
      CHECK(units.back().kind == Unit::Kind::document);
      CHECK(units.back().document == 1);
      std::size_t at = 0;
      std::size_t pods = 0;
      for (const Unit& unit : units) {
        CHECK(unit.begin == at);
        at = unit.end;
        Tree tree;
        read_document(std::string_view(text).substr(unit.begin, unit.end - unit.begin), unit.begin,
                      tree);
        if (unit.kind != Unit::Kind::list_items) continue;
        CHECK(tree[0].kind == Kind::sequence);
        for (const NodeId item : items(tree, 0)) {
          CHECK(get_text(tree, item, "name") == "pod-" + std::to_string(pods++));
        }
      }
      CHECK(at == text.size());
      CHECK(pods == 20000);
    }
  }
}

TEST_CASE("a stream that arrives in pieces is cut in the same places") {
  const std::string text =
      "a: b\n---\n" + large_list(15000, "", "\n") + "...\n%YAML 1.2\n---\nc: d\n";
  const std::vector<Unit> whole = arriving(text, text.size());
  for (const std::size_t step : {1000UL, 65536UL, 700001UL}) {
    const std::vector<Unit> pieces = arriving(text, step);
    REQUIRE(pieces.size() == whole.size());
    for (std::size_t i = 0; i < whole.size(); ++i) {
      CHECK(pieces[i].kind == whole[i].kind);
      CHECK(pieces[i].begin == whole[i].begin);
      CHECK(pieces[i].end == whole[i].end);
      CHECK(pieces[i].document == whole[i].document);
    }
  }
}
