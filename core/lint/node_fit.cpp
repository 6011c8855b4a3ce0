#include "core/lint/node_fit.h"

#include <algorithm>

namespace gpuspec::lint {
namespace {

kube::NodeSelectorRequirement plain(const RequirementView& view) {
  return {view.key, view.op, view.values};
}

}  // namespace

bool judged_by_nodes(const PodView& pod) {
  if (!pod.settings.nodes || pod.settings.nodes->empty() || !pod.asks_accelerator()) return false;
  if (pod.daemon_set() || pod.live()) return false;
  if (!pod.full) return true;
  const yaml::NodeId scheduler = pod.field("schedulerName");
  return scheduler == yaml::no_node ||
         yaml::scalar_text(pod.tree, scheduler) == "default-scheduler" ||
         yaml::scalar_text(pod.tree, scheduler).empty();
}

std::vector<const kube::Node*> matching_nodes(const PodView& pod) {
  kube::Labels selector;
  for (const RequirementView& entry : pod.node_selector)
    if (!entry.values.empty()) selector[entry.key] = entry.values[0];
  std::optional<std::vector<kube::NodeSelectorTerm>> required;
  if (pod.has_required) {
    required.emplace();
    for (const TermView& term : pod.terms) {
      kube::NodeSelectorTerm plain_term;
      for (const RequirementView& view : term.expressions)
        plain_term.match_expressions.push_back(plain(view));
      for (const RequirementView& view : term.fields)
        plain_term.match_fields.push_back(plain(view));
      required->push_back(std::move(plain_term));
    }
  }
  std::vector<const kube::Node*> nodes;
  for (const kube::Node& node : *pod.settings.nodes)
    if (kube::passes_node_affinity(selector, required, node)) nodes.push_back(&node);
  return nodes;
}

std::vector<const kube::Node*> large_enough(const PodView& pod,
                                            const std::vector<const kube::Node*>& nodes) {
  std::vector<const kube::Node*> fitting;
  for (const kube::Node* node : nodes) {
    const bool fits = std::all_of(pod.asks.begin(), pod.asks.end(), [&](const AskView& ask) {
      const auto has = node->allocatable.find(ask.resource);
      return has != node->allocatable.end() && has->second.value() >= ask.count;
    });
    if (fits) fitting.push_back(node);
  }
  return fitting;
}

std::optional<kube::Taint> untolerated(const PodView& pod, const kube::Node& node) {
  std::vector<kube::Toleration> tolerations;
  for (const TolerationView& view : pod.tolerations) tolerations.push_back(view.value);
  if (pod.settings.resource_tolerations_added)
    for (const AskView& ask : pod.asks)
      tolerations.push_back({ask.resource, "Exists", "", "NoSchedule", std::nullopt});
  std::vector<kube::Taint> taints;
  for (const kube::Taint& taint : node.taints)
    if (!taint.key.starts_with("node.kubernetes.io/")) taints.push_back(taint);
  return kube::untolerated_taint(tolerations, taints);
}

bool satisfies(const kube::Node& node, const RequirementView& requirement) {
  kube::NodeSelectorTerm term;
  term.match_expressions.push_back(plain(requirement));
  return kube::matches(term, node.labels, node.name);
}

std::string describe(const kube::Taint& taint) {
  return taint.key + (taint.value.empty() ? "" : "=" + taint.value) + ":" + taint.effect;
}

}  // namespace gpuspec::lint
