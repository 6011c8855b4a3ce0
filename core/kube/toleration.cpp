#include "core/kube/toleration.h"

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <string_view>

#include "core/kube/names.h"

namespace gpuspec::kube {
namespace {

Toleration with_operator(Toleration toleration) {
  if (toleration.op.empty()) toleration.op = "Equal";
  return toleration;
}

/// isSuperset to the letter.
bool is_superset(const Toleration& a, const Toleration& b) {
  if (a == b) return true;
  if (b.key != a.key && !(a.key.empty() && a.op == "Exists")) return false;
  if (b.effect != a.effect && !a.effect.empty()) return false;
  if (a.effect == "NoExecute" && a.seconds && (!b.seconds || *b.seconds > *a.seconds)) return false;
  if (a.op == "Exists") return true;
  if (a.op == "Equal" || a.op.empty()) return b.op == "Equal" && b.value == a.value;
  return false;
}

/// `0|-?[1-9][0-9]*`, and within 64 bits.
std::optional<long long> canonical_integer(std::string_view text) {
  std::string_view digits = text;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  if (digits.empty() || (digits.front() == '0' && text != "0")) return std::nullopt;
  long long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

}  // namespace

bool covers(const Toleration& a, const Toleration& b, bool normalise) {
  return normalise ? is_superset(with_operator(a), with_operator(b)) : is_superset(a, b);
}

std::vector<Toleration> merge_tolerations(const std::vector<Toleration>& first,
                                          const std::vector<Toleration>& second) {
  std::vector<Toleration> all = first;
  all.insert(all.end(), second.begin(), second.end());
  std::vector<Toleration> merged;
  for (auto it = all.begin(); it != all.end(); ++it) {
    const auto covers_it = [&](const Toleration& other) { return is_superset(other, *it); };
    // Of equal ones the first stays, so a later one must be different to push this one out.
    const auto replaces_it = [&](const Toleration& other) {
      return other != *it && is_superset(other, *it);
    };
    if (std::any_of(merged.begin(), merged.end(), covers_it)) continue;
    if (std::any_of(it + 1, all.end(), replaces_it)) continue;
    merged.push_back(*it);
  }
  return merged;
}

bool verify_against_whitelist(const std::vector<Toleration>& tolerations,
                              const std::vector<Toleration>& whitelist) {
  if (whitelist.empty()) return true;
  return std::all_of(tolerations.begin(), tolerations.end(), [&](const Toleration& toleration) {
    return std::any_of(whitelist.begin(), whitelist.end(),
                       [&](const Toleration& allowed) { return is_superset(allowed, toleration); });
  });
}

bool tolerates(const Toleration& toleration, const Taint& taint, bool comparison_operators) {
  if (!toleration.effect.empty() && toleration.effect != taint.effect) return false;
  if (!toleration.key.empty() && toleration.key != taint.key) return false;
  if (toleration.op.empty() || toleration.op == "Equal") return toleration.value == taint.value;
  if (toleration.op == "Exists") return true;
  if ((toleration.op == "Lt" || toleration.op == "Gt") && comparison_operators) {
    const auto bound = canonical_integer(toleration.value);
    const auto value = canonical_integer(taint.value);
    if (!bound || !value) return false;
    return toleration.op == "Lt" ? *value < *bound : *value > *bound;
  }
  return false;
}

Toleration parse_toleration(const std::string& text) {
  Toleration toleration;
  std::string_view rest = text;
  // Neither a label key nor a label value holds a colon.
  if (const std::size_t colon = rest.find(':'); colon != std::string_view::npos) {
    toleration.effect = rest.substr(colon + 1);
    rest = rest.substr(0, colon);
    if (toleration.effect != "NoSchedule" && toleration.effect != "PreferNoSchedule" &&
        toleration.effect != "NoExecute")
      throw std::invalid_argument(
          "the effect must be NoSchedule, PreferNoSchedule or NoExecute, not '" +
          toleration.effect + "'");
  }
  if (const std::size_t equals = rest.find('='); equals != std::string_view::npos) {
    toleration.op = "Equal";
    toleration.value = rest.substr(equals + 1);
    rest = rest.substr(0, equals);
    if (const auto errors = check_label_value(toleration.value); !errors.empty())
      throw std::invalid_argument("the value '" + toleration.value + "' " + errors.front());
  } else {
    toleration.op = "Exists";
  }
  toleration.key = rest;
  if (toleration.key.empty()) throw std::invalid_argument("the key is missing");
  if (const auto errors = check_label_key(toleration.key); !errors.empty())
    throw std::invalid_argument("the key '" + toleration.key + "': " + errors.front());
  return toleration;
}

}  // namespace gpuspec::kube
