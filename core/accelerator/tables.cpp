#include "core/accelerator/tables.h"

namespace gpuspec::accelerator::tables {
namespace {

#include "accelerator_tables.inc"  // generated from schemas/

}  // namespace

std::span<const Resource> resources() {
  return resource_table;
}

}  // namespace gpuspec::accelerator::tables
