#include "cli/krm_command.h"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/config.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/inputs.h"
#include "cli/log.h"
#include "cli/output.h"
#include "cli/report.h"
#include "core/krm/function.h"
#include "core/krm/kustomize_plugin.h"
#include "core/krm/resource_list.h"
#include "core/lint/lint.h"
#include "core/profile/load.h"
#include "core/text/suggest.h"

namespace gpuspec::cli {
namespace {

struct Options {
  RewriteFlags flags;
  std::string plugin_config;
  std::string report_file;
};

/// `nodeSelector` and `node_selector` are node-selector, too.
std::string flag_name(const std::string& key) {
  std::string name;
  for (const char c : key) {
    if (std::isupper(static_cast<unsigned char>(c)) != 0) {
      if (!name.empty()) name += '-';
      name += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      name += c == '_' ? '-' : c;
    }
  }
  return name;
}

/// The data of a ConfigMap as flags. A value of several lines gives a repeatable flag several
/// times.
void read_data(const krm::FunctionConfig& config, RewriteFlags& flags) {
  CLI::App app;
  add_rewrite_flags(app, flags);
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back(name);
  }
  std::vector<std::string> arguments;
  for (const auto& [key, value] : config.data) {
    const std::string name = flag_name(key);
    if (std::find(names.begin(), names.end(), name) == names.end() || name == "help") {
      const std::string_view near =
          text::closest(name, std::vector<std::string_view>(names.begin(), names.end()));
      throw UsageError("functionConfig: unknown key " + key,
                       near.empty() ? "the keys of data are the flags of gpuspec without dashes"
                                    : "did you mean " + std::string(near) + "?");
    }
    std::string_view rest = value;
    do {
      const std::size_t end = rest.find('\n');
      const std::string_view line = rest.substr(0, end);
      if (!line.empty()) arguments.push_back("--" + name + '=' + std::string(line));
      rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
    } while (!rest.empty());
  }
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::ParseError& error) {
    throw UsageError(std::string("functionConfig: ") + error.what());
  }
}

/// The environment and the configuration file count for what neither flags nor functionConfig say.
krm::Settings load_settings(const krm::FunctionConfig& function, RewriteFlags flags,
                            profile::Loaded& loaded, const Common& common) {
  if (function.form == krm::FunctionConfig::Form::data) read_data(function, flags);
  const Config config = load_config(common);
  const bool has_profile = function.form == krm::FunctionConfig::Form::profile;
  if (flags.profiles.empty() && !has_profile) flags.profiles = config.profiles;
  if (flags.platform.empty()) flags.platform = config.platform;
  profile::LoadRequest request = to_request(flags);
  if (has_profile) request.profiles.push_back({"functionConfig", function.profile});
  loaded = profile::load(request);
  const Console console(common);
  for (const profile::Warning& warning : loaded.warnings) {
    if (console.shows(text::Severity::warning)) console.print(warning.message());
  }
  krm::Settings settings;
  settings.rewrite.profiles = loaded.profiles;
  settings.rewrite.loaded = &loaded;
  settings.rewrite.kinds = loaded.workloads;
  settings.rewrite.kinds.insert(settings.rewrite.kinds.end(), config.workloads.begin(),
                                config.workloads.end());
  settings.rewrite.jobs = common.jobs;
  settings.lint.rules = lint::select_rules({}, {});
  settings.lint.platform = flags.platform;
  settings.lint.kinds = settings.rewrite.kinds;
  settings.mode = function.mode;
  settings.fail_on_warnings = function.fail_on_warnings;
  return settings;
}

text::Severity severity_of(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::error:
      return text::Severity::error;
    case lint::Severity::warning:
      return text::Severity::warning;
    case lint::Severity::info:
      return text::Severity::note;
  }
  return text::Severity::error;
}

/// Hosts throw results away, kustomize all of them: everything is said on standard error, too.
void tell(const text::Source& source, const krm::Answer& answer, const krm::Settings& settings,
          const Common& common) {
  const Console console(common);
  for (const rewrite::Message& message : answer.outcome.messages) {
    const bool note = message.level == rewrite::Message::Level::note;
    const text::Severity severity = note                        ? text::Severity::note
                                    : settings.fail_on_warnings ? text::Severity::error
                                                                : text::Severity::warning;
    console.say(source, message.offset, severity, message.text);
  }
  if (settings.mode != krm::Mode::validate) return;
  for (const rewrite::Record& record : answer.outcome.records) {
    console.say(source, record.offset, text::Severity::error,
                record.object + ": " + record.field + ": " + record.reason);
  }
  for (const lint::Finding& finding : answer.findings.findings) {
    const text::Severity severity =
        settings.fail_on_warnings && finding.severity == lint::Severity::warning
            ? text::Severity::error
            : severity_of(finding.severity);
    console.say(
        source, finding.begin, severity,
        finding.object + ": " + finding.message + " (" + std::string(finding.rule->code) + ")");
  }
}

void start_log(const krm::FunctionConfig& config, Common& common) {
  if (config.log_file.empty() || !common.log_file.empty()) return;
  common.log_file = config.log_file;
  open_log(common.log_file, common.verbose);
}

void write_report(const std::string& path, const text::Source& source,
                  const rewrite::Outcome& outcome) {
  if (path.empty()) return;
  const std::vector<FileReport> files = {{&source, &outcome}};
  write_file(path, path.ends_with(".json") ? json_report(files) : text_report(files));
}

/// Runs `work`, which may throw what rewriting throws, and says what went wrong.
template <typename Work, typename Failed>
int guarded(const text::Source& source, const Common& common, Work work, Failed failed) {
  const Console console(common);
  try {
    return work();
  } catch (const rewrite::ProofFailed& error) {
    console.say(source, error.offset(), text::Severity::error,
                std::string("gpuspec's own fault, nothing was changed: ") + error.what(),
                "please report it with this input");
    return exit_own_fault;
  } catch (const text::Error& error) {
    console.say(source, error.offset(), text::Severity::error, error.what(), error.hint());
    failed(error);
    return exit_bad_input;
  }
}

int finish(const text::Source& source, const krm::Answer& answer, const krm::Settings& settings,
           const std::string& report_file, const Common& common) {
  tell(source, answer, settings, common);
  write_report(report_file, source, answer.outcome);
  print(answer.output);
  return answer.failed ? exit_findings : exit_done;
}

int answer_function(const text::Source& source, const Options& options, Common& common) {
  bool is_list = false;
  const auto work = [&] {
    const krm::FunctionConfig config = krm::read_resource_list(source).config;
    is_list = true;
    start_log(config, common);
    profile::Loaded loaded;
    const krm::Settings settings = load_settings(config, options.flags, loaded, common);
    const krm::Answer answer = krm::run_function(source, settings);
    return finish(source, answer, settings,
                  options.report_file.empty() ? config.report_file : options.report_file, common);
  };
  // A host reads results also from a function that failed.
  return guarded(source, common, work, [&](const text::Error& error) {
    if (is_list) print(krm::answer_error(source, error));
  });
}

int answer_plugin(const Options& options, Common& common) {
  const text::Source file = text::Source::open(options.plugin_config);
  std::optional<krm::FunctionConfig> config;
  const auto read_config = [&] {
    config = krm::read_plugin_config(file);
    return static_cast<int>(exit_done);
  };
  const int code = guarded(file, common, read_config, [](const text::Error&) {});
  if (code != exit_done) return exit_usage;
  start_log(*config, common);
  const text::Source source = text::Source::read(0, stdin_name);
  const auto work = [&] {
    profile::Loaded loaded;
    const krm::Settings settings = load_settings(*config, options.flags, loaded, common);
    const krm::Answer answer = krm::run_plugin(source, settings);
    return finish(source, answer, settings,
                  options.report_file.empty() ? config->report_file : options.report_file, common);
  };
  return guarded(source, common, work, [](const text::Error&) {});
}

int krm_command(const CLI::App& app, const Options& options, Common& common) {
  if (!options.plugin_config.empty()) return answer_plugin(options, common);
  if (waits_for_typing({Input{}})) {
    Console(common).print(help_text(app, common));
    return exit_usage;
  }
  return answer_function(text::Source::read(0, stdin_name), options, common);
}

}  // namespace

int answer_resource_list(const text::Source& source, const RewriteFlags& flags, Common& common) {
  Options options;
  options.flags = flags;
  return answer_function(source, options, common);
}

std::vector<std::string> understand_plugin_call(const std::string& program,
                                                std::vector<std::string> arguments) {
  if (arguments.empty() || !krm::is_plugin_call(program, arguments.front())) return arguments;
  arguments.insert(arguments.begin(), {"krm", "--plugin-config"});
  return arguments;
}

Run add_krm_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("krm", "Be a KRM function: ResourceList in and out");
  add_rewrite_flags(*command, options->flags);
  command
      ->add_option("--report-file", options->report_file,
                   "every edit with its reason, as text or (*.json) JSON")
      ->type_name("FILE")
      ->take_last()
      ->group("Where to write");
  command->add_option("--plugin-config", options->plugin_config, "")->take_last()->group("");
  add_common_options(*command, common);
  command->footer(
      "Reads a ResourceList from standard input and writes it back with GPU rules applied to its\n"
      "items. The functionConfig is a GpuProfile, a ConfigMap whose data are flags, or absent.\n"
      "With `mode: validate` the answer has results and no items. See gpuspec-integrations(7).");
  return [command, options, &common] { return krm_command(*command, *options, common); };
}

}  // namespace gpuspec::cli
