#include "cli/app.h"

#include <algorithm>
#include <array>
#include <exception>
#include <new>
#include <string_view>
#include <system_error>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "cli/complete.h"
#include "cli/console.h"
#include "cli/help.h"
#include "cli/krm_command.h"
#include "cli/output.h"
#include "cli/rewrite_command.h"
#include "cli/version.h"
#include "core/profile/error.h"
#include "core/text/error.h"
#include "core/text/suggest.h"

namespace gpuspec::cli {
namespace {

struct Subcommand {
  std::string_view name;
  Run (*add)(CLI::App&, Common&);
};

// Only the one that is used is set up: a start must be quick.
constexpr std::array subcommands = {
    Subcommand{"lint", add_lint_command},
    Subcommand{"profile", add_profile_command},
    Subcommand{"explain", add_explain_command},
    Subcommand{"krm", add_krm_command},
    Subcommand{"kustomize", add_kustomize_command},
    Subcommand{"completion", add_completion_command},
};

const Subcommand* find_subcommand(std::string_view name) {
  const auto found = std::find_if(subcommands.begin(), subcommands.end(),
                                  [&](const Subcommand& command) { return command.name == name; });
  return found == subcommands.end() ? nullptr : &*found;
}

/// The deepest subcommand that was named.
const CLI::App& chosen(const CLI::App& app) {
  const auto subs = app.get_subcommands();
  return subs.empty() ? app : chosen(*subs.front());
}

void set_up(CLI::App& app) {
  app.set_help_flag("-h,--help", "print this help");
  app.allow_extras();  // complain_of() has better words for them
  for (CLI::App* sub : app.get_subcommands([](CLI::App*) { return true; })) set_up(*sub);
}

[[noreturn]] void complain_of(const std::string& argument, const CLI::App& app,
                              const Common& common) {
  const std::string see = "see " + full_name(app, common) + " --help";
  if (!argument.starts_with('-')) {
    throw UsageError("unexpected argument \"" + argument + '"', see);
  }
  const std::string flag = argument.substr(0, argument.find('='));
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  const std::vector<std::string_view> candidates(names.begin(), names.end());
  const std::string_view near = text::closest(flag, candidates);
  throw UsageError("unknown flag " + flag,
                   near.empty() ? see : "did you mean " + std::string(near) + "?");
}

/// CLI11's errors in plain words.
[[noreturn]] void complain(const CLI::ParseError& error, const CLI::App& app,
                           const Common& common) {
  const std::string see = "see " + full_name(app, common) + " --help";
  const std::string text = error.what();
  if (error.get_name() == "ArgumentMismatch" && text.find(" missing") != std::string::npos) {
    throw UsageError(text.substr(0, text.find(':')) + " needs a value", see);
  }
  if (error.get_name() == "ConversionError") {
    // `Could not convert: --flag = value`: only flags get here, values are read by their options.
    const std::size_t name = text.find("--");
    if (name != std::string::npos) {
      throw UsageError(text.substr(name, text.find(' ', name) - name) + " takes no value", see);
    }
  }
  if (error.get_name() == "RequiredError") {
    const bool command = text.find("subcommand") != std::string::npos;
    throw UsageError(command ? "a subcommand is missing" : text, see);
  }
  throw UsageError(text, see);
}

/// A first word that is not there as a file may be a mistyped subcommand.
std::string hint_for(const std::string& first) {
  std::vector<std::string_view> names;
  for (const Subcommand& sub : subcommands) names.push_back(sub.name);
  if (first.empty() || first.find_first_of("/.-") != std::string::npos) return {};
  const std::string_view near = text::closest(first, names);
  return near.empty() || near == first ? "" : "did you mean gpuspec " + std::string(near) + '?';
}

/// Says what may follow an unfinished command line; the last word is the unfinished one.
int answer_completion(const std::vector<std::string>& words, Common& common) {
  CLI::App app("", "gpuspec");
  const Run ignored = add_rewrite_command(app, common);
  for (const Subcommand& sub : subcommands) sub.add(app, common);
  set_up(app);
  print(print_candidates(complete(app, words)));
  return exit_done;
}

int parse_and_run(std::vector<std::string> arguments, Common& common) {
  CLI::App app("", "gpuspec");
  Run run;
  const Subcommand* command = arguments.empty() ? nullptr : find_subcommand(arguments.front());
  if (command != nullptr) {
    run = command->add(app, common);
  } else {
    run = add_rewrite_command(app, common);
    app.set_version_flag("-V,--version", std::string("gpuspec ") + version, "print the version");
  }
  set_up(app);
  std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
  try {
    app.parse(std::move(arguments));
  } catch (const CLI::CallForHelp&) {
    if (command == nullptr) {
      for (const Subcommand& sub : subcommands) sub.add(app, common);  // to list them
    }
    print(help_text(chosen(app), common));
    return exit_done;
  } catch (const CLI::CallForVersion& request) {
    print(std::string(request.what()) + '\n');
    return exit_done;
  } catch (const CLI::ParseError& error) {
    complain(error, chosen(app), common);
  }
  const std::vector<std::string> left = app.remaining(true);
  if (!left.empty()) complain_of(left.front(), chosen(app), common);
  return run();
}

}  // namespace

int run(const std::string& program, std::vector<std::string> arguments) {
  Common common;
  const std::string first = arguments.empty() ? std::string() : arguments.front();
  if (program.starts_with("kubectl-")) common.program = "kubectl gpuspec";
  const auto fail = [&](int code, const std::string& text, const std::string& hint = {}) {
    Console(common).say(text::Severity::error, text, hint);
    return code;
  };
  try {
    if (program == "kubectl_complete-gpuspec") return answer_completion(arguments, common);
    if (!arguments.empty() && arguments.front() == "__complete") {
      arguments.erase(arguments.begin());
      return answer_completion(arguments, common);
    }
    return parse_and_run(understand_plugin_call(program, std::move(arguments)), common);
  } catch (const ClosedPipe&) {
    return exit_done;
  } catch (const UsageError& error) {
    return fail(exit_usage, error.what(), error.hint());
  } catch (const profile::Error& error) {
    Console(common).print(error.message());
    return exit_usage;
  } catch (const std::system_error& error) {
    return fail(exit_io, error.what(), hint_for(first));
  } catch (const std::bad_alloc&) {
    return fail(exit_io, "out of memory");
  } catch (const std::exception& error) {
    return fail(exit_own_fault, std::string("a fault of gpuspec: ") + error.what());
  }
}

}  // namespace gpuspec::cli
