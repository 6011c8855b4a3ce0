#pragma once

#include <string_view>
#include <vector>

#include "core/lint/lint.h"
#include "core/lint/report.h"
#include "core/lint/suppress.h"
#include "core/lint/view.h"

namespace gpuspec::lint {

/// What a document came to, besides what goes into the Result.
struct DocumentOutcome {
  std::vector<text::Edit> edits;   ///< all fixes of the document together, proved
  std::vector<std::size_t> fixed;  ///< positions in Result::findings of what they mend
};

/// Lints one document of a source. `mend`: also make the edits of all fixes together.
DocumentOutcome lint_document(const text::Source& source, std::string_view text, std::size_t base,
                              const Settings& settings, const IgnoreComments& ignores, bool mend,
                              yaml::Tree& tree, Seen& seen, Result& result);

}  // namespace gpuspec::lint
