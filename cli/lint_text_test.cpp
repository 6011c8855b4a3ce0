#include "cli/lint_testing.h"

using namespace gpuspec;

TEST_CASE("text: place, code, line with caret, object, fix") {
  const std::string text = cli::lint_text(cli::sample_report(), false);
  CHECK_THAT(text, ContainsSubstring(
                       "a dir/é&<b>.yaml:8:12: info GPU401: the tag latest of a:latest moves\n"));
  CHECK_THAT(text, ContainsSubstring("a dir/é&<b>.yaml:12:9: warning GPU101: "));
  CHECK_THAT(text, ContainsSubstring("12 |         nvidia.com/gpu: 1\n"));
  CHECK_THAT(text, ContainsSubstring("       in Pod/p, container c<1>&: "
                                     "spec.containers[0].resources.limits[nvidia.com/gpu]\n"));
  CHECK_THAT(text, ContainsSubstring("      fix: tolerate nvidia.com/gpu:NoSchedule\n"));
  CHECK(text.find('\033') == std::string::npos);
  CHECK(cli::lint_text(cli::sample_report(), true).find("\033[1;33mwarning GPU101") !=
        std::string::npos);
  CHECK(cli::lint_text({}, false).empty());
}

TEST_CASE("text: the summary counts everything") {
  const cli::LintReport report = cli::sample_report();
  CHECK(cli::lint_summary(report) ==
        "1 error, 1 warning, 1 info in 2 files, 1 skipped, 1 can be mended with --fix");
  CHECK(cli::lint_summary({}) == "no findings in 0 files");
}

TEST_CASE("statistics: most frequent first") {
  cli::LintReport report = cli::sample_report();
  report.files.push_back(std::move(cli::sample_report().files[0]));
  report.files.back().result.findings.pop_back();
  const std::string text = cli::lint_statistics(report);
  CHECK(text.find("     2  GPU101  [fix] ") != std::string::npos);
  CHECK(text.find("     1  GPU901") > text.find("GPU101"));
}
