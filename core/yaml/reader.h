#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/text/error.h"
#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// Collections nested deeper than this are refused.
inline constexpr int max_depth = 2000;

/// A stretch of a stream that can be read on its own.
struct Segment {
  std::size_t begin = 0;  ///< byte offsets in the source
  std::size_t end = 0;
  std::size_t document = 0;  ///< number of the document in the stream, from 0
};

/// Cuts a stream into its documents: at lines that start with `---` or `...` (YAML 1.2 §9.1: such
/// a line is a marker whatever surrounds it). Directives belong to the document they precede.
/// Every byte of the stream belongs to exactly one segment. Never throws.
std::vector<Segment> split_documents(std::string_view stream);

/// Reads one document into `tree` (whose storage is reused). `text` is a segment of
/// split_documents, or any stretch that holds one document. `base` is where it starts in its source
/// and is added to the offset of errors. Throws text::Error: malformed YAML, unknown alias,
/// nesting past max_depth, more than 4 GiB. Duplicate keys are not an error here.
void read_document(std::string_view text, std::size_t base, Tree& tree);

}  // namespace gpuspec::yaml
