#include "cli/lint_baseline.h"

#include <cstdio>
#include <fstream>

#include <unistd.h>

#include "cli/command.h"
#include "cli/lint_testing.h"

using namespace gpuspec;

namespace {

struct File {
  explicit File(const std::string& text) { std::ofstream(name) << text; }
  ~File() { std::remove(name.c_str()); }
  std::string name = std::string("baseline-test-") + std::to_string(getpid()) + ".json";
};

}  // namespace

TEST_CASE("baseline: what it lists is not reported again") {
  const File file(cli::Baseline::write(cli::sample_report()));
  cli::LintReport report = cli::sample_report();
  cli::Baseline::read(file.name).apply(report);
  CHECK(report.findings() == 0);
  CHECK(report.baselined == 3);
}

TEST_CASE("baseline: lines may move, further findings are reported") {
  const std::string pod =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n  - name: c\n"
      "    image: a:1\n    resources: {limits: {memory: 1Gi, nvidia.com/gpu: 1}}\n";
  cli::LintReport before;
  before.files.push_back(cli::linted("./a.yaml", pod));
  const File file(cli::Baseline::write(before));
  cli::LintReport after;
  after.files.push_back(
      cli::linted("a.yaml", "# moved\n" + pod +
                                "  - name: d\n    image: a:latest\n    resources: "
                                "{limits: {memory: 1Gi, nvidia.com/gpu: 1}}\n"));
  cli::Baseline::read(file.name).apply(after);
  CHECK(after.baselined == 1);
  CHECK(after.findings() == 2);  // GPU010 and GPU401 of the new container
}

TEST_CASE("baseline: another file is refused") {
  const File file("{}");
  CHECK_THROWS_AS(cli::Baseline::read(file.name), cli::UsageError);
}
