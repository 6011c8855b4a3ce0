#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/yaml/change.h"
#include "core/yaml/tree.h"

namespace gpuspec::kube {

/// A container of a pod, whatever the kind calls it.
struct Container {
  std::string name;   ///< may be empty where the shape has no name
  std::string path;   ///< from the object: spec.template.spec.containers[0]
  yaml::NodeId node = yaml::no_node;
  bool init = false;  ///< an init container; sidecar init containers are both
  bool sidecar = false;
  // Where its fields are or would be; empty where the shape has no such field.
  std::optional<yaml::Place> resources;  ///< the mapping with `limits` and `requests`
  std::optional<yaml::Place> env;
  std::optional<yaml::Place> volume_mounts;
  std::optional<yaml::Place> image_holder;  ///< the mapping that has `image`
};

/// One group of identical pods in an object: a full pod spec, or what a kind has in its place.
struct Pod {
  std::string path;  ///< from the object: spec.template.spec
  yaml::NodeId spec = yaml::no_node;
  yaml::NodeId template_metadata = yaml::no_node;  ///< metadata of the pod template, when there is
  std::vector<Container> containers;               ///< init containers first
  // Where its fields are or would be; empty where the shape has no such field.
  std::optional<yaml::Place> tolerations;
  std::optional<yaml::Place> node_selector;
  std::optional<yaml::Place> affinity;
  std::optional<yaml::Place> volumes;
  std::optional<yaml::Place> metadata;      ///< of the pod template (labels, annotations below)
  std::optional<yaml::Place> spec_holder;   ///< has runtimeClassName, priorityClassName, schedulerName
};

/// Where pods come from: an object of a document (an item of a List counts as one).
struct Object {
  yaml::NodeId node = yaml::no_node;
  std::string api_version;
  std::string group;    ///< api_version without its version; empty for core
  std::string version;
  std::string kind;
  std::string name;     ///< metadata.name, else metadata.generateName
  std::string name_space;
  Labels labels;
  Labels annotations;
  std::string path;     ///< where it is in its document: "" or items[3] …
  std::vector<Pod> pods;
};

}  // namespace gpuspec::kube
