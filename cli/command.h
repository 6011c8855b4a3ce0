#pragma once

#include <functional>
#include <stdexcept>
#include <string>
#include <utility>

namespace CLI {
class App;
}

namespace gpuspec::cli {

/// What the program ends with.
enum ExitCode : int {
  exit_done = 0,       ///< nothing to report
  exit_findings = 1,   ///< --check: would change; lint: at or above the failing severity
  exit_usage = 2,      ///< unknown flag, bad value, unreadable or invalid profile
  exit_bad_input = 3,  ///< a manifest that cannot be read or rewritten
  exit_io = 4,         ///< reading or writing failed
  exit_own_fault = 5,  ///< the program's own fault: the proof of an edit failed
};

/// Wrong use of the program: shown as `gpuspec: error: TEXT` with the hint; ends with exit_usage.
class UsageError : public std::runtime_error {
 public:
  explicit UsageError(const std::string& message, std::string hint = {})
      : std::runtime_error(message), hint_(std::move(hint)) {}
  const std::string& hint() const { return hint_; }

 private:
  std::string hint_;
};

/// When to do what a terminal is needed for.
enum class When { automatic, always, never };

/// What every subcommand takes: add_common_options() adds the options that fill it.
struct Common {
  std::string program = "gpuspec";  ///< as the user calls it: "gpuspec" or "kubectl gpuspec"
  int verbose = 0;                  ///< -v, repeatable
  bool quiet = false;               ///< -q: errors only
  When color = When::automatic;
  When progress = When::automatic;
  int jobs = 0;  ///< -j; 0: as many as there are processors
  std::string log_file;
  std::string config_file;  ///< --config: instead of the .gpuspec.yaml found upward
  bool no_config = false;
};

/// Adds -q, -v, --color, --config, --no-config, --log-file, -j and --progress to a subcommand.
void add_common_options(CLI::App& command, Common& common);

/// What main() calls when the subcommand was chosen; returns an ExitCode. May throw: main() turns
/// UsageError, text::Error, std::system_error and others into a message and an exit code.
using Run = std::function<int()>;

// A subcommand adds itself to the application, with its options kept in what it returns:
//
//     Run add_lint_command(CLI::App& app, Common& common) {
//       auto options = std::make_shared<LintOptions>();
//       CLI::App* command = app.add_subcommand("lint", "Check manifests");
//       command->add_option("--select", options->select, "…");
//       add_common_options(*command, common);
//       return [options, &common] { return lint(*options, common); };
//     }
//
// and stands in the table of cli/main.cpp. Declared here: the subcommands and who writes them.
Run add_lint_command(CLI::App& app, Common& common);        // cli/lint_command.cpp
Run add_explain_command(CLI::App& app, Common& common);     // cli/explain_command.cpp
Run add_profile_command(CLI::App& app, Common& common);     // cli/profile_command.cpp
Run add_krm_command(CLI::App& app, Common& common);         // cli/krm_command.cpp
Run add_kustomize_command(CLI::App& app, Common& common);   // cli/kustomize_command.cpp
Run add_completion_command(CLI::App& app, Common& common);  // cli/completion_command.cpp

}  // namespace gpuspec::cli
