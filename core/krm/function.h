#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/krm/function_config.h"
#include "core/krm/result.h"
#include "core/lint/lint.h"
#include "core/rewrite/rewrite.h"
#include "core/text/source.h"

namespace gpuspec::krm {

/// How to run the function; made from its configuration by whoever loads profiles.
struct Settings {
  rewrite::Settings rewrite;
  lint::Settings lint;  ///< for Mode::validate
  Mode mode = Mode::transform;
  bool fail_on_warnings = false;
};

/// What the function answers.
struct Answer {
  std::string output;  ///< what goes to standard output
  std::vector<Result> results;
  bool failed = false;  ///< a result is an error: the exit code says so, too
  rewrite::Outcome outcome;
  lint::Result findings;  ///< Mode::validate
};

/// Does a KRM function's work on a ResourceList: edits its items in place and appends results, or,
/// when it validates, answers with the results and no items, which is the one answer that
/// validators may give to every host. Throws what rewrite::rewrite throws.
Answer run_function(const text::Source& source, const Settings& settings);

/// What run_function answers when rewriting failed: the ResourceList as it came, and the error
/// among its results.
std::string answer_error(const text::Source& source, const text::Error& error);

/// The same work on a stream of documents, as kustomize's legacy exec plugins get it. A validator
/// prints nothing.
Answer run_plugin(const text::Source& source, const Settings& settings);

}  // namespace gpuspec::krm
