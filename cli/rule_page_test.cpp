#include "cli/rule_page.h"

#include <fstream>
#include <sstream>

#include "core/lint/registry.h"
#include "core/testing.h"

using namespace gpuspec;

TEST_CASE("the page of all rules in man is the one that the rules make") {
  std::ifstream in(GPUSPEC_SOURCE_DIR "/man/gpuspec-rules.7");
  REQUIRE(in);
  std::ostringstream page;
  page << in.rdbuf();
  INFO("gpuspec explain --all --format man > man/gpuspec-rules.7");
  CHECK(page.str() == cli::all_rules_man());
}

TEST_CASE("a page says everything about its rule") {
  for (const lint::Rule* rule : lint::all_rules()) {
    INFO(rule->code);
    for (const std::string& page : {cli::rule_text(*rule), cli::rule_markdown(*rule)}) {
      CHECK_THAT(page, ContainsSubstring(std::string(rule->summary)));
      CHECK_THAT(page, ContainsSubstring("apiVersion:"));
    }
    CHECK_THAT(cli::rule_text(*rule), ContainsSubstring(std::string(rule->code) + " "));
    CHECK_THAT(cli::rule_list(), ContainsSubstring(std::string(rule->code)));
  }
}
