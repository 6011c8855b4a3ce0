// The YAML test suite (yaml-test-suite, MIT), read from ../shared: accept or reject, and the events
// of the tree. The suite's files are YAML themselves and are read with the same reader.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>

#include "core/testing.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace fs = std::filesystem;
using namespace gpuspec::yaml;

namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

/// The suite's visible signs for invisible characters.
std::string unmask(std::string text) {
  replace_all(text, "␣", " ");
  for (const char* tab : {"————»", "———»", "——»", "—»", "»"}) replace_all(text, tab, "\t");
  replace_all(text, "⇔", "\xEF\xBB\xBF");
  replace_all(text, "↵", "");
  replace_all(text, "←", "\r");
  replace_all(text, "∎\n", "");
  return text;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '\n':
        out += "\\n";
        break;
      case '\t':
        out += "\\t";
        break;
      case '\r':
        out += "\\r";
        break;
      case '\b':
        out += "\\b";
        break;
      case '\\':
        out += "\\\\";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string tag_uri(const Tree& tree, std::string_view tag) {
  if (tag.substr(0, 2) == "!<") return std::string(tag.substr(2, tag.size() - 3));
  std::string_view handle = "!";
  std::string_view suffix = tag.substr(1);
  if (const std::size_t second = tag.find('!', 1); second != std::string_view::npos) {
    handle = tag.substr(0, second + 1);
    suffix = tag.substr(second + 1);
  }
  std::string prefix = handle == "!!" ? "tag:yaml.org,2002:" : "!";
  for (const auto& [declared, to] : tree.tag_handles) {
    if (declared == handle) prefix = to;
  }
  std::string uri = prefix;
  for (std::size_t i = 0; i < suffix.size(); ++i) {
    if (suffix[i] == '%' && i + 2 < suffix.size()) {
      uri += static_cast<char>(std::stoi(std::string(suffix.substr(i + 1, 2)), nullptr, 16));
      i += 2;
    } else {
      uri += suffix[i];
    }
  }
  return uri;
}

void events(const Tree& tree, NodeId id, std::ostream& out) {
  const Node& node = tree[id];
  std::string props;
  if (const Properties* p = tree.properties(id)) {
    if (!p->anchor.empty()) props += " &" + std::string(p->anchor);
    if (!p->tag.empty()) props += " <" + tag_uri(tree, p->tag) + ">";
  }
  if (node.kind == Kind::alias) {
    out << "=ALI " << tree.raw(id) << "\n";
  } else if (node.kind == Kind::scalar) {
    const char sign = node.style == Style::double_quoted   ? '"'
                      : node.style == Style::single_quoted ? '\''
                      : node.style == Style::literal       ? '|'
                      : node.style == Style::folded        ? '>'
                                                           : ':';
    out << "=VAL" << props << " " << sign << escaped(scalar_text(tree, id)) << "\n";
  } else {
    const bool map = node.kind == Kind::mapping;
    const bool flow = node.style == Style::flow;
    out << (map ? "+MAP" : "+SEQ") << (flow ? (map ? " {}" : " []") : "") << props << "\n";
    for (NodeId c = first_child(tree, id); c != no_node; c = next_sibling(tree, id, c)) {
      events(tree, c, out);
    }
    out << (map ? "-MAP" : "-SEQ") << "\n";
  }
}

/// The events of a stream, or "error: …".
std::string stream_events(const std::string& text) {
  std::ostringstream out;
  out << "+STR\n";
  try {
    for (const Segment& segment : split_documents(text)) {
      Tree tree;
      read_document(std::string_view(text).substr(segment.begin, segment.end - segment.begin),
                    segment.begin, tree);
      if (!tree.has_content && !tree.explicit_start) continue;
      out << "+DOC" << (tree.explicit_start ? " ---" : "") << "\n";
      events(tree, 0, out);
      out << "-DOC" << (tree.explicit_end ? " ..." : "") << "\n";
    }
  } catch (const gpuspec::text::Error& error) {
    return "error: " + std::string(error.what()) + " at " + std::to_string(error.offset());
  }
  out << "-STR\n";
  return out.str();
}

std::string without_indent(const std::string& tree) {
  std::istringstream in(tree);
  std::string out;
  for (std::string line; std::getline(in, line);) {
    line.erase(0, line.find_first_not_of(' '));
    out += line + "\n";
  }
  return out;
}

/// Cases where this reader differs on purpose, with the reason.
const std::map<std::string, std::string>& known_differences() {
  static const std::map<std::string, std::string> known = {
      {"L24T/1",
       "a last line of blanks without line break: Kubernetes' parser adds no break either"},
      {"ZYU8/2", "a directive with two versions: the suite itself marks it to be skipped"},
  };
  return known;
}

}  // namespace

TEST_CASE("YAML test suite") {
  const char* shared = std::getenv("GPUSPEC_SHARED");
  const fs::path dir =
      fs::path(shared ? shared : GPUSPEC_SOURCE_DIR "/../shared") / "yaml-test-suite/src";
  if (!fs::exists(dir)) {
    WARN("skipped: YAML test suite: no shared data");
    return;
  }
  int total = 0;
  int right = 0;
  int false_accepts = 0;
  std::vector<fs::path> files;
  for (const auto& entry : fs::directory_iterator(dir)) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) {
    std::ifstream in(file);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    Tree suite;
    read_document(bytes, 0, suite);
    std::string expected;
    int number = 0;
    for (const NodeId item : items(suite, 0)) {
      const std::string id = file.stem().string() + "/" + std::to_string(number++);
      if (const auto tree = get_text(suite, item, "tree")) expected = without_indent(unmask(*tree));
      const auto yaml = get_text(suite, item, "yaml");
      if (!yaml) continue;
      const bool must_fail = get(suite, item, "fail") != no_node;
      const std::string actual = stream_events(unmask(*yaml));
      const bool failed = actual.rfind("error", 0) == 0;
      ++total;
      if (must_fail ? failed : actual == expected) {
        ++right;
        CHECK_FALSE(known_differences().count(id));  // it would no longer be a difference
      } else {
        if (must_fail) ++false_accepts;
        if (!known_differences().count(id)) {
          UNSCOPED_INFO(id << (must_fail ? " must fail\n" : "\n") << *yaml << "--- expected\n"
                           << (must_fail ? "error\n" : expected) << "--- actual\n"
                           << actual);
          CHECK(id == "right");
        }
      }
    }
  }
  CAPTURE(total, right, false_accepts);
  CHECK(false_accepts == 0);
  CHECK(right >= 400);
  std::cout << "yaml-test-suite: " << right << " of " << total << " right\n";
}
