#include <CLI/App.hpp>

#include "cli/command.h"

namespace gpuspec::cli {

Run add_completion_command(CLI::App& app, Common&) {
  app.add_subcommand("completion", "Shell completion");
  return [] { return 0; };
}

}  // namespace gpuspec::cli
