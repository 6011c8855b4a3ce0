#include "cli/lint_testing.h"

using namespace gpuspec;

TEST_CASE("tap: a test point for each file") {
  const std::string text = cli::lint_tap(cli::sample_report());
  CHECK(
      text.starts_with("TAP version 14\n1..3\nnot ok 1 - a dir/é&<b>.yaml\n  ---\n  findings:\n"
                       "  - code: GPU401\n    severity: info\n    line: 8\n"));
  CHECK_THAT(text, ContainsSubstring("    object: \"Pod/p\"\n"));
  CHECK_THAT(text,
             ContainsSubstring(
                 "\n  ...\nok 2 - clean.yaml\nok 3 - values.yaml # SKIP no Kubernetes object\n"));
}

TEST_CASE("tap: findings below the failing severity do not fail") {
  cli::LintReport report = cli::sample_report();
  report.files[0].result.findings.resize(1);  // the info
  CHECK_THAT(cli::lint_tap(report), ContainsSubstring("\nok 1 - a dir"));
}
