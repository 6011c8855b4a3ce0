// Tolerations, requirements and terms in profiles, checked as the API server checks them in pods:
// what it would refuse later is refused here, with the profile's line.

#include <algorithm>
#include <array>
#include <charconv>

#include "core/kube/names.h"
#include "core/profile/cursor.h"

namespace gpuspec::profile {
namespace {

constexpr std::array<std::string_view, 4> toleration_operators = {"Exists", "Equal", "Lt", "Gt"};
constexpr std::array<std::string_view, 3> effects = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
constexpr std::array<std::string_view, 6> operators = {"In",           "NotIn", "Exists",
                                                       "DoesNotExist", "Gt",    "Lt"};

bool is_integer(const std::string& text) {
  long long number = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  return error == std::errc() && stop == end;
}

/// An optional string that may be written empty, as Go's zero value.
std::string or_empty(const std::optional<Cursor>& cursor) {
  if (!cursor || (cursor->node().is_string() && cursor->node().text.empty())) return {};
  return cursor->string();
}

}  // namespace

kube::Toleration Cursor::toleration() const {
  Map fields = map();
  kube::Toleration out;
  const auto key = fields.take("key");
  const auto op = fields.take("operator");
  const auto value = fields.take("value");
  const auto effect = fields.take("effect");
  const auto seconds = fields.take("tolerationSeconds");
  fields.finish();
  out.key = or_empty(key);
  if (!out.key.empty()) key->label_key();
  if (op && !or_empty(op).empty()) out.op = op->one_of(toleration_operators);
  out.value = or_empty(value);
  if (effect && !or_empty(effect).empty()) out.effect = effect->one_of(effects);
  if (out.key.empty() && out.op != "Exists") {
    throw error("a toleration without key must have operator: Exists", "add a key");
  }
  if (out.op == "Exists" && !out.value.empty()) {
    throw value->error("a toleration with operator: Exists takes no value",
                       "remove the value, or write operator: Equal");
  }
  if (value && !out.value.empty()) value->label_value();
  if ((out.op == "Lt" || out.op == "Gt") && !is_integer(out.value)) {
    throw error("a toleration with operator: " + out.op + " needs a whole number as value");
  }
  if (seconds) {
    if (out.effect != "NoExecute") {
      throw seconds->error("tolerationSeconds is for effect: NoExecute only");
    }
    out.seconds = seconds->integer(INT64_MIN);
  }
  return out;
}

std::vector<kube::Toleration> Cursor::tolerations() const {
  std::vector<kube::Toleration> out;
  for (const Cursor& entry : list()) out.push_back(entry.toleration());
  return out;
}

kube::NodeSelectorRequirement Cursor::requirement() const {
  Map fields = map();
  kube::NodeSelectorRequirement out;
  const auto key = fields.take("key");
  const auto op = fields.take("operator");
  const auto values = fields.take("values");
  fields.finish();
  if (!key) throw error("a requirement needs a key");
  if (!op)
    throw error("a requirement needs an operator", "In, NotIn, Exists, DoesNotExist, Gt or Lt");
  out.key = key->label_key();
  out.op = op->one_of(operators);
  if (values) {
    for (const Cursor& entry : values->list()) out.values.push_back(entry.label_value());
  }
  const bool listed = out.op == "In" || out.op == "NotIn";
  const bool compared = out.op == "Gt" || out.op == "Lt";
  if (listed && out.values.empty()) {
    throw(values ? *values : *this)
        .error("operator: " + out.op + " needs at least one value", "values: [a, b]");
  }
  if (compared && (out.values.size() != 1 || !is_integer(out.values.front()))) {
    throw(values ? *values : *this)
        .error("operator: " + out.op + " needs one whole number, as a string", "values: [\"8\"]");
  }
  if (!listed && !compared && !out.values.empty()) {
    throw values->error("operator: " + out.op + " takes no values",
                        "remove them, or write operator: In");
  }
  return out;
}

std::vector<kube::NodeSelectorRequirement> Cursor::requirements() const {
  std::vector<kube::NodeSelectorRequirement> out;
  for (const Cursor& entry : list()) out.push_back(entry.requirement());
  return out;
}

kube::NodeSelectorTerm Cursor::term() const {
  Map fields = map();
  kube::NodeSelectorTerm out;
  const auto expressions = fields.take("matchExpressions");
  const auto names = fields.take("matchFields");
  fields.finish();
  if (expressions) out.match_expressions = expressions->requirements();
  if (names) {
    for (const Cursor& entry : names->list()) {
      kube::NodeSelectorRequirement requirement = entry.requirement();
      if (requirement.key != "metadata.name") {
        throw entry.error("matchFields knows the key metadata.name only",
                          "labels go under matchExpressions");
      }
      out.match_fields.push_back(std::move(requirement));
    }
  }
  return out;
}

std::vector<kube::NodeSelectorTerm> Cursor::terms() const {
  std::vector<kube::NodeSelectorTerm> out;
  for (const Cursor& entry : list()) out.push_back(entry.term());
  return out;
}

kube::PreferredTerm Cursor::preferred_term() const {
  Map fields = map();
  const auto weight = fields.take("weight");
  const auto preference = fields.take("preference");
  fields.finish();
  if (!weight) throw error("a preferred term needs a weight", "a number from 1 to 100");
  if (!preference)
    throw error("a preferred term needs a preference", "preference: {matchExpressions: [...]}");
  kube::PreferredTerm out;
  const long long number = weight->integer(1);
  if (number > 100) throw weight->unexpected("a number from 1 to 100");
  out.weight = static_cast<int>(number);
  out.preference = preference->term();
  return out;
}

std::vector<kube::PreferredTerm> Cursor::preferred_terms() const {
  std::vector<kube::PreferredTerm> out;
  for (const Cursor& entry : list()) out.push_back(entry.preferred_term());
  return out;
}

}  // namespace gpuspec::profile
