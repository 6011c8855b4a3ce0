#include "core/yaml/tree.h"

#include <algorithm>

namespace gpuspec::yaml {

void Tree::clear() {
  text = {};
  base = 0;
  nodes.clear();
  props.clear();
  aliases.clear();
  tag_handles.clear();
  content_begin = 0;
  explicit_start = explicit_end = has_content = false;
}

const Properties* Tree::find_properties(NodeId id) const {
  const auto at = std::lower_bound(props.begin(), props.end(), id,
                                   [](const Properties& p, NodeId n) { return p.node < n; });
  return at != props.end() && at->node == id ? &*at : nullptr;
}

NodeId Tree::target_of(NodeId alias) const {
  // An alias names an earlier node that is itself no alias, so one step is enough.
  const auto at = std::lower_bound(aliases.begin(), aliases.end(), alias,
                                   [](const AliasTarget& a, NodeId n) { return a.alias < n; });
  return at->target;
}

bool Tree::is_aliased(NodeId id) const {
  return (nodes[id].flags & has_properties) != 0 &&
         std::any_of(aliases.begin(), aliases.end(),
                     [id](const AliasTarget& a) { return a.target == id; });
}

}  // namespace gpuspec::yaml
