#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/yaml/change.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// Where a field of a pod is or would be; false where the kind has no such field. Cheap to copy:
/// `*spot` makes the yaml::Place for core/yaml/change.h, `spot.get(tree)` reads what is there.
class Spot {
 public:
  Spot() = default;
  /// Keys (`affinity.nodeAffinity`, empty: the node itself; they must outlive the Spot) below a
  /// node of the tree. `route`: how `place` gets to `base` where an alias or a merge key lies
  /// between them; null otherwise.
  Spot(yaml::NodeId place, yaml::NodeId base, std::string_view keys,
       std::shared_ptr<const std::vector<std::string>> route = nullptr)
      : place_(place), base_(base), keys_(keys), route_(std::move(route)) {}

  explicit operator bool() const { return base_ != yaml::no_node; }
  /// Where changes go: through the alias or merge key by which the pod was reached, if any.
  yaml::Place operator*() const;
  /// The field itself, aliases and merge keys followed; no_node when it is not there.
  yaml::NodeId get(const yaml::Tree& tree) const;
  /// An existing node at or above the field, for the place of a message.
  yaml::NodeId base() const { return base_; }
  /// The keys below base(), dotted.
  std::string_view keys() const { return keys_; }

 private:
  yaml::NodeId place_ = yaml::no_node;
  yaml::NodeId base_ = yaml::no_node;
  std::string_view keys_;
  std::shared_ptr<const std::vector<std::string>> route_;
};

/// A container of a pod, whatever the kind calls it.
struct Container {
  std::string name;  ///< may be empty where the shape has no name
  std::string path;  ///< from the object: spec.template.spec.containers[0]
  yaml::NodeId node = yaml::no_node;
  bool init = false;  ///< an init container; sidecar init containers are both
  bool sidecar = false;
  // Where its fields are or would be.
  Spot resources;  ///< the mapping with `limits` and `requests`
  Spot env;
  Spot volume_mounts;
  Spot image_holder;  ///< the mapping that has `image`
};

/// An accelerator that a kind asks for in a way of its own, not in a container's limits or
/// requests: Spark's `gpu: {name, quantity}`, a KubeVirt device, the GPU a NIMService always gets.
struct Ask {
  std::string resource;               ///< nvidia.com/gpu
  yaml::NodeId node = yaml::no_node;  ///< what says so
  bool certain = false;  ///< the field is for accelerators only, whatever the name looks like
};

/// One group of identical pods in an object: a full pod spec, or what a kind has in its place.
struct Pod {
  std::string path;  ///< from the object: spec.template.spec
  yaml::NodeId spec = yaml::no_node;
  yaml::NodeId template_metadata = yaml::no_node;  ///< metadata of the pod template, when there is
  std::vector<Container> containers;               ///< init containers first
  std::vector<Ask> asks;                           ///< beside what the containers ask for
  /// A group that works without accelerators by the meaning of its kind (a Ray submitter, an MPI
  /// launcher, a router): never given one, rewritten only when it asks by itself.
  bool never_accelerated = false;
  // Where its fields are or would be.
  Spot tolerations;
  Spot node_selector;
  Spot affinity;
  Spot node_selector_terms;  ///< the required terms: in `affinity`, or where the kind keeps them
  Spot volumes;
  Spot metadata;                        ///< of the pod template (labels, annotations below)
  Spot spec_holder;                     ///< has the fields that the three keys below name
  std::string_view runtime_class_key;   ///< runtimeClassName; empty where there is no such field
  std::string_view priority_class_key;  ///< priorityClassName
  std::string_view scheduler_key;       ///< schedulerName
  // Kinds that count accelerators in fields of their own.
  Spot gpu_count;                ///< Spark's gpu.quantity
  Spot gpu_resource;             ///< Spark's gpu.name
  std::string_view gpu_default;  ///< what is counted where gpu_resource is not there
  bool gpu_quoted = false;       ///< the count is a string there
  Spot shared_memory;            ///< a size in a field of its own, instead of a volume
  Spot ray_group;                ///< the Ray group, which has rayStartParams and resources
  // Values in force as long as the pod has none of its own: an own one hides them (Argo: template
  // before workflow), so they must be copied into it. no_node where there are none.
  yaml::NodeId inherited_tolerations = yaml::no_node;
  yaml::NodeId inherited_node_selector = yaml::no_node;
  yaml::NodeId inherited_affinity = yaml::no_node;
  std::string_view hint;  ///< where the fields that this shape lacks are to be said
};

/// What the API server refuses to change in an object that is live already.
enum class Frozen {
  nothing,       ///< its pod templates may change
  pod,           ///< a Pod: images and further tolerations only
  job_template,  ///< a Job: its template, unless it is suspended and has not started
  spec,          ///< all of its spec
};

/// Where pods come from: an object of a document (an item of a List counts as one).
struct Object {
  yaml::NodeId node = yaml::no_node;
  std::string api_version;
  std::string group;  ///< api_version without its version; empty for core
  std::string version;
  std::string kind;
  std::string name;  ///< metadata.name, else metadata.generateName
  std::string name_space;
  yaml::NodeId metadata = yaml::no_node;
  yaml::NodeId labels = yaml::no_node;       ///< the mapping; read_labels() reads it
  yaml::NodeId annotations = yaml::no_node;  ///< likewise
  std::string path;                          ///< where it is in its document: "" or items[3] …
  bool live = false;                         ///< it has been in a cluster: metadata.uid is set
  Frozen frozen = Frozen::nothing;           ///< for a live object; nothing for others
  std::vector<Pod> pods;
};

/// A mapping of strings (labels, annotations) as it is meant; empty for no_node.
Labels read_labels(const yaml::Tree& tree, yaml::NodeId mapping);

/// One label or annotation; empty when absent.
std::string read_label(const yaml::Tree& tree, yaml::NodeId mapping, std::string_view key);

}  // namespace gpuspec::kube
