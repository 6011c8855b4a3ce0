#include <algorithm>

#include "cli/lint_testing.h"

using namespace gpuspec;

TEST_CASE("github: a workflow command for each finding") {
  const std::string text = cli::lint_github(cli::sample_report());
  CHECK_THAT(text, ContainsSubstring(
                       "::notice file=a dir/é&<b>.yaml,line=8,col=12,endLine=8,endColumn=20,"
                       "title=GPU401 image-tag::the tag latest of a:latest moves (Pod/p)\n"));
  CHECK_THAT(text, ContainsSubstring("%0Afix: tolerate nvidia.com/gpu:NoSchedule\n"));
  CHECK_THAT(text, ContainsSubstring("::error file="));
  CHECK(std::count(text.begin(), text.end(), '\n') == 3);
}

TEST_CASE("github: what ends a command or a property is escaped") {
  cli::LintReport report;
  report.files.push_back(cli::linted("a,b:c%.yaml", "apiVersion: v1\nkind: [\n"));
  CHECK_THAT(cli::lint_github(report), ContainsSubstring("file=a%2Cb%3Ac%25.yaml,line="));
}
