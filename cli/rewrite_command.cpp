#include "cli/rewrite_command.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>
#include <unistd.h>

#include "cli/config.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/krm_command.h"
#include "cli/output.h"
#include "cli/report.h"
#include "cli/rewrite_files.h"
#include "cli/rewrite_flags.h"
#include "cli/rewrite_output.h"
#include "cli/stream.h"
#include "cli/verify.h"
#include "core/krm/resource_list.h"
#include "core/profile/load.h"
#include "core/rewrite/rewrite.h"
#include "core/text/concat.h"

namespace gpuspec::cli {
namespace {

struct Options {
  RewriteFlags rules;
  std::vector<std::string> paths;
  Destination to;
  std::string report;
  std::string report_file;
  bool stream = false;
  bool verify = false;
};

void add_output_flags(CLI::App& command, Options& options) {
  const char* const group = "Where to write";
  command.add_option("-o,--output", options.to.file, "write to FILE instead of standard output")
      ->type_name("FILE")
      ->take_last()
      ->group(group);
  command.add_flag("-i,--in-place", options.to.in_place, "replace the files")->group(group);
  command.add_flag("--diff", options.to.diff, "show a unified diff, write nothing")->group(group);
  command
      .add_flag("--check", options.to.check,
                "write nothing; exit 1 and the names of the files that would change")
      ->group(group);
  command.add_option("--report", options.report, "every edit with its reason: text or json")
      ->type_name("FORMAT")
      ->take_last()
      ->group(group);
  command
      .add_option("--report-file", options.report_file,
                  "the report goes there instead of standard error")
      ->type_name("FILE")
      ->take_last()
      ->group(group);
  command
      .add_flag("--stream", options.stream,
                "read and write document by document in little memory; what was written before an "
                "error stays written")
      ->group(group);
  command
      .add_flag("--verify", options.verify,
                "a second YAML library reads input and output, too, and must agree")
      ->group(group);
}

void check_combination(const Options& options) {
  const Destination& to = options.to;
  if (to.in_place && !to.file.empty())
    throw UsageError("--in-place and --output exclude each other");
  if ((to.diff || to.check) && (to.in_place || !to.file.empty())) {
    throw UsageError(std::string(to.diff ? "--diff" : "--check") + " writes no file",
                     "leave out --in-place and --output");
  }
  if (to.in_place && (options.paths.empty() || std::find(options.paths.begin(), options.paths.end(),
                                                         "-") != options.paths.end())) {
    throw UsageError("--in-place needs files: standard input has no place");
  }
  if (!options.report.empty() && options.report != "text" && options.report != "json") {
    throw UsageError("--report: expected text or json, found \"" + options.report + '"');
  }
}

void check_stream(const Options& options, const std::vector<Input>& inputs) {
  const Destination& to = options.to;
  const char* const other = to.in_place                    ? "--in-place"
                            : to.diff                      ? "--diff"
                            : to.check                     ? "--check"
                            : options.verify               ? "--verify"
                            : !options.report.empty()      ? "--report"
                            : !options.report_file.empty() ? "--report-file"
                                                           : nullptr;
  if (other != nullptr)
    throw UsageError(std::string("--stream and ") + other + " exclude each other");
  if (inputs.size() != 1) throw UsageError("--stream takes one input");
}

/// The rules in force, and what they point to.
struct Rules {
  Config config;
  profile::Loaded loaded;
  rewrite::Settings settings;
};

/// Flags, then environment, then the configuration file.
void load_rules(const Options& options, const Common& common, const Console& console, Rules& out) {
  out.config = load_config(common);
  RewriteFlags flags = options.rules;
  if (flags.profiles.empty()) flags.profiles = out.config.profiles;
  if (flags.platform.empty()) flags.platform = out.config.platform;
  out.loaded = profile::load(to_request(flags));
  for (const profile::Warning& warning : out.loaded.warnings) {
    if (console.shows(text::Severity::warning)) console.print(warning.message());
  }
  out.settings.profiles = out.loaded.profiles;
  out.settings.loaded = &out.loaded;
  out.settings.kinds = out.loaded.workloads;
  out.settings.kinds.insert(out.settings.kinds.end(), out.config.workloads.begin(),
                            out.config.workloads.end());
}

void write_report(const Options& options, const std::vector<FileReport>& files, Console& console) {
  if (options.report.empty() && options.report_file.empty()) return;
  const bool json =
      options.report.empty() ? options.report_file.ends_with(".json") : options.report == "json";
  const std::string report = json ? json_report(files) : text_report(files);
  if (options.report_file.empty()) {
    console.print(report);
  } else {
    write_file(options.report_file, report);
  }
}

/// Standard input, when it is the only input: it may be for a KRM function.
std::optional<text::Source> read_sole_stdin(const std::vector<Input>& inputs) {
  if (inputs.size() != 1 || !inputs.front().is_stdin()) return std::nullopt;
  return open_input(inputs.front());
}

/// Asks the second witness; returns an ExitCode.
int verify_all(const std::vector<Rewritten>& files, const Console& console) {
  for (const Rewritten& file : files) {
    const std::string name = file.source->name();
    try {
      const std::string difference = verify(*file.source, file.outcome);
      if (difference.empty()) continue;
      console.say(text::Severity::error, text::concat({"--verify: ", name, ": ", difference}),
                  "nothing was written; please report it with this manifest");
      return exit_own_fault;
    } catch (const NotVerifiable& error) {
      console.say(text::Severity::error, "--verify: " + name + ": " + error.what(),
                  "nothing was written; leave out --verify if you trust one reader");
      return exit_bad_input;
    }
  }
  return exit_done;
}

int rewrite_manifests(const CLI::App& app, const Options& options, Common& common) {
  check_combination(options);
  Console console(common);
  const std::vector<Input> inputs = collect_inputs(options.paths);
  if (options.paths.empty() && waits_for_typing(inputs)) {
    console.print(help_text(app, common));
    return exit_usage;
  }
  if (options.stream) {
    check_stream(options, inputs);
    Rules rules;
    load_rules(options, common, console, rules);
    return rewrite_stream(inputs.front(), options.to.file, rules.settings, console);
  }
  std::optional<text::Source> standard = read_sole_stdin(inputs);
  if (standard && options.to.is_stdout() && krm::is_resource_list(standard->bytes())) {
    return answer_resource_list(*standard, options.rules, common);
  }
  Rules rules;
  load_rules(options, common, console, rules);
  const std::vector<Rewritten> files =
      rewrite_files(inputs, std::move(standard), rules.settings, common);

  int code = exit_done;
  std::vector<FileReport> reports;
  for (const Rewritten& file : files) {
    tell(file, console);
    code = std::max(code, file.exit_code);
    if (file.source) reports.push_back({&*file.source, &file.outcome});
  }
  if (code != exit_done) return code;
  if (options.verify) code = verify_all(files, console);
  if (code != exit_done) return code;
  if (console.shows(text::Severity::note)) {
    console.say(text::Severity::note, summary(reports));
  }
  code = write_result(files, options.to, common);
  write_report(options, reports, console);
  return code;
}

const char* const examples =
    "Examples:\n"
    "  kubectl create job t --image=cuda --dry-run=client -o yaml | gpuspec --gpus 1 | "
    "kubectl apply -f -\n"
    "  gpuspec --platform gke --accelerator v100 -i deploy/     change the files in a directory\n"
    "  gpuspec --diff train.yaml                                 look first\n"
    "  gpuspec --check k8s/                                      for CI: exit 1 when files would "
    "change\n"
    "  gpuspec --profile flyte-values.yaml --accelerator nvidia-tesla-v100 pod.yaml\n"
    "  gpuspec lint k8s/                                         find GPU mistakes\n"
    "\n"
    "With no flag, pods that ask for an accelerator get the toleration that Kubernetes'\n"
    "ExtendedResourceToleration admission plugin would give them.\n"
    "Exit codes: 0 done, 1 findings, 2 usage, 3 bad manifest, 4 reading or writing failed, 5 a "
    "fault "
    "of gpuspec.";

}  // namespace

Run add_rewrite_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  app.description("Add GPU scheduling rules to Kubernetes manifests, and touch nothing else.");
  app.add_option("paths", options->paths, "files, directories, - for standard input")
      ->type_name("FILE | DIR | -");
  add_rewrite_flags(app, options->rules);
  add_output_flags(app, *options);
  add_common_options(app, common);
  app.footer(examples);
  return [&app, options, &common] { return rewrite_manifests(app, *options, common); };
}

}  // namespace gpuspec::cli
