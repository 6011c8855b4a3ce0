#pragma once

#include <string>
#include <string_view>

#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// Whether every YAML parser, 1.1 or 1.2, reads this plain scalar as the string it looks like: no
/// boolean, null, number, date, base-60 number, merge key or the like. Stricter than plain_type().
bool is_plainly_a_string(std::string_view text);

/// Whether the string can be written without quotes. `flow`: inside `[]` or `{}`.
bool can_be_plain(std::string_view text, bool flow);

/// Whether the string can be a block scalar `|` that every parser reads back to the same text.
bool can_be_literal(std::string_view text);

/// The string with quotes; double quotes use the escapes of JSON only.
std::string double_quoted(std::string_view text);
std::string single_quoted(std::string_view text);

/// The string on one line: plain where that is right and wished, else in the quotes wished (plain:
/// none wished), else in double quotes.
std::string spell(std::string_view text, Style wish, bool flow);

}  // namespace gpuspec::yaml
