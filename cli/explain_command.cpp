#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <unistd.h>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "cli/rule_page.h"
#include "core/lint/registry.h"
#include "core/text/suggest.h"

namespace gpuspec::cli {
namespace {

struct Options {
  std::vector<std::string> codes;
  bool all = false;
  std::string format = "text";
};

[[noreturn]] void unknown(const std::string& code) {
  std::vector<std::string_view> names;
  for (const lint::Rule* rule : lint::all_rules()) {
    names.push_back(rule->code);
    names.push_back(rule->name);
  }
  const std::string_view near = text::closest(code, names);
  throw UsageError("no rule is called " + code, near.empty()
                                                    ? "gpuspec explain lists them all"
                                                    : "did you mean " + std::string(near) + "?");
}

int explain(const Options& options, const Common& common) {
  const bool color = use_color(common.color, STDOUT_FILENO);
  if (options.format != "text" && options.format != "man" && options.format != "markdown")
    throw UsageError("--format: there is no format \"" + options.format + '"',
                     "text, markdown or man");
  if (options.all && options.format == "man") {
    print(all_rules_man());
    return exit_done;
  }
  if (options.all && options.format == "markdown") {
    print(all_rules_markdown());
    return exit_done;
  }
  if (options.codes.empty() && !options.all) {
    print(rule_list(color));
    return exit_done;
  }
  std::vector<const lint::Rule*> rules;
  for (const std::string& code : options.codes) {
    const lint::Rule* rule = lint::find_rule(code);
    if (!rule) unknown(code);
    rules.push_back(rule);
  }
  if (options.all) rules.assign(lint::all_rules().begin(), lint::all_rules().end());
  std::string out;
  for (const lint::Rule* rule : rules) {
    if (!out.empty()) out += "\n";
    if (options.format == "man")
      out += rule_man(*rule);
    else
      out += options.format == "markdown" ? rule_markdown(*rule) : rule_text(*rule, color);
  }
  print(out);
  return exit_done;
}

}  // namespace

Run add_explain_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("explain", "A lint rule: what, why, an example, the fix");
  command
      ->add_option("CODE", options->codes,
                   "codes or names of rules (GPU101, missing-toleration); none: list all rules")
      ->type_name("CODE");
  command->add_flag("--all", options->all, "all rules");
  command->add_option("--format", options->format, "text, markdown or man")->type_name("FORMAT");
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  gpuspec explain                    the rules, a line each\n"
      "  gpuspec explain GPU101             one of them\n"
      "  gpuspec explain --all --format markdown");
  return [options, &common] { return explain(*options, common); };
}

}  // namespace gpuspec::cli
