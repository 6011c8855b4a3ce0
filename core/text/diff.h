#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/edit.h"

namespace gpuspec::text {

/// Takes a piece of output.
using Sink = std::function<void(std::string_view)>;

/// Writes the unified diff between `before` and `before` with the edits applied, as `diff -u` and
/// git understand it. The edits must be ordered and disjoint; as they are known nothing is
/// searched: the time is linear in the text. Writes nothing when nothing differs.
void write_unified_diff(std::string_view name, std::string_view before,
                        const std::vector<Edit>& edits, bool color, const Sink& sink);

/// The same as a string.
std::string unified_diff(std::string_view name, std::string_view before,
                         const std::vector<Edit>& edits, bool color = false);

}  // namespace gpuspec::text
