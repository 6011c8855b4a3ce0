#include "core/lint/satisfiable.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace gpuspec::lint {
namespace {

std::optional<long long> number(const std::string& text) {
  long long value = 0;
  const char* begin = text.data() + (text.starts_with('+') ? 1 : 0);
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(begin, end, value);
  if (error != std::errc() || rest != end || begin == end) return std::nullopt;
  return value;
}

/// Whether a node with this value of the label satisfies the requirement.
bool accepts(const RequirementView& requirement, const std::string& value) {
  const auto listed = [&] {
    return std::find(requirement.values.begin(), requirement.values.end(), value) !=
           requirement.values.end();
  };
  if (requirement.op == "In") return listed();
  if (requirement.op == "NotIn") return !listed();
  if (requirement.op == "DoesNotExist") return false;
  if ((requirement.op == "Gt" || requirement.op == "Lt") && requirement.values.size() == 1) {
    const auto have = number(value);
    const auto bound = number(requirement.values[0]);
    if (!bound) return true;  // said elsewhere
    return have && (requirement.op == "Gt" ? *have > *bound : *have < *bound);
  }
  return true;
}

bool needs_label(const RequirementView& requirement) {
  return requirement.op == "Exists" || requirement.op == "Gt" || requirement.op == "Lt" ||
         (requirement.op == "In" && !requirement.values.empty());
}

bool contradict(const RequirementView& a, const RequirementView& b) {
  if (a.op == "DoesNotExist") return needs_label(b);
  if (b.op == "DoesNotExist") return needs_label(a);
  for (const auto& [one, other] : {std::pair{&a, &b}, std::pair{&b, &a}})
    if (one->op == "In" && !one->values.empty())
      return std::none_of(
          one->values.begin(), one->values.end(),
          [against = other](const std::string& value) { return accepts(*against, value); });
  if (a.op == "Gt" && b.op == "Lt" && a.values.size() == 1 && b.values.size() == 1) {
    const auto low = number(a.values[0]);
    const auto high = number(b.values[0]);
    return low && high && *low >= *high - 1;
  }
  if (a.op == "Lt" && b.op == "Gt") return contradict(b, a);
  return false;
}

}  // namespace

Clash find_clash(const std::vector<const RequirementView*>& requirements) {
  for (std::size_t j = 1; j < requirements.size(); ++j)
    for (std::size_t i = 0; i < j; ++i)
      if (requirements[i]->key == requirements[j]->key &&
          contradict(*requirements[i], *requirements[j]))
        return {requirements[i], requirements[j]};
  // Three that clash only together: the values of an In that no single other one rules out.
  for (const RequirementView* in : requirements) {
    if (in->op != "In" || in->values.empty()) continue;
    const RequirementView* last = nullptr;
    const bool possible =
        std::any_of(in->values.begin(), in->values.end(), [&](const std::string& value) {
          return std::all_of(requirements.begin(), requirements.end(),
                             [&](const RequirementView* other) {
                               if (other->key != in->key || accepts(*other, value)) return true;
                               last = other;
                               return false;
                             });
        });
    if (!possible && last) return {in, last};
  }
  return {};
}

std::string describe(const RequirementView& requirement) {
  std::string values;
  for (const std::string& value : requirement.values)
    values += (values.empty() ? "" : ", ") + value;
  if (requirement.selector) return "nodeSelector " + requirement.key + "=" + values;
  if (requirement.op == "In") return requirement.key + " in (" + values + ")";
  if (requirement.op == "NotIn") return requirement.key + " not in (" + values + ")";
  if (requirement.op == "Exists") return requirement.key + " exists";
  if (requirement.op == "DoesNotExist") return requirement.key + " does not exist";
  if (requirement.op == "Gt") return requirement.key + " > " + values;
  if (requirement.op == "Lt") return requirement.key + " < " + values;
  return requirement.key + " " + requirement.op + " " + values;
}

}  // namespace gpuspec::lint
