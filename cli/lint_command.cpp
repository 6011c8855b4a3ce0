#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <unistd.h>

#include "cli/command.h"
#include "cli/config.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/lint_baseline.h"
#include "cli/lint_config.h"
#include "cli/lint_files.h"
#include "cli/lint_report.h"
#include "cli/output.h"
#include "core/accelerator/platforms.h"
#include "core/kube/glob.h"
#include "core/lint/registry.h"
#include "core/text/diff.h"
#include "core/text/message.h"
#include "core/text/suggest.h"
#include "core/yaml/reader.h"

namespace gpuspec::cli {
namespace {

struct Options {
  std::vector<std::string> paths;
  std::string format = "text";
  std::string output;
  std::vector<std::string> select;
  std::vector<std::string> ignore;
  std::string severity;
  std::string platform;
  std::string nodes;
  std::string baseline;
  std::string write_baseline;
  bool fix = false;
  bool diff = false;
  bool statistics = false;
  bool exit_zero = false;
};

constexpr std::array<std::string_view, 6> formats = {"text",  "json",   "sarif",
                                                     "junit", "github", "tap"};

/// Everything in force: flags, then environment, then the configuration file.
struct Setup {
  Config config;
  LintConfig lint_config;
  lint::Settings settings;
  lint::Severity failing = lint::Severity::warning;
  std::vector<kube::Node> nodes;
};

lint::Severity parse_severity(const std::string& text, const std::string& where) {
  for (const lint::Severity severity :
       {lint::Severity::info, lint::Severity::warning, lint::Severity::error})
    if (text == word(severity)) return severity;
  throw UsageError(where + ": there is no severity \"" + text + '"', "error, warning or info");
}

std::vector<kube::Node> load_nodes(const std::string& file) {
  const text::Source source = text::Source::open(file);
  std::vector<kube::Node> nodes;
  yaml::Tree tree;
  for (const yaml::Segment& segment : yaml::split_documents(source.bytes())) {
    try {
      yaml::read_document(source.bytes().substr(segment.begin, segment.end - segment.begin),
                          segment.begin, tree);
    } catch (const text::Error& error) {
      throw UsageError(text::format_message(source, error));
    }
    for (kube::Node& node : kube::read_nodes(tree)) nodes.push_back(std::move(node));
  }
  if (nodes.empty())
    throw UsageError("--nodes: there are no nodes in " + file,
                     "kubectl get nodes -o yaml > " + file);
  return nodes;
}

std::string check_platform(const std::string& name) {
  if (name.empty() || accelerator::find_platform(name)) return name;
  std::vector<std::string_view> names;
  for (const accelerator::Platform& platform : accelerator::platforms())
    names.push_back(platform.name);
  const std::string_view near = text::closest(name, names);
  throw UsageError(
      "--platform: there is no platform \"" + name + '"',
      near.empty() ? "gpuspec profile list shows them" : "did you mean " + std::string(near) + "?");
}

/// Items may be given apart or with commas between them.
std::vector<std::string> split(const std::vector<std::string>& items) {
  std::vector<std::string> parts;
  for (const std::string& item : items) {
    std::size_t begin = 0;
    while (begin <= item.size()) {
      const std::size_t end = std::min(item.find(',', begin), item.size());
      if (end > begin) parts.push_back(item.substr(begin, end - begin));
      begin = end + 1;
    }
  }
  return parts;
}

void set_up(const Options& options, const Common& common, Setup& setup) {
  setup.config = load_config(common);
  setup.lint_config = load_lint_config(setup.config.path);
  const LintConfig& config = setup.lint_config;
  lint::Settings& settings = setup.settings;
  try {
    settings.rules =
        lint::select_rules(options.select.empty() ? config.select : split(options.select),
                           options.ignore.empty() ? config.ignore : split(options.ignore));
  } catch (const std::invalid_argument& error) {
    throw UsageError(error.what(), "gpuspec explain lists the rules");
  }
  for (const auto& [name, severity] : config.severities) {
    const lint::Rule* rule = lint::find_rule(name);
    if (!rule) throw UsageError(setup.config.path + ": lint.severities: no rule is called " + name);
    settings.severities[rule->code] = parse_severity(severity, "lint.severities");
  }
  if (!options.severity.empty())
    setup.failing = parse_severity(options.severity, "--severity");
  else if (!config.severity.empty())
    setup.failing = parse_severity(config.severity, "lint.severity");
  settings.platform =
      check_platform(options.platform.empty() ? setup.config.platform : options.platform);
  settings.resource_tolerations_added = config.resource_tolerations_added;
  settings.taints = config.taints;
  settings.kinds = setup.config.workloads;
  settings.fixes = true;  // every format says which findings have one
  const std::string& nodes = options.nodes.empty() ? config.nodes : options.nodes;
  if (!nodes.empty()) {
    setup.nodes = load_nodes(nodes);
    settings.nodes = &setup.nodes;
  }
}

void check_combination(const Options& options) {
  if (std::find(formats.begin(), formats.end(), options.format) == formats.end()) {
    const std::string_view near = text::closest(options.format, formats);
    throw UsageError("--format: there is no format \"" + options.format + '"',
                     near.empty() ? "text, json, sarif, junit, github or tap"
                                  : "did you mean " + std::string(near) + "?");
  }
  if (options.diff && !options.fix)
    throw UsageError("--diff goes with --fix", "gpuspec lint --fix --diff shows what it would do");
  if (options.fix && !options.write_baseline.empty())
    throw UsageError("--fix and --write-baseline exclude each other");
}

std::string render(const Options& options, const LintReport& report, bool color) {
  if (options.statistics && options.format == "text") return lint_statistics(report);
  if (options.format == "json") return lint_json(report);
  if (options.format == "sarif") return lint_sarif(report);
  if (options.format == "junit") return lint_junit(report);
  if (options.format == "github") return lint_github(report);
  if (options.format == "tap") return lint_tap(report);
  return lint_text(report, color);
}

/// Puts the mended files in place, all or none; standard input goes to standard output.
void write_fixes(std::vector<LintOutcome>& outcomes, const std::vector<Input>& inputs) {
  std::vector<Replacement> replacements;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const lint::Fixed& fixed = outcomes[i].fixed;
    if (inputs[i].is_stdin()) {
      if (outcomes[i].io_error.empty()) {
        const std::string_view text = fixed.edits.empty() && outcomes[i].file.source
                                          ? outcomes[i].file.source->bytes()
                                          : std::string_view(fixed.text);
        print(text);
      }
      continue;
    }
    if (fixed.edits.empty()) continue;
    const text::Source source = open_input(inputs[i]);
    Replacement& replacement = replacements.emplace_back(inputs[i].path);
    Writer writer(replacement.fd(), inputs[i].path);
    put_edited(writer, source, fixed.edits, source.encoding());
    writer.flush();
    replacement.finish();
  }
  for (Replacement& replacement : replacements) replacement.commit();
}

void show_diffs(const std::vector<LintOutcome>& outcomes, const std::vector<Input>& inputs,
                bool color) {
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    if (outcomes[i].fixed.edits.empty() || inputs[i].is_stdin()) continue;
    const text::Source source = open_input(inputs[i]);
    text::write_unified_diff(inputs[i].name(), source.bytes(), outcomes[i].fixed.edits, color,
                             [](std::string_view piece) { print(piece); });
  }
}

bool excluded(const std::vector<std::string>& globs, std::string path) {
  while (path.starts_with("./")) path.erase(0, 2);
  return std::any_of(globs.begin(), globs.end(), [&](const std::string& glob) {
    return kube::matches_glob(glob, path) || kube::matches_glob(glob + "/*", path) ||
           kube::matches_glob("*/" + glob, path);
  });
}

/// Messages about what was not looked at, and errors; returns the exit code they ask for.
int tell(const std::vector<LintOutcome>& outcomes, const Console& console) {
  int code = exit_done;
  for (const LintOutcome& outcome : outcomes) {
    if (!outcome.own_fault.empty()) {
      console.say(text::Severity::error, outcome.own_fault,
                  "this is a fault of gpuspec; nothing was written");
      code = exit_own_fault;
    } else if (!outcome.io_error.empty()) {
      console.say(text::Severity::error, outcome.io_error);
      code = std::max<int>(code, exit_io);
    } else if (outcome.file.result.unreadable) {
      code = std::max<int>(code, exit_bad_input);
    }
    for (const lint::Note& note : outcome.file.result.notes) {
      // A file that was skipped as a whole is said once; the rest is for -v.
      const bool whole = note.skipped && !skip_reason(outcome.file).empty() &&
                         note.text == "skipped: a template; render it first";
      if (!console.shows(whole ? text::Severity::warning : text::Severity::note)) continue;
      console.print(outcome.file.name + ": note: " + note.text + "\n");
      if (whole) break;
    }
  }
  return code;
}

int lint_manifests(const CLI::App& app, const Options& options, const Common& common) {
  check_combination(options);
  const Console console(common);
  std::vector<Input> inputs = collect_inputs(options.paths);
  if (options.paths.empty() && waits_for_typing(inputs)) {
    console.print(help_text(app, common));
    return exit_usage;
  }
  Setup setup;
  set_up(options, common, setup);
  std::erase_if(inputs, [&](const Input& input) {
    return !input.is_stdin() && excluded(setup.lint_config.exclude, input.path);
  });

  std::vector<LintOutcome> outcomes = lint_files(inputs, setup.settings, options.fix, common);
  int code = tell(outcomes, console);

  LintReport report;
  report.rules = setup.settings.rules;
  report.failing = setup.failing;
  report.looking = options.diff;
  const bool writes_stdin = options.fix && !options.diff &&
                            std::any_of(inputs.begin(), inputs.end(),
                                        [](const Input& input) { return input.is_stdin(); });
  if (options.fix && code < exit_io) {
    if (options.diff)
      show_diffs(outcomes, inputs, use_color(common.color, STDOUT_FILENO));
    else
      write_fixes(outcomes, inputs);
  }
  bool would_change = false;
  for (LintOutcome& outcome : outcomes) {
    would_change |= options.diff && !outcome.fixed.edits.empty();
    report.files.push_back(std::move(outcome.file));
  }
  if (!options.write_baseline.empty()) {
    write_file(options.write_baseline, Baseline::write(report));
    if (console.shows(text::Severity::warning))
      console.print(std::to_string(report.findings()) + " findings written to " +
                    options.write_baseline + "\n");
    return code;
  }
  const std::string& baseline =
      options.baseline.empty() ? setup.lint_config.baseline : options.baseline;
  if (!baseline.empty()) Baseline::read(baseline).apply(report);
  if (common.quiet)
    for (LintedFile& file : report.files)
      std::erase_if(file.result.findings, [&](const lint::Finding& finding) {
        return finding.severity < report.failing;
      });

  // With a diff or a mended standard input the result is that, and the findings are messages.
  const bool beside = (options.diff || writes_stdin) && options.output.empty();
  const int fd = beside ? STDERR_FILENO : STDOUT_FILENO;
  const std::string text =
      render(options, report, options.output.empty() && use_color(common.color, fd));
  if (!options.output.empty())
    write_file(options.output, text);
  else if (beside)
    console.print(text);
  else
    print(text);
  if (console.shows(text::Severity::warning) && options.format == "text")
    console.print(lint_summary(report) + "\n");
  if (code != exit_done) return code;
  if (options.exit_zero) return exit_done;
  return report.failing_findings() > 0 || would_change ? exit_findings : exit_done;
}

}  // namespace

Run add_lint_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("lint", "Check manifests for GPU mistakes, for CI");
  command->add_option("FILE", options->paths, "files, directories, or - for standard input")
      ->type_name("FILE|DIR|-");

  const char* const rules = "What to look for";
  command->add_option("--select", options->select, "only these: GPU101,GPU2 or names")
      ->allow_extra_args(false)
      ->type_name("CODES")
      ->group(rules);
  command->add_option("--ignore", options->ignore, "all but these")
      ->allow_extra_args(false)
      ->type_name("CODES")
      ->group(rules);
  command
      ->add_option("--severity", options->severity,
                   "fail at findings of this severity and above: error, warning (default) or info")
      ->type_name("LEVEL")
      ->group(rules);
  command->add_option("--platform", options->platform, "the platform that the manifests are for")
      ->type_name("NAME")
      ->envname("GPUSPEC_PLATFORM")
      ->group(rules);
  command
      ->add_option("--nodes", options->nodes,
                   "hold pods against real nodes: the output of kubectl get nodes -o yaml")
      ->type_name("FILE")
      ->group(rules);
  command->add_option("--baseline", options->baseline, "do not report what this file lists")
      ->type_name("FILE")
      ->group(rules);
  command
      ->add_option("--write-baseline", options->write_baseline,
                   "list all findings in this file, and report none")
      ->type_name("FILE")
      ->group(rules);

  const char* const output = "What to do with it";
  command
      ->add_option("--format", options->format, "text (default), json, sarif, junit, github or tap")
      ->type_name("FORMAT")
      ->group(output);
  command->add_option("-o,--output", options->output, "write the report to FILE")
      ->type_name("FILE")
      ->group(output);
  command->add_flag("--statistics", options->statistics, "only how often each rule spoke")
      ->group(output);
  command->add_flag("--fix", options->fix, "mend what can be mended safely, in the files")
      ->group(output);
  command->add_flag("--diff", options->diff, "with --fix: show what it would do, write nothing")
      ->group(output);
  command->add_flag("--exit-zero", options->exit_zero, "exit 0 in spite of findings")
      ->group(output);
  add_common_options(*command, common);
  command->footer(
      "Examples:\n"
      "  gpuspec lint k8s/                                  all manifests of a directory\n"
      "  helm template . | gpuspec lint -                   what a chart makes\n"
      "  gpuspec lint --fix --diff k8s/                     what could be mended\n"
      "  gpuspec lint --format sarif -o lint.sarif k8s/     for code scanning\n"
      "  kubectl get nodes -o yaml > nodes.yaml\n"
      "  gpuspec lint --nodes nodes.yaml k8s/               will it ever be scheduled here?\n"
      "  gpuspec explain GPU101                             what a rule means");
  return [options, command, &common] { return lint_manifests(*command, *options, common); };
}

}  // namespace gpuspec::cli
