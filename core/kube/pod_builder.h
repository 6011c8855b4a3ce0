#pragma once

#include "core/kube/pod.h"
#include "core/kube/walk.h"
#include "core/kube/workload_table.h"

namespace gpuspec::kube {

/// Appends the pods that a row of the table finds in an object. `walker` stands at the object.
/// Throws text::Error for wrong shapes.
void add_pods(Walker& walker, std::span<const PodRow> rows, std::vector<Pod>& pods);

}  // namespace gpuspec::kube
