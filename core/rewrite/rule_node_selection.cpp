#include <algorithm>

#include "core/rewrite/conflict.h"
#include "core/rewrite/rules.h"
#include "core/text/concat.h"

namespace gpuspec::rewrite {
namespace {

using kube::NodeSelectorRequirement;
using kube::NodeSelectorTerm;

/// What is asked for, and what the messages call it.
struct Wish {
  NodeSelectorRequirement what;
  std::string rule;
  std::string reason;
  bool of_alternatives = true;  ///< holds for a profile's alternative terms, too
};

bool same(const NodeSelectorRequirement& a, const NodeSelectorRequirement& b) {
  if (a.key != b.key || a.op != b.op) return false;
  auto left = a.values;
  auto right = b.values;
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  return left == right;
}

bool contains(const std::vector<Requirement>& list, const NodeSelectorRequirement& wanted) {
  return std::any_of(list.begin(), list.end(),
                     [&](const Requirement& there) { return same(there.what, wanted); });
}

bool contains(const Term& term, const NodeSelectorTerm& wanted) {
  const auto in = [](const std::vector<Requirement>& list) {
    return [&list](const NodeSelectorRequirement& r) { return contains(list, r); };
  };
  return std::all_of(wanted.match_expressions.begin(), wanted.match_expressions.end(),
                     in(term.expressions)) &&
         std::all_of(wanted.match_fields.begin(), wanted.match_fields.end(), in(term.fields));
}

bool is_entry(const NodeSelectorRequirement& requirement) {
  return requirement.op == "In" && requirement.values.size() == 1;
}

bool has_terms(const kube::Pod& pod) {
  return pod.affinity || pod.node_selector_terms;
}

/// Rewrites what contradicts the wish.
void overrule(const Wish& wish, const std::vector<Clash>& found, PodModel& pod,
              const yaml::Why& why) {
  for (const Clash& clash : found) {
    if (clash.expression != nullptr) {
      clash.expression->what = wish.what;
      clash.expression->why = why;
    }
  }
  // Entries last: changing them may move the others in memory.
  const bool entry = std::any_of(found.begin(), found.end(),
                                 [](const Clash& clash) { return clash.entry != nullptr; });
  if (!entry) return;
  if (is_entry(wish.what)) {
    pod.node_selector.set(wish.what.key, wish.what.values.front(), why);
  } else {
    pod.node_selector.remove(wish.what.key, why);
  }
}

/// Whether the wish can be added: nothing contradicts it, or what does has been rewritten.
bool settle(Work& work, const Wish& wish, const yaml::Why& why) {
  const std::vector<Clash> found = clashes(work.pod, wish.what, wish.of_alternatives);
  if (found.empty()) return true;
  if (!may_replace(work, found.front().node, found.front().says, describe(wish.what),
                   wish.rule == "profile" ? "not required" : "neither required nor tolerated"))
    return false;
  overrule(wish, found, work.pod, why);
  return true;
}

void add_expression(const Wish& wish, PodModel& pod, const yaml::Why& why) {
  if (pod.terms.empty()) {
    Term term;
    term.added = true;
    term.why = why;
    term.expressions.push_back({.what = wish.what, .why = why});
    pod.terms.push_back(std::move(term));
    return;
  }
  for (Term& term : pod.terms) {
    // An empty term matches no node. Beside other terms that does no harm, and filling it would
    // make the pod fit more nodes than before; alone it is a form that waits to be filled in.
    if (term.empty() && pod.terms.size() > 1 && !term.added) continue;
    if (term.alternative && !wish.of_alternatives) continue;
    if (!contains(term.expressions, wish.what))
      term.expressions.push_back({.what = wish.what, .why = why});
  }
}

/// Adds a requirement the way the profile says: to the terms, or as a nodeSelector entry. False
/// when the pod's own requirement is kept instead.
bool require(Work& work, const Wish& wish, profile::SelectorStyle style) {
  const kube::Pod& pod = *work.pod.at;
  bool as_entry = style == profile::SelectorStyle::node_selector && is_entry(wish.what);
  if (is_entry(wish.what)) {
    // What one field cannot say the other one says.
    if (as_entry && !pod.node_selector && has_terms(pod)) as_entry = false;
    if (!as_entry && !has_terms(pod) && pod.node_selector) as_entry = true;
  }
  if (as_entry ? !pod.node_selector : !has_terms(pod)) {
    work.warn(yaml::no_node, "this kind cannot select nodes: " + describe(wish.what) +
                                 " not required" +
                                 (pod.hint.empty() ? "" : "; " + std::string(pod.hint)));
    return true;
  }
  const yaml::Why why{wish.rule + (as_entry ? "-node-selector" : "-affinity"),
                      wish.reason + work.by_profile()};
  if (!settle(work, wish, why)) return false;
  if (as_entry) {
    work.pod.node_selector.set(wish.what.key, wish.what.values.front(), why);
  } else {
    add_expression(wish, work.pod, why);
  }
  return true;
}

NodeSelectorRequirement in(const std::string& key, const std::string& value) {
  return {.key = key, .op = "In", .values = {value}};
}

NodeSelectorRequirement unpartitioned(const profile::Profile& profile) {
  return profile.unpartitioned_requirement.value_or(
      NodeSelectorRequirement{.key = partition_label(profile), .op = "DoesNotExist", .values = {}});
}

void require_device(Work& work, profile::SelectorStyle style) {
  const profile::Profile& profile = work.profile;
  if (profile.accelerator) {
    const std::string reason = "nodes with " + *profile.accelerator + " are asked for";
    work.device_kept =
        !require(work, {in(device_label(profile), *profile.accelerator), "device", reason}, style);
    // A partition of another device makes no sense, and could be on no node.
    work.partition_kept = work.device_kept;
    if (work.device_kept && (profile.partition || profile.unpartitioned))
      work.warn(yaml::no_node, "as the pod's own device is kept, the partition is not required");
  }
  if (!work.partition_kept && profile.partition)
    work.partition_kept = !require(work,
                                   {in(partition_label(profile), *profile.partition), "partition",
                                    "partitions " + *profile.partition + " are asked for"},
                                   style);
  if (!work.partition_kept && profile.unpartitioned)
    work.partition_kept = !require(
        work, {unpartitioned(profile), "partition", "an unpartitioned device is asked for"}, style);
  if (work.device_kept) return;
  for (const NodeSelectorRequirement& requirement : profile.device_required)
    require(work, {requirement, "device", "the device needs it"}, style);
}

/// The pod's own terms, but those that match nothing and those the profile offers.
std::vector<std::size_t> own_terms(const PodModel& pod) {
  std::vector<std::size_t> result;
  for (std::size_t i = 0; i < pod.terms.size(); ++i) {
    if (!pod.terms[i].alternative && !(pod.terms[i].empty() && pod.terms.size() > 1))
      result.push_back(i);
  }
  return result;
}

/// The profile's alternatives, each as a term of its own, unless one like it is there.
void add_alternatives(Work& work) {
  for (const NodeSelectorTerm& wanted : work.profile.alternatives) {
    const auto there = std::find_if(work.pod.terms.begin(), work.pod.terms.end(),
                                    [&](const Term& term) { return contains(term, wanted); });
    if (there != work.pod.terms.end()) {
      there->alternative = true;
      continue;
    }
    Term term;
    term.added = true;
    term.alternative = true;
    term.why = yaml::Why{"alternative-affinity", "nodes like these will do" + work.by_profile()};
    for (const auto& r : wanted.match_expressions)
      term.expressions.push_back({.what = r, .why = term.why});
    for (const auto& r : wanted.match_fields) term.fields.push_back({.what = r, .why = term.why});
    work.pod.terms.push_back(std::move(term));
  }
  // What is required of the pod's own terms only needs one to stand in.
  if (!work.profile.alternatives.empty() && !work.profile.required.empty() &&
      own_terms(work.pod).empty()) {
    Term term;
    term.added = true;
    term.why = yaml::Why{"profile-affinity", "the profile requires it" + work.by_profile()};
    work.pod.terms.push_back(std::move(term));
  }
}

Term joined(const Term& term, const NodeSelectorTerm& more, const yaml::Why& why) {
  Term result = term;
  result.node = yaml::no_node;
  for (const auto& r : more.match_expressions) {
    if (!contains(result.expressions, r)) result.expressions.push_back({.what = r, .why = why});
  }
  for (const auto& r : more.match_fields) {
    if (!contains(result.fields, r)) result.fields.push_back({.what = r, .why = why});
  }
  return result;
}

/// Whether some node can match the term and the nodeSelector, as far as each label for itself goes.
bool can_match(const Term& term, const Entries& node_selector) {
  for (const Requirement& first : term.expressions) {
    std::vector<NodeSelectorRequirement> group;
    if (const Entry* entry = node_selector.find(first.what.key))
      group.push_back({.key = entry->key, .op = "In", .values = {entry->value}});
    for (const Requirement& r : term.expressions) {
      if (r.what.key == first.what.key) group.push_back(r.what);
    }
    if (!satisfiable(group)) return false;
  }
  return true;
}

/// Adds the only term that a profile requires to every term of the pod.
void require_term(Work& work, const NodeSelectorTerm& wanted, const std::vector<std::size_t>& own,
                  const yaml::Why& why) {
  for (const NodeSelectorRequirement& requirement : wanted.match_expressions)
    require(work, {requirement, "node", "nodes like these are asked for", false},
            profile::SelectorStyle::affinity);
  for (const std::size_t i : own) {
    for (const NodeSelectorRequirement& field : wanted.match_fields) {
      if (!contains(work.pod.terms[i].fields, field))
        work.pod.terms[i].fields.push_back({.what = field, .why = why});
    }
  }
}

/// The term joined with each of the terms that the profile offers, but those that no node can
/// match.
std::vector<Term> combinations(const Term& term, const std::vector<NodeSelectorTerm>& offered,
                               const Entries& node_selector, const yaml::Why& why) {
  std::vector<Term> result;
  for (const NodeSelectorTerm& more : offered) {
    Term both = joined(term, more, why);
    both.added = true;
    both.why = why;
    if (can_match(both, node_selector)) result.push_back(std::move(both));
  }
  return result;
}

/// What is left of the pod's own node selection when a profile's terms replace it: what rules have
/// added to it.
Term only_added(const PodModel& pod, const std::vector<std::size_t>& own) {
  Term result;
  if (own.empty()) return result;
  for (const Requirement& r : pod.terms[own.front()].expressions) {
    if (r.why && !contains(result.expressions, r.what))
      result.expressions.push_back({.what = r.what, .why = r.why});
  }
  return result;
}

void drop_entries(PodModel& pod, const std::vector<NodeSelectorTerm>& offered,
                  const yaml::Why& why) {
  for (const NodeSelectorTerm& term : offered) {
    for (const NodeSelectorRequirement& requirement : term.match_expressions) {
      const Entry* entry = pod.node_selector.find(requirement.key);
      if (entry != nullptr && !entry->why) pod.node_selector.remove(requirement.key, why);
    }
  }
}

/// One of the profile's terms must hold besides what the pod requires.
void require_terms(Work& work) {
  const auto& wanted = work.profile.required_terms;
  if (wanted.empty()) return;
  PodModel& pod = work.pod;
  const yaml::Why why{"node-affinity", "nodes like these are asked for" + work.by_profile()};
  const std::vector<std::size_t> own = own_terms(pod);
  const auto met = [&](std::size_t i) {
    return std::any_of(wanted.begin(), wanted.end(),
                       [&](const NodeSelectorTerm& term) { return contains(pod.terms[i], term); });
  };
  if (!own.empty() && std::all_of(own.begin(), own.end(), met)) return;
  if (wanted.size() == 1 && !own.empty()) {
    require_term(work, wanted.front(), own, why);
    return;
  }
  std::vector<Term> result;
  if (own.empty()) result = combinations(Term{}, wanted, pod.node_selector, why);
  for (const std::size_t i : own) {
    if (met(i)) {
      result.push_back(pod.terms[i]);
      continue;
    }
    for (Term& term : combinations(pod.terms[i], wanted, pod.node_selector, why))
      result.push_back(std::move(term));
  }
  if (result.empty()) {
    const yaml::NodeId node = own.empty() ? yaml::no_node : pod.terms[own.front()].node;
    if (!may_replace(work, node, "the pod's node selection leaves none of the profile's nodes",
                     "the profile's node affinity", "not required"))
      return;
    drop_entries(pod, wanted, why);
    result = combinations(only_added(pod, own), wanted, pod.node_selector, why);
  }
  for (const Term& term : pod.terms) {
    if (term.alternative) result.push_back(term);
  }
  pod.terms_replaced =
      pod.terms_replaced ||
      std::any_of(pod.terms.begin(), pod.terms.end(), [](const Term& term) { return !term.added; });
  pod.terms_why = why;
  pod.terms = std::move(result);
}

void select_by_profile(Work& work) {
  const profile::Profile& profile = work.profile;
  for (const std::string& key : profile.node_selector_removed) {
    if (work.pod.at->node_selector)
      work.pod.node_selector.remove(
          key, {"profile-node-selector", key + " is not wanted" + work.by_profile()});
  }
  for (const auto& [key, value] : profile.node_selector) {
    Wish wish{in(key, value), "profile", text::concat({key, "=", value, " is asked for"})};
    require(work, wish, profile::SelectorStyle::node_selector);
  }
  for (const auto& [key, value] : profile.node_selector_overrides) {
    if (work.pod.at->node_selector)
      work.pod.node_selector.set(
          key, value,
          {"profile-node-selector",
           text::concat({key, "=", value, " is asked for", work.by_profile()})});
  }
  for (const NodeSelectorRequirement& requirement : profile.required)
    require(work, {requirement, "profile", describe(requirement) + " is asked for", false},
            profile::SelectorStyle::affinity);
}

void prefer(Work& work) {
  for (const kube::PreferredTerm& wanted : work.profile.preferred) {
    auto& there = work.pod.preferred;
    const bool known = std::any_of(there.begin(), there.end(),
                                   [&](const Preferred& term) { return term.what == wanted; });
    if (known) continue;
    if (!work.pod.at->affinity) {
      work.warn(yaml::no_node, "this kind has no affinity: preferred nodes not added");
      return;
    }
    there.push_back(
        {wanted, yaml::Why{"preferred-affinity", "such nodes are preferred" + work.by_profile()}});
  }
}

}  // namespace

void select_nodes(Work& work) {
  const profile::SelectorStyle style =
      work.profile.selector_style.value_or(profile::SelectorStyle::affinity);
  if (has_terms(*work.pod.at)) add_alternatives(work);
  if (work.asks_accelerator) require_device(work, style);
  select_by_profile(work);
  // Last, because combinations that contradict anything else are left out.
  if (has_terms(*work.pod.at)) require_terms(work);
  prefer(work);
}

}  // namespace gpuspec::rewrite
