#include "core/kube/selector.h"

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

#include "core/kube/names.h"

namespace gpuspec::kube {
namespace {

/// strconv.ParseInt(text, 10, 64).
std::optional<long long> parse_integer(std::string_view text) {
  if (text.starts_with('+')) {
    text.remove_prefix(1);
    if (text.starts_with('-')) return std::nullopt;
  }
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

bool contains(const std::vector<std::string>& values, std::string_view value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

/// Why the requirement is refused; empty when it is good.
std::string check(const NodeSelectorRequirement& requirement) {
  const auto& values = requirement.values;
  if (const auto errors = check_label_key(requirement.key); !errors.empty())
    return "the key '" + requirement.key + "': " + errors.front();
  if (requirement.op == "In" || requirement.op == "NotIn") {
    if (values.empty()) return "In and NotIn need at least one value";
  } else if (requirement.op == "Exists" || requirement.op == "DoesNotExist") {
    if (!values.empty()) return "Exists and DoesNotExist take no values";
  } else if (requirement.op == "Gt" || requirement.op == "Lt") {
    if (values.size() != 1) return "Gt and Lt need exactly one value";
    if (!parse_integer(values.front())) return "'" + values.front() + "' is not an integer";
  } else {
    return "'" + requirement.op + "' is not an operator";
  }
  for (const std::string& value : values) {
    if (const auto errors = check_label_value(value); !errors.empty())
      return "the value '" + value + "': " + errors.front();
  }
  return {};
}

bool holds(const NodeSelectorRequirement& requirement, const Labels& labels) {
  const auto label = labels.find(requirement.key);
  const bool present = label != labels.end();
  if (requirement.op == "In") return present && contains(requirement.values, label->second);
  if (requirement.op == "NotIn") return !present || !contains(requirement.values, label->second);
  if (requirement.op == "Exists") return present;
  if (requirement.op == "DoesNotExist") return !present;
  if (!present || requirement.values.empty()) return false;
  const auto value = parse_integer(label->second);
  const auto bound = parse_integer(requirement.values.front());
  if (!value || !bound) return false;
  return requirement.op == "Gt" ? *value > *bound : *value < *bound;
}

/// A field requirement as the scheduler's field selector knows it: one value, In or NotIn.
bool field_holds(const NodeSelectorRequirement& requirement, std::string_view node_name) {
  const std::string_view field = requirement.key == "metadata.name" ? node_name : "";
  return (requirement.values.front() == field) == (requirement.op == "In");
}

}  // namespace

bool matches(const NodeSelectorTerm& term, const Labels& labels, std::string_view node_name) {
  if (term.match_expressions.empty() && term.match_fields.empty()) return false;
  for (const auto& requirement : term.match_expressions) {
    if (!check(requirement).empty()) return false;
  }
  for (const auto& requirement : term.match_fields) {
    if (requirement.values.size() != 1 || (requirement.op != "In" && requirement.op != "NotIn"))
      return false;
  }
  for (const auto& requirement : term.match_expressions) {
    if (!holds(requirement, labels)) return false;
  }
  if (node_name.empty()) return true;
  return std::all_of(term.match_fields.begin(), term.match_fields.end(),
                     [&](const auto& requirement) { return field_holds(requirement, node_name); });
}

namespace {

/// Reads `-l` text from left to right.
class Parser {
 public:
  explicit Parser(std::string_view text) : text_(text) {}

  std::vector<NodeSelectorRequirement> run() {
    std::vector<NodeSelectorRequirement> requirements;
    skip_space();
    if (at_end()) return requirements;
    for (;;) {
      requirements.push_back(requirement());
      if (const std::string problem = check(requirements.back()); !problem.empty()) fail(problem);
      skip_space();
      if (at_end()) return requirements;
      expect(',');
    }
  }

 private:
  NodeSelectorRequirement requirement() {
    skip_space();
    NodeSelectorRequirement result;
    if (accept("!")) {
      skip_space();
      result.key = word();
      result.op = "DoesNotExist";
      return result;
    }
    result.key = word();
    if (result.key.empty()) fail("a key is missing");
    skip_space();
    if (at_end() || peek() == ',') {
      result.op = "Exists";
    } else if (accept("!=")) {
      result.op = "NotIn";
      result.values = {value()};
    } else if (accept("==") || accept("=")) {
      result.op = "In";
      result.values = {value()};
    } else if (accept(">")) {
      result.op = "Gt";
      result.values = {value()};
    } else if (accept("<")) {
      result.op = "Lt";
      result.values = {value()};
    } else {
      const std::string op = word();
      if (op != "in" && op != "notin")
        fail("after '" + result.key + "' one of =, ==, !=, in, notin is expected");
      result.op = op == "in" ? "In" : "NotIn";
      result.values = value_set();
    }
    return result;
  }

  std::vector<std::string> value_set() {
    skip_space();
    expect('(');
    std::vector<std::string> values;
    for (;;) {
      values.push_back(value());
      skip_space();
      if (accept(")")) return values;
      expect(',');
    }
  }

  std::string value() {
    skip_space();
    return word();
  }

  std::string word() {
    const std::size_t begin = at_;
    while (!at_end() && std::string_view(" \t\r\n!=<>,()").find(peek()) == std::string_view::npos)
      ++at_;
    return std::string(text_.substr(begin, at_ - begin));
  }

  void expect(char c) {
    if (!accept(std::string_view(&c, 1))) fail(std::string("'") + c + "' is expected");
  }
  bool accept(std::string_view token) {
    if (text_.substr(at_, token.size()) != token) return false;
    at_ += token.size();
    return true;
  }
  void skip_space() {
    while (!at_end() && std::string_view(" \t\r\n").find(peek()) != std::string_view::npos) ++at_;
  }
  bool at_end() const { return at_ >= text_.size(); }
  char peek() const { return text_[at_]; }
  [[noreturn]] void fail(const std::string& reason) const {
    throw std::invalid_argument("label selector '" + std::string(text_) + "', at character " +
                                std::to_string(at_ + 1) + ": " + reason);
  }

  std::string_view text_;
  std::size_t at_ = 0;
};

}  // namespace

LabelSelector::LabelSelector(std::string_view text) : requirements_(Parser(text).run()) {}

bool LabelSelector::matches(const Labels& labels) const {
  return std::all_of(requirements_.begin(), requirements_.end(),
                     [&](const auto& requirement) { return holds(requirement, labels); });
}

}  // namespace gpuspec::kube
