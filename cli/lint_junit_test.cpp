#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>

#include <unistd.h>

#include "cli/lint_testing.h"

using namespace gpuspec;

namespace {

bool have_python() {
  return std::system("python3 -c 'import xml.etree.ElementTree' 2>/dev/null") == 0;
}

/// Runs a program over the report; what it printed.
std::string with_python(const std::string& xml, const std::string& program) {
  char name[] = "/tmp/gpuspec-junit-XXXXXX";
  const int fd = mkstemp(name);
  REQUIRE(fd >= 0);
  close(fd);
  std::ofstream(name) << xml;
  const std::string command = "python3 -c '" + program + "' " + name + " 2>&1";
  std::string output;
  FILE* pipe = popen(command.c_str(), "r");
  REQUIRE(pipe);
  char buffer[4096];
  while (const std::size_t size = fread(buffer, 1, sizeof buffer, pipe))
    output.append(buffer, size);
  pclose(pipe);
  std::remove(name);
  return output;
}

}  // namespace

TEST_CASE("junit: a real parser reads it") {
  if (!have_python()) {
    std::cout << "skipped: junit parser: no python3\n";
    return;
  }
  const std::string program =
      "import sys, xml.etree.ElementTree as e\n"
      "r = e.parse(sys.argv[1]).getroot()\n"
      "print(r.tag, r.get(\"tests\"), r.get(\"failures\"), r.get(\"skipped\"))\n"
      "for s in r:\n"
      "    print(s.tag, s.get(\"name\"), s.get(\"tests\"), s.get(\"failures\"))\n"
      "    for c in s:\n"
      "        print(\" \", c.get(\"name\"), \"|\", c.get(\"classname\"), \"|\", "
      "\",\".join(x.tag for x in c))\n";
  CHECK(with_python(cli::lint_junit(cli::sample_report()), program) ==
        "testsuites 5 2 1\n"
        "testsuite a dir/é&<b>.yaml 3 2\n"
        "  GPU401 image-tag line 8 | Pod/p | system-out\n"
        "  GPU101 missing-toleration line 12 | Pod/p | failure\n"
        "  GPU901 unreadable line 15 | a dir/é&<b>.yaml | failure\n"
        "testsuite clean.yaml 1 0\n"
        "  gpuspec lint | clean.yaml | \n"
        "testsuite values.yaml 1 0\n"
        "  gpuspec lint | values.yaml | skipped\n");
}

TEST_CASE("junit: the failing severity decides what is a failure") {
  cli::LintReport report = cli::sample_report();
  report.failing = lint::Severity::error;
  CHECK_THAT(cli::lint_junit(report), ContainsSubstring("tests=\"5\" failures=\"1\""));
}
