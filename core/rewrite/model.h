#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/kube/pod.h"
#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/yaml/change.h"

// A pod as it stands: what the manifest says and what rules have changed so far. Rules read and
// change the model; core/rewrite/emit.h turns what is different into changes of the document. So a
// second profile sees what the first one did, and a rule run twice does nothing the second time.
namespace gpuspec::rewrite {

/// Why a part of the model is not as the manifest has it; unset: it is.
using Reason = std::optional<yaml::Why>;

/// One key of a mapping of strings (or quantities).
struct Entry {
  std::string key;
  std::string value;
  std::string written_key;            ///< the key in the manifest; empty: it has none
  yaml::NodeId node = yaml::no_node;  ///< the value in the manifest
  bool removed = false;
  Reason why;
  Reason renamed;
};

/// A mapping of strings, in the order of the manifest.
class Entries {
 public:
  Entry* find(std::string_view key);
  const Entry* find(std::string_view key) const;
  void set(std::string_view key, std::string_view value, const yaml::Why& why);
  void remove(std::string_view key, const yaml::Why& why);
  void rename(std::string_view key, std::string_view to, const yaml::Why& why);

  std::vector<Entry>& all() { return entries_; }
  const std::vector<Entry>& all() const { return entries_; }
  bool changed() const;

 private:
  std::vector<Entry> entries_;
};

/// A field that holds one string; an empty string counts as absent.
struct Scalar {
  std::string value;
  yaml::NodeId node = yaml::no_node;
  Reason why;
};

struct Tolerance {
  kube::Toleration toleration;
  Reason why;
};

/// An expression or field requirement of a term.
struct Requirement {
  kube::NodeSelectorRequirement what;
  yaml::NodeId node = yaml::no_node;  ///< in the manifest
  Reason why;                         ///< with a node: rewritten in place
};

/// A required nodeSelectorTerm.
struct Term {
  std::vector<Requirement> expressions;
  std::vector<Requirement> fields;
  yaml::NodeId node = yaml::no_node;
  bool added = false;
  bool alternative = false;  ///< one of the profile's alternatives
  Reason why;                ///< of a term that was added

  bool empty() const { return expressions.empty() && fields.empty(); }
};

struct Preferred {
  kube::PreferredTerm what;
  Reason why;
};

/// A variable of `env`.
struct Variable {
  std::string name;
  std::optional<std::string> value;  ///< unset: it comes from somewhere else
  std::optional<yaml::Value> from;   ///< body of a variable that a rule added or changed
  yaml::NodeId node = yaml::no_node;
  std::size_t index = 0;  ///< in the manifest's list
  Reason why;
};

/// A volume mount or a volume: what shared memory needs to know of it.
struct Mount {
  std::string volume;
  std::string path;
  Reason why;
};
struct Volume {
  std::string name;
  bool memory = false;  ///< an emptyDir with medium Memory
  std::string size;     ///< its sizeLimit
  yaml::NodeId node = yaml::no_node;
  std::size_t index = 0;
  Reason why;
};

/// A field that is set to a whole value.
struct Field {
  std::string key;
  yaml::Value value;
  yaml::Why why;
};

struct ContainerModel {
  const kube::Container* at = nullptr;
  Entries limits;
  Entries requests;
  std::vector<Variable> env;
  std::vector<Mount> mounts;
  Scalar image;
  std::vector<Field> fields;  ///< replace what is there, whatever the parts above say
};

struct PodModel {
  const yaml::Tree* tree = nullptr;
  const kube::Object* object = nullptr;
  const kube::Pod* at = nullptr;

  std::vector<Tolerance> tolerations;
  Entries node_selector;
  std::vector<Term> terms;
  bool terms_replaced = false;  ///< the whole list of terms is written anew
  Reason terms_why;
  std::vector<Preferred> preferred;
  /// The affinity that the pod gets as a whole before the rules work on it: a profile's default, or
  /// the one it inherits and would hide by having one of its own.
  std::optional<yaml::Value> base_affinity;
  Reason affinity_why;  ///< set when base_affinity is written even if no rule adds to it
  bool own_affinity = false;

  std::vector<ContainerModel> containers;  ///< as in kube::Pod
  std::vector<Volume> volumes;
  Scalar runtime_class;
  Scalar priority_class;
  Scalar scheduler;
  Scalar gpu_count;      ///< where the kind has a field for it
  Scalar gpu_resource;   ///< likewise
  Scalar shared_memory;  ///< likewise
  Scalar ray_gpus;       ///< rayStartParams.num-gpus
  Scalar ray_resource;   ///< the group's resources.GPU, in the manifest's spelling of the key
  std::string ray_resource_key;
  Entries labels;
  Entries annotations;
  std::vector<Field> defaults;  ///< fields of the pod spec that it did not have
  std::vector<Field> fields;    ///< fields of the pod spec that replace what is there
};

/// Reads the parts that rules look at. Throws text::Error where one has the wrong shape.
PodModel load_pod(const yaml::Tree& tree, const kube::Object& object, const kube::Pod& pod);

/// The required terms and preferred terms of an `affinity` that is a value.
void load_affinity(const yaml::Value& affinity, PodModel& model);

}  // namespace gpuspec::rewrite
