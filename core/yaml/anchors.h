#pragma once

#include <map>
#include <set>

#include "core/yaml/change.h"

namespace gpuspec::yaml {

/// The changes with what anchors make necessary.
struct Plan {
  std::map<NodeId, NodeChange> nodes;
  /// Anchored nodes whose anchor moved to the first alias that stays: they lose it.
  std::set<NodeId> detached;
};

/// An anchored node that changes, or goes, while aliases name it: the first of these aliases
/// becomes a copy of what the node was, and takes over the anchor, so that all users keep their
/// meaning. Aliases in copied values that would name something else at their new place are replaced
/// by copies. Throws text::Error when that makes more text than is reasonable (an alias bomb).
Plan keep_meanings(const Changes& changes);

}  // namespace gpuspec::yaml
