#pragma once

#include <string>
#include <vector>

#include "core/kube/schedule.h"
#include "core/lint/view.h"

// A pod against the nodes of --nodes.
namespace gpuspec::lint {

/// Whether the rules about nodes have something to say about this pod: it asks for accelerators,
/// nodes are known, and it is not a daemon, a live pod or another scheduler's.
bool judged_by_nodes(const PodView& pod);

/// The nodes that nodeSelector and required node affinity allow.
std::vector<const kube::Node*> matching_nodes(const PodView& pod);

/// Those of `nodes` that have enough of every accelerator the pod asks for.
std::vector<const kube::Node*> large_enough(const PodView& pod,
                                            const std::vector<const kube::Node*>& nodes);

/// The taint of the node that the pod does not tolerate; unset when there is none. Taints that come
/// and go with the state of a node (node.kubernetes.io/…) do not count.
std::optional<kube::Taint> untolerated(const PodView& pod, const kube::Node& node);

/// Whether a node satisfies a single requirement.
bool satisfies(const kube::Node& node, const RequirementView& requirement);

/// `KEY=VALUE:EFFECT`, as kubectl describe prints a taint.
std::string describe(const kube::Taint& taint);

}  // namespace gpuspec::lint
