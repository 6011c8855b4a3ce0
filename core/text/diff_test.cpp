#include "core/text/diff.h"

#include <cstdio>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "core/testing.h"

using gpuspec::text::Edit;
using gpuspec::text::unified_diff;

namespace {

std::string edited(const std::string& before, const std::vector<Edit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const Edit& edit : edits) {
    out += before.substr(at, edit.begin - at) + edit.text;
    at = edit.end;
  }
  return out + before.substr(at);
}

std::string numbered(int lines) {
  std::string text;
  for (int i = 1; i <= lines; ++i) text += std::to_string(i) + "\n";
  return text;
}

/// Applies a unified diff of one file as patch(1) does, without any tolerance.
std::string patched(const std::string& before, const std::string& diff) {
  std::vector<std::string> old_lines;
  for (std::size_t i = 0; i < before.size();) {
    const std::size_t end = std::min(before.find('\n', i), before.size() - 1) + 1;
    old_lines.push_back(before.substr(i, end - i));
    i = end;
  }
  std::string out;
  std::size_t next = 0;
  std::istringstream in(diff);
  std::string line;
  std::vector<std::string> body;
  while (std::getline(in, line)) body.push_back(line);
  for (std::size_t i = 2; i < body.size();) {
    int first = 0;
    int count = 1;
    int new_first = 0;
    int new_count = 1;
    std::string head = body[i++];
    if (std::sscanf(head.c_str(), "@@ -%d,%d +%d,%d @@", &first, &count, &new_first, &new_count) <
            4 &&
        std::sscanf(head.c_str(), "@@ -%d +%d,%d @@", &first, &new_first, &new_count) < 3 &&
        std::sscanf(head.c_str(), "@@ -%d,%d +%d @@", &first, &count, &new_first) < 3) {
      REQUIRE(std::sscanf(head.c_str(), "@@ -%d +%d @@", &first, &new_first) == 2);
    }
    const std::size_t start = static_cast<std::size_t>(count == 0 ? first : first - 1);
    while (next < start) out += old_lines.at(next++);
    int seen_old = 0;
    int seen_new = 0;
    for (; i < body.size() && !body[i].starts_with("@@"); ++i) {
      if (body[i].starts_with("\\")) continue;
      const bool open = i + 1 < body.size() && body[i + 1].starts_with("\\");
      const std::string content = body[i].substr(1) + (open ? "" : "\n");
      if (body[i][0] != '+') {
        REQUIRE(old_lines.at(next++) == content);
        ++seen_old;
      }
      if (body[i][0] != '-') {
        out += content;
        ++seen_new;
      }
    }
    REQUIRE(seen_old == count);
    REQUIRE(seen_new == new_count);
  }
  while (next < old_lines.size()) out += old_lines[next++];
  return out;
}

}  // namespace

TEST_CASE("diff: nothing changed, nothing said") {
  CHECK(unified_diff("x", "a\nb\n", {}).empty());
  CHECK(unified_diff("x", "a\nb\n", {{0, 1, "a"}}).empty());
}

TEST_CASE("diff: an inserted line is only an inserted line") {
  CHECK(unified_diff("x.yaml", numbered(9), {{9, 9, "\nnew"}}) ==
        "--- a/x.yaml\n+++ b/x.yaml\n@@ -3,6 +3,7 @@\n 3\n 4\n 5\n+new\n 6\n 7\n 8\n");
  CHECK(unified_diff("/x", "", {{0, 0, "new\n"}}) == "--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+new\n");
}

TEST_CASE("diff: changed lines, two edits of one line, no final line end") {
  CHECK(unified_diff("x", "a: []\nb: 1", {{3, 5, "[1]"}, {9, 10, "2"}}) ==
        "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n-a: []\n-b: 1\n\\ No newline at end of file\n"
        "+a: [1]\n+b: 2\n\\ No newline at end of file\n");
  CHECK(unified_diff("x", "a: 1", {{0, 1, "b"}, {4, 4, "\nc: 2\n"}}) ==
        "--- a/x\n+++ b/x\n@@ -1 +1,2 @@\n-a: 1\n\\ No newline at end of file\n+b: 1\n+c: 2\n");
}

TEST_CASE("diff: hunks join when their context meets") {
  const std::string text = numbered(30);
  const std::size_t line_15 = text.find("15\n");
  const std::string near =
      unified_diff("x", text, {{0, 0, "A\n"}, {text.find("7\n"), text.find("7\n"), "B\n"}});
  CHECK(near.find("\n@@", near.find("@@ -1")) == std::string::npos);
  const std::string far = unified_diff("x", text, {{0, 0, "A\n"}, {line_15, line_15, "B\n"}});
  CHECK(far.find("@@ -1,3 +1,4 @@") != std::string::npos);
  CHECK(far.find("@@ -12,6 +13,7 @@") != std::string::npos);
}

TEST_CASE("diff: colours") {
  CHECK(unified_diff("x", "a\n", {{0, 1, "b"}}, true) ==
        "\033[1m--- a/x\033[m\n\033[1m+++ b/x\033[m\n\033[36m@@ -1 +1 @@\033[m\n"
        "\033[31m-a\033[m\n\033[32m+b\033[m\n");
}

TEST_CASE("diff: the diff of random edits makes the new text") {
  std::mt19937 random(7);
  const auto upto = [&](std::size_t n) { return random() % (n + 1); };
  for (int round = 0; round < 3000; ++round) {
    std::string before;
    for (std::size_t i = upto(40); i > 0; --i) before += "l" + std::to_string(upto(3)) + "\n";
    if (upto(1) == 0 && !before.empty()) before.pop_back();
    std::vector<Edit> edits;
    for (std::size_t at = upto(20); at <= before.size(); at += 1 + upto(40)) {
      Edit edit{at, std::min(at + upto(9), before.size()), {}};
      for (std::size_t i = upto(6); i > 0; --i) edit.text += upto(2) == 0 ? '\n' : 'x';
      at = edit.end;
      edits.push_back(edit);
    }
    const std::string after = edited(before, edits);
    const std::string diff = unified_diff("x", before, edits);
    INFO(before << "=====\n" << after << "=====\n" << diff);
    CHECK(diff.empty() == (before == after));
    if (!diff.empty()) CHECK(patched(before, diff) == after);
  }
}
