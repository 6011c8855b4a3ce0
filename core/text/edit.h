#pragma once

#include <cstddef>
#include <string>

namespace gpuspec::text {

/// Replace the bytes [begin, end) of a source by `text`.
struct Edit {
  std::size_t begin = 0;
  std::size_t end = 0;
  std::string text;
};

}  // namespace gpuspec::text
