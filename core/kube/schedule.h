#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/kube/quantity.h"
#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/yaml/tree.h"

// What the scheduler's filters make of a pod and a node (kubernetes.md §5).
namespace gpuspec::kube {

using ResourceList = std::map<std::string, Quantity>;

/// core/v1 Node, as far as the filters look.
struct Node {
  std::string name;
  Labels labels;
  std::vector<Taint> taints;
  bool unschedulable = false;
  ResourceList allocatable;
};

/// The nodes in a document: a Node, a NodeList or a List. Other objects are passed over.
std::vector<Node> read_nodes(const yaml::Tree& tree);

/// The entries of a mapping that are quantities.
ResourceList read_resources(const yaml::Tree& tree, yaml::NodeId mapping);

struct RequestOptions {
  bool overhead = true;         ///< count spec.overhead
  bool pod_level = true;        ///< spec.resources replaces the sum of the containers
  bool status = false;          ///< the pod is on a node: what its status says counts, too
  bool limits_default = false;  ///< a limit without request counts as request (API defaulting)
};

/// What a pod asks of a node: the sum of its containers and sidecars, or its largest init
/// container, and the overhead. `status`: no_node for a pod that is no live one.
ResourceList pod_requests(const yaml::Tree& tree, yaml::NodeId spec, yaml::NodeId status,
                          const RequestOptions& options = {});

/// Plugin TaintToleration: the first taint that keeps the pod off the node. `effects`: those that
/// count; empty: NoSchedule and NoExecute.
std::optional<Taint> untolerated_taint(const std::vector<Toleration>& tolerations,
                                       const std::vector<Taint>& taints,
                                       bool comparison_operators = false,
                                       const std::set<std::string>& effects = {});

/// Plugin NodeUnschedulable.
bool passes_unschedulable(const std::vector<Toleration>& tolerations, const Node& node);

/// Plugin NodeAffinity. `required`: unset when the pod has no required node affinity; empty terms
/// match nothing.
bool passes_node_affinity(const Labels& node_selector,
                          const std::optional<std::vector<NodeSelectorTerm>>& required,
                          const Node& node);

/// A resource that a node lacks.
struct Shortage {
  std::string resource;
  Quantity requested;
  Quantity used;
  Quantity capacity;
};

struct FitOptions {
  std::set<std::string> ignored;         ///< extended resources that another scheduler counts
  std::set<std::string> ignored_groups;  ///< likewise, by the domain in front of the name
  std::set<std::string> claimed;         ///< extended resources that a DeviceClass provides
};

/// Plugin NodeResourcesFit: what is missing on the node; empty: the pod fits. `used` and `pods`:
/// what the pods on the node ask for, and how many they are.
std::vector<Shortage> find_shortages(const ResourceList& requests, const Node& node,
                                     const ResourceList& used = {}, long long pods = 0,
                                     const FitOptions& options = {});

}  // namespace gpuspec::kube
