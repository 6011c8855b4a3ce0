#pragma once

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/accelerator/resources.h"

// The tables of schemas/, compiled in. Other rooms use the look-ups of this one instead.
namespace gpuspec::accelerator::tables {

std::span<const Resource> resources();
std::span<const Device> devices();
std::span<const Platform> platforms();
std::span<const NodeLabel> labels();
std::span<const InstanceType> instances();

/// Whether `text` fits the pattern, in which each `*` stands for any text.
bool fits(std::string_view pattern, std::string_view text);

}  // namespace gpuspec::accelerator::tables
