#pragma once

#include <string_view>
#include <vector>

#include "core/text/edit.h"

namespace gpuspec::lint {

/// Two rounds of edits as one: `first` are edits of `text`, `second` of what `first` makes of it.
/// Both are ordered and disjoint, and so is the result.
std::vector<text::Edit> compose(std::string_view text, const std::vector<text::Edit>& first,
                                const std::vector<text::Edit>& second);

}  // namespace gpuspec::lint
