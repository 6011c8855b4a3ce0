#include "core/rewrite/conflict.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace gpuspec::rewrite {
namespace {

using kube::NodeSelectorRequirement;

bool holds(const NodeSelectorRequirement& requirement, const std::string& value) {
  return kube::matches({.match_expressions = {requirement}, .match_fields = {}},
                       {{requirement.key, value}}, {});
}

long long bound_of(const NodeSelectorRequirement& requirement, long long otherwise) {
  if (requirement.values.empty()) return otherwise;
  const std::string& text = requirement.values.front();
  long long bound = otherwise;
  std::from_chars(text.data(), text.data() + text.size(), bound);
  return bound;
}

bool any_with(const std::vector<NodeSelectorRequirement>& requirements, std::string_view op) {
  return std::any_of(requirements.begin(), requirements.end(),
                     [&](const NodeSelectorRequirement& r) { return r.op == op; });
}

NodeSelectorRequirement from_entry(const Entry& entry) {
  return {.key = entry.key, .op = "In", .values = {entry.value}};
}

}  // namespace

bool satisfiable(const std::vector<NodeSelectorRequirement>& requirements) {
  const auto in = std::find_if(requirements.begin(), requirements.end(),
                               [](const NodeSelectorRequirement& r) { return r.op == "In"; });
  if (in != requirements.end()) {
    return std::any_of(in->values.begin(), in->values.end(), [&](const std::string& value) {
      return std::all_of(requirements.begin(), requirements.end(),
                         [&](const NodeSelectorRequirement& r) { return holds(r, value); });
    });
  }
  if (any_with(requirements, "DoesNotExist"))
    return !any_with(requirements, "Exists") && !any_with(requirements, "Gt") &&
           !any_with(requirements, "Lt");
  long long low = std::numeric_limits<long long>::min();
  long long high = std::numeric_limits<long long>::max();
  for (const NodeSelectorRequirement& r : requirements) {
    if (r.op == "Gt") low = std::max(low, bound_of(r, low));
    if (r.op == "Lt") high = std::min(high, bound_of(r, high));
  }
  return low < high && low + 1 < high;
}

std::vector<Clash> clashes(PodModel& pod, const NodeSelectorRequirement& wanted,
                           bool alternatives) {
  std::vector<Clash> found;
  std::vector<NodeSelectorRequirement> always;
  if (Entry* entry = pod.node_selector.find(wanted.key)) {
    if (!satisfiable({from_entry(*entry), wanted}))
      found.push_back({.entry = entry,
                       .node = entry->node,
                       .says = "nodeSelector requires " + describe(from_entry(*entry))});
    always.push_back(from_entry(*entry));
  }
  for (Term& term : pod.terms) {
    if (term.alternative && !alternatives) continue;
    std::vector<NodeSelectorRequirement> group = always;
    for (const Requirement& r : term.expressions) {
      if (r.what.key == wanted.key) group.push_back(r.what);
    }
    if (group.size() == always.size() || !satisfiable(group)) continue;
    group.push_back(wanted);
    if (satisfiable(group)) continue;
    const std::size_t before = found.size();
    const auto add = [&](Requirement& r) {
      found.push_back(
          {.expression = &r, .node = r.node, .says = "node affinity requires " + describe(r.what)});
    };
    for (Requirement& r : term.expressions) {
      if (r.what.key == wanted.key && !satisfiable({r.what, wanted})) add(r);
    }
    // No two contradict each other, but all together do.
    if (found.size() == before && (found.empty() || found.front().entry == nullptr)) {
      for (Requirement& r : term.expressions) {
        if (r.what.key == wanted.key) add(r);
      }
    }
  }
  return found;
}

std::string describe(const NodeSelectorRequirement& requirement) {
  if (requirement.op == "In" && requirement.values.size() == 1)
    return requirement.key + '=' + requirement.values.front();
  std::string text = requirement.key + ' ' + requirement.op;
  if (requirement.values.empty()) return text;
  text += " [";
  for (std::size_t i = 0; i < requirement.values.size(); ++i)
    text += (i == 0 ? "" : ", ") + requirement.values[i];
  return text + ']';
}

}  // namespace gpuspec::rewrite
