#pragma once
// For the tests of lint's output formats.

#include <string>
#include <utility>

#include "cli/lint_report.h"
#include "core/testing.h"

namespace gpuspec::cli {

inline LintedFile linted(const std::string& name, const std::string& text) {
  lint::Settings settings;
  settings.rules = lint::select_rules({}, {});
  settings.fixes = true;
  LintedFile file;
  file.name = name;
  file.source = text::Source::from_string(name, text);
  file.result = lint::lint(*file.source, settings);
  return file;
}

/// Three files: one with a warning that has a fix, an info and an error; a clean one; one that is
/// skipped. The first one's name and texts hold what formats must escape.
inline LintReport sample_report() {
  LintReport report;
  report.rules = lint::select_rules({}, {});
  report.files.push_back(linted("a dir/é&<b>.yaml",
                                "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n"
                                "  containers:\n  - name: \"c<1>&\"\n    image: a:latest\n"
                                "    resources:\n      limits:\n        memory: 8Gi\n"
                                "        nvidia.com/gpu: 1\n---\napiVersion: v1\nkind: [\n"));
  report.files.push_back(
      linted("clean.yaml", "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: x}\n"));
  report.files.push_back(linted("values.yaml", "a: 1\n"));
  return report;
}

}  // namespace gpuspec::cli
