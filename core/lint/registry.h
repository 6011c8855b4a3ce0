#pragma once

#include <span>
#include <string_view>

#include "core/lint/rule.h"

namespace gpuspec::lint {

/// All rules, ordered by code.
std::span<const Rule* const> all_rules();

/// The rule with this code or name, any case; nullptr when there is none.
const Rule* find_rule(std::string_view code_or_name);

/// What the codes from GPUx00 to GPUx99 are about: group_title('1') is "Tolerations". Empty for a
/// digit that has no codes.
std::string_view group_title(char digit);

}  // namespace gpuspec::lint
