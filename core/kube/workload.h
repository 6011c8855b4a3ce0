#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/kube/pod.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// What find_objects saw and did not follow: an unknown kind that holds something shaped like a pod
/// spec, a manifest inside a string, and the like. Shown at -v.
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

/// A kind that a profile or `.gpuspec.yaml` adds (`workloads: [{group, kind, paths}]`). It comes
/// before the built-in kinds. Paths lead to pod specs: `spec.groups[*].template.spec`, where `[*]`
/// is every item of a list and `*` alone every value of a mapping.
struct UserKind {
  std::string group;
  std::string kind;
  std::vector<std::string> paths;
  std::string shape = "podSpec";  ///< a name under `shapes:` in schemas/workloads.yaml
};

/// What is wrong with a user's kind, for the message about the file it came from; empty when it can
/// be used.
std::string check(const UserKind& kind);

/// The Kubernetes objects of a document with their pods: List and typed lists (items without kind
/// take it from the list) are followed, wrappers too. A document that is no Kubernetes object gives
/// none. `context`: the tree's root is the `items` sequence of such a list. `extra`: kinds beside
/// the built-in ones; they must outlive the result. Throws text::Error for a pod spec of the wrong
/// shape: names the path, what was found and what was expected.
Objects find_objects(const yaml::Tree& tree, const ListContext* context = nullptr,
                     const std::vector<UserKind>* extra = nullptr);

/// A kind of the built-in table, for lists and tests.
struct KnownKind {
  std::string_view group;
  std::string_view kind;
  std::vector<std::string_view> versions;
  std::vector<std::string_view> paths;  ///< of pods, or of whole objects in a wrapper
  bool wrapper = false;
};
std::vector<KnownKind> known_kinds();

/// Throws text::Error when a mapping on the way to the pod or in it, as far as rules edit it, has a
/// key twice. Not done by find_objects, which is to be quick: call it for pods that change.
void refuse_duplicate_keys(const yaml::Tree& tree, const Object& object, const Pod& pod);

/// The annotation kubectl.kubernetes.io/last-applied-configuration, which an edit makes stale.
bool has_last_applied(const yaml::Tree& tree, const Object& object);

}  // namespace gpuspec::kube
