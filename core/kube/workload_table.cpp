#include "core/kube/workload_table.h"

#include <algorithm>
#include <tuple>

namespace gpuspec::kube {
namespace {

#include "workload_tables.inc"  // generated from schemas/workloads.yaml, sorted by kind and group

}  // namespace

std::span<const Row> all_rows() {
  return row_table;
}

const Shape& shape_of(const PodRow& row) {
  return shape_table[row.shape];
}

int find_shape(std::string_view name) {
  const auto* found = std::find_if(std::begin(shape_table), std::end(shape_table),
                                   [&](const Shape& shape) { return shape.name == name; });
  return found == std::end(shape_table) ? -1 : static_cast<int>(found - std::begin(shape_table));
}

const Row* find_row(std::string_view group, std::string_view version, std::string_view kind) {
  const auto* first = std::lower_bound(
      std::begin(row_table), std::end(row_table), std::tie(kind, group),
      [](const Row& row, const std::tuple<std::string_view&, std::string_view&>& wanted) {
        return std::tie(row.kind, row.group) < wanted;
      });
  const Row* fallback = nullptr;
  for (const auto* row = first;
       row != std::end(row_table) && row->kind == kind && row->group == group; ++row) {
    if (std::find(row->versions.begin(), row->versions.end(), version) != row->versions.end()) {
      return row;
    }
    if (fallback == nullptr) fallback = row;
  }
  return fallback;
}

}  // namespace gpuspec::kube
