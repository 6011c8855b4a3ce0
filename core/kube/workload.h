#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/pod.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// What find_objects saw and did not follow: an unknown kind that holds something shaped like a pod
/// spec, and the like. Shown at -v.
struct Note {
  yaml::NodeId node = yaml::no_node;
  std::string text;
};

struct Objects {
  std::vector<Object> objects;
  std::vector<Note> notes;
};

/// The apiVersion and kind of the list around the items, where a document is read in parts.
struct ListContext {
  std::string api_version;
  std::string kind;
};

/// The Kubernetes objects of a document with their pods: List and typed lists (items without kind
/// take it from the list) are followed, wrappers too. A document that is no Kubernetes object gives
/// none. `context`: the tree's root is the `items` sequence of such a list. Throws text::Error for
/// a pod spec of the wrong shape: names the path, what was found and what was expected.
Objects find_objects(const yaml::Tree& tree, const ListContext* context = nullptr);

}  // namespace gpuspec::kube
