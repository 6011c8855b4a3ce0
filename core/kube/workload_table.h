#pragma once

#include <span>
#include <string_view>

#include "core/kube/pod.h"

// The table of schemas/workloads.yaml, which explains the fields. Only core/kube looks here.
namespace gpuspec::kube {

/// A path seen from the pod or container; empty: there is no such field. Several paths are
/// separated by `|`. `simple`: keys only, so that it needs no walk to become a Spot.
struct FieldPath {
  std::string_view path;
  bool simple = true;
};

struct ContainerShape {
  std::string_view at;
  bool init = false;
  FieldPath resources;
  FieldPath env;
  FieldPath volume_mounts;
  FieldPath image;
};

struct AskShape {
  std::string_view resource;
  std::string_view when;
  std::string_view count;
  std::string_view name;
  std::string_view keys;
  std::string_view names;
  bool certain = false;
};

struct Shape {
  std::string_view name;
  std::span<const ContainerShape> containers;
  FieldPath tolerations;
  FieldPath node_selector;
  FieldPath affinity;
  FieldPath node_selector_terms;
  FieldPath volumes;
  FieldPath metadata;
  FieldPath holder;
  std::string_view runtime_class_key;
  std::string_view priority_class_key;
  std::string_view scheduler_key;
  std::span<const AskShape> asks;
  FieldPath gpu_count;
  FieldPath gpu_resource;
  bool gpu_quoted = false;
  FieldPath shared_memory;
  std::string_view inherited;
  std::string_view merged_under;
  bool needs_container = false;
  std::string_view hint;
};

enum class Role { worker, cpu, never };

struct PodRow {
  std::string_view at;
  int shape = 0;
  Role role = Role::worker;
  std::span<const std::string_view> cpu;
  std::string_view by;
  std::string_view unless;
  FieldPath ray;
};

struct Row {
  std::string_view group;
  std::string_view kind;
  std::span<const std::string_view> versions;
  std::span<const PodRow> pods;
  std::span<const std::string_view> objects;
  std::span<const std::string_view> strings;
  Frozen frozen = Frozen::nothing;
  std::string_view note;
};

std::span<const Row> all_rows();
const Shape& shape_of(const PodRow& row);
/// Index of the shape with this name, -1 when there is none.
int find_shape(std::string_view name);
/// The row for a kind: the one that lists the version, else the first one of group and kind;
/// nullptr for a kind that is not in the table.
const Row* find_row(std::string_view group, std::string_view version, std::string_view kind);

}  // namespace gpuspec::kube
