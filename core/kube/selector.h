#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace gpuspec::kube {

/// core/v1 NodeSelectorRequirement.
struct NodeSelectorRequirement {
  std::string key;
  std::string op;  ///< In, NotIn, Exists, DoesNotExist, Gt, Lt
  std::vector<std::string> values;

  bool operator==(const NodeSelectorRequirement&) const = default;
};

/// core/v1 NodeSelectorTerm: all of its requirements must hold.
struct NodeSelectorTerm {
  std::vector<NodeSelectorRequirement> match_expressions;
  std::vector<NodeSelectorRequirement> match_fields;

  bool operator==(const NodeSelectorTerm&) const = default;
};

/// core/v1 PreferredSchedulingTerm.
struct PreferredTerm {
  int weight = 1;
  NodeSelectorTerm preference;

  bool operator==(const PreferredTerm&) const = default;
};

using Labels = std::map<std::string, std::string>;

/// Whether a node with these labels and this name satisfies the term, as the scheduler decides: an
/// empty term and one that cannot be parsed match nothing.
bool matches(const NodeSelectorTerm& term, const Labels& labels, std::string_view node_name);

/// A label selector as kubectl takes it with -l: `a=b,c!=d,e in (f,g),h notin (i),j,!k`. Throws
/// std::invalid_argument with the reason.
class LabelSelector {
 public:
  explicit LabelSelector(std::string_view text);
  bool matches(const Labels& labels) const;

 private:
  std::vector<NodeSelectorRequirement> requirements_;
};

}  // namespace gpuspec::kube
