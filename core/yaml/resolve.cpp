#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "core/yaml/lookup.h"

namespace gpuspec::yaml {
namespace {

/// Spellings with a meaning of their own (go-yaml v2 resolve.go, as sigs.k8s.io/yaml uses it).
struct Word {
  std::string_view spelling;
  Type type;
};
constexpr std::array<Word, 42> words{{
    {"y", Type::boolean},      {"Y", Type::boolean},      {"yes", Type::boolean},
    {"Yes", Type::boolean},    {"YES", Type::boolean},    {"n", Type::boolean},
    {"N", Type::boolean},      {"no", Type::boolean},     {"No", Type::boolean},
    {"NO", Type::boolean},     {"true", Type::boolean},   {"True", Type::boolean},
    {"TRUE", Type::boolean},   {"false", Type::boolean},  {"False", Type::boolean},
    {"FALSE", Type::boolean},  {"on", Type::boolean},     {"On", Type::boolean},
    {"ON", Type::boolean},     {"off", Type::boolean},    {"Off", Type::boolean},
    {"OFF", Type::boolean},    {"", Type::null},          {"~", Type::null},
    {"null", Type::null},      {"Null", Type::null},      {"NULL", Type::null},
    {".nan", Type::floating},  {".NaN", Type::floating},  {".NAN", Type::floating},
    {".inf", Type::floating},  {".Inf", Type::floating},  {".INF", Type::floating},
    {"+.inf", Type::floating}, {"+.Inf", Type::floating}, {"+.INF", Type::floating},
    {"-.inf", Type::floating}, {"-.Inf", Type::floating}, {"-.INF", Type::floating},
    {"<<", Type::string},      {"=", Type::string},       {".", Type::string},
}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Go's strconv.ParseInt(text, 0, 64), or ParseUint: base by prefix, whole text.
bool is_integer(std::string_view text) {
  bool negative = false;
  if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
    negative = text.front() == '-';
    text.remove_prefix(1);
  }
  int base = 10;
  if (text.size() > 1 && text.front() == '0') {
    const char mark = static_cast<char>(text[1] | 0x20);
    base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 8;
    text.remove_prefix(mark == 'x' || mark == 'o' || mark == 'b' ? 2 : 1);
  }
  if (text.empty()) return false;
  unsigned long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc() || end != text.data() + text.size()) return false;
  return !negative || value <= 1ULL << 63;
}

/// `[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?`, and in the range of a double.
bool is_float(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t from = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - from;
  };
  if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
  const std::size_t whole = digits();
  if (i < text.size() && text[i] == '.') {
    ++i;
    if (digits() == 0 && whole == 0) return false;
  } else if (whole == 0) {
    return false;
  }
  if (i < text.size() && (text[i] == 'e' || text[i] == 'E')) {
    ++i;
    if (i < text.size() && (text[i] == '+' || text[i] == '-')) ++i;
    if (digits() == 0) return false;
  }
  if (i != text.size()) return false;
  return std::isfinite(std::strtod(std::string(text).c_str(), nullptr));
}

}  // namespace

Type plain_type(std::string_view spelling) {
  if (spelling.size() <= 5) {
    for (const Word& word : words) {
      if (word.spelling == spelling) return word.type;
    }
  }
  const char c = spelling.front();
  if (!is_digit(c) && c != '+' && c != '-' && c != '.') return Type::string;
  if (c == '.') return is_float(spelling) ? Type::floating : Type::string;
  std::string digits;
  if (spelling.find('_') != std::string_view::npos) {
    digits = spelling;
    std::erase(digits, '_');
    spelling = digits;
  }
  if (is_integer(spelling)) return Type::integer;
  return is_float(spelling) ? Type::floating : Type::string;
}

Type type_of(const Tree& tree, NodeId id) {
  id = tree.resolve(id);
  const Node& node = tree[id];
  if (node.kind == Kind::mapping) return Type::mapping;
  if (node.kind == Kind::sequence) return Type::sequence;
  if (const Properties* props = tree.properties(id); props && !props->tag.empty()) {
    std::string_view tag = props->tag;
    constexpr std::string_view verbatim = "!<tag:yaml.org,2002:";
    if (tag.substr(0, verbatim.size()) == verbatim) {
      tag = tag.substr(verbatim.size(), tag.size() - verbatim.size() - 1);
    } else if (tag.substr(0, 2) == "!!") {
      tag.remove_prefix(2);
    } else {
      return Type::string;
    }
    if (tag == "int") return Type::integer;
    if (tag == "float") return Type::floating;
    if (tag == "bool") return Type::boolean;
    if (tag == "null") return Type::null;
    return Type::string;
  }
  if (node.style != Style::plain) return Type::string;
  if (!(node.flags & multi_line)) return plain_type(tree.raw(id));
  return plain_type(scalar_text(tree, id));
}

std::string_view describe(Type type) {
  switch (type) {
    case Type::null:
      return "null";
    case Type::boolean:
      return "a boolean";
    case Type::integer:
    case Type::floating:
      return "a number";
    case Type::string:
      return "a string";
    case Type::mapping:
      return "a mapping";
    case Type::sequence:
      return "a sequence";
  }
  return "";
}

}  // namespace gpuspec::yaml
