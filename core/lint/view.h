#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kube/pod.h"
#include "core/kube/quantity.h"
#include "core/lint/lint.h"
#include "core/yaml/lookup.h"
#include "core/yaml/tree.h"

// What rules look at: a document, its objects, their pods, read once and handed to every rule.
namespace gpuspec::lint {

/// An entry of a mapping, or of a container's `env`.
struct Entry {
  std::string key;
  std::string text;  ///< the scalar's text; empty for anything else
  yaml::Type type = yaml::Type::null;
  yaml::NodeId key_node = yaml::no_node;
  yaml::NodeId value_node = yaml::no_node;
  std::size_t index = 0;  ///< its position
};

/// An entry of limits or requests.
struct ResourceEntry : Entry {
  std::optional<kube::Quantity> quantity;  ///< unset: not a quantity
  bool is_zero() const { return quantity && quantity->is_zero(); }
};

struct PodView;

struct ContainerView {
  const kube::Container* at = nullptr;
  std::vector<ResourceEntry> requests;
  std::vector<ResourceEntry> limits;
  yaml::NodeId requests_node = yaml::no_node;
  yaml::NodeId limits_node = yaml::no_node;
  std::vector<Entry> env;  ///< those with a value; key_node is the entry itself

  const ResourceEntry* request(std::string_view name) const;
  const ResourceEntry* limit(std::string_view name) const;
  /// The limit, else the request: what the container asks for.
  const ResourceEntry* ask(std::string_view name) const;
  /// Asks for one of the pod's accelerators whose name begins so.
  bool asks_any(const PodView& pod, std::string_view prefix = {}) const;
  std::string path() const { return at->path; }
};

struct TolerationView {
  kube::Toleration value;
  yaml::NodeId node = yaml::no_node;
  yaml::Place place;  ///< the same, for changes
  std::string path;   ///< from the object
};

/// A requirement on node labels: an entry of nodeSelector, or an item of matchExpressions.
struct RequirementView {
  std::string key;
  std::string op;  ///< In for an entry of nodeSelector
  std::vector<std::string> values;
  std::vector<yaml::NodeId> value_nodes;
  yaml::NodeId node = yaml::no_node;      ///< the expression; the value in nodeSelector
  yaml::NodeId key_node = yaml::no_node;  ///< where the key is written
  yaml::Place place;  ///< for changes: the expression; the nodeSelector that has the entry
  std::string path;
  bool selector = false;  ///< from nodeSelector
};

/// A required nodeSelectorTerm.
struct TermView {
  std::vector<RequirementView> expressions;
  std::vector<RequirementView> fields;
  yaml::NodeId node = yaml::no_node;
  std::string path;
  bool empty() const { return expressions.empty() && fields.empty(); }
};

/// An accelerator resource that a pod asks for.
struct AskView {
  std::string resource;
  yaml::NodeId node = yaml::no_node;  ///< the key, of the first container that asks
  std::string field;
  std::string container;
  long long count = 0;  ///< as the scheduler counts it for the whole pod; 0: not said in numbers
};

/// Objects seen so far in the source: identity and where.
using Seen = std::map<std::string, std::size_t>;

struct DocumentView {
  const yaml::Tree& tree;
  const text::Source& source;
  const Settings& settings;
  const std::vector<kube::Object>& objects;
  Seen& seen;
};

struct ObjectView {
  const DocumentView& document;
  const kube::Object& object;
  const yaml::Tree& tree;
};

struct PodView {
  const ObjectView& object;
  const kube::Pod& pod;
  const yaml::Tree& tree;
  const Settings& settings;
  bool full = false;  ///< a PodSpec as Kubernetes has it, not another shape
  std::vector<ContainerView> containers;
  std::vector<TolerationView> tolerations;
  std::vector<RequirementView> node_selector;
  bool has_required = false;  ///< requiredDuringScheduling… is written
  std::vector<TermView> terms;
  std::vector<AskView> asks;  ///< accelerators with a quantity above zero, by name
  /// The lists and mappings in force, the pod's own or those of its workflow, with their paths.
  yaml::NodeId tolerations_node = yaml::no_node;
  yaml::NodeId node_selector_node = yaml::no_node;
  std::string tolerations_path;
  std::string node_selector_path;
  std::string platform;  ///< settings.platform, else what the labels say; may be empty

  bool asks_accelerator() const { return !asks.empty(); }
  /// Where a toleration is added; unset where the kind has none, or where the pod inherits those of
  /// its workflow, which an own list would hide.
  std::optional<yaml::Place> toleration_place() const;
  /// Gets accelerators in a way that is no extended resource: a DRA claim, a KAI or Run:ai
  /// annotation, a KubeVirt device.
  bool asks_otherwise() const;
  bool daemon_set() const;
  /// The pod has been scheduled: it comes from a cluster, not from a person.
  bool live() const { return object.object.live; }
  /// A field of the pod spec itself; no_node when absent.
  yaml::NodeId field(std::string_view key) const;
  /// Path of the pod template's metadata; of the object's where there is no template.
  std::string metadata_path() const;
  /// Path of a field of the pod: spec.template.spec.tolerations.
  std::string path(std::string_view key) const;
  /// The node at a path from the object: spec.replicatedJobs[0].template; no_node when absent.
  yaml::NodeId node_at(std::string_view path) const;
  /// The mappings above the pod spec with their paths (the template, its metadata, spec, metadata,
  /// the object), for built-in kinds, whose fields there are known.
  std::vector<std::pair<yaml::NodeId, std::string>> above() const;
  /// An annotation of the pod template, else of the object; empty when absent.
  std::string annotation(std::string_view key) const;
  /// priorityClassName; empty when absent.
  std::string priority_class() const;
  /// Everything a node must satisfy, once for each required term: nodeSelector and the term. With
  /// no terms there is one alternative. Terms that match nothing are left out.
  std::vector<std::vector<const RequirementView*>> alternatives() const;
  /// All requirements: of nodeSelector and of every term.
  std::vector<const RequirementView*> requirements() const;
};

/// Reads a pod. The views point into the arguments.
PodView view_pod(const ObjectView& object, const kube::Pod& pod);

/// Entries of a mapping, merge keys followed.
std::vector<Entry> read_entries(const yaml::Tree& tree, yaml::NodeId mapping);

/// A Place for an existing node.
inline yaml::Place at(yaml::NodeId node) {
  return yaml::Place{node, {}};
}

}  // namespace gpuspec::lint
