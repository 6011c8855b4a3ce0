#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "core/text/error.h"
#include "core/text/source.h"

namespace gpuspec::text {

enum class Severity { error, warning, note };

/// The word for a severity: "error", "warning", "note".
std::string_view word(Severity severity);

/// A message about a place in a source, as people read it, with a final line end:
///
///     FILE:LINE:COL: error: TEXT
///        12 |   limits: [1]
///           |           ^
///       hint: HINT
///
/// Very long lines are cut around the caret; what a terminal would act on is shown as U+FFFD.
std::string format_message(const Source& source, std::size_t offset, Severity severity,
                           std::string_view text, std::string_view hint = {}, bool color = false);

/// The same for an Error of that source.
std::string format_message(const Source& source, const Error& error, bool color = false);

/// The source line with the caret under it (the two middle lines above).
std::string snippet(const Source& source, std::size_t offset, bool color = false);

}  // namespace gpuspec::text
