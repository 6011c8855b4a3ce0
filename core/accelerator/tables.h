#pragma once

#include "core/accelerator/resources.h"

// The tables of schemas/, compiled in. Other rooms use the look-ups of this one instead.
namespace gpuspec::accelerator::tables {

std::span<const Resource> resources();

}  // namespace gpuspec::accelerator::tables
