#pragma once

#include <string>
#include <vector>

#include "core/rewrite/rewrite.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// What was done with one input.
struct FileReport {
  const text::Source* source = nullptr;
  const rewrite::Outcome* outcome = nullptr;
};

/// One line an edit: `FILE:LINE:COL: OBJECT: FIELD: OP VALUE (RULE: REASON)`, and a summary.
std::string text_report(const std::vector<FileReport>& files);

/// The same for programs (schemas/rewrite-report.schema.json).
std::string json_report(const std::vector<FileReport>& files);

/// `3 edits in 2 of 5 files`.
std::string summary(const std::vector<FileReport>& files);

}  // namespace gpuspec::cli
