#include <csignal>
#include <cstdlib>
#include <string>
#include <vector>

#include <unistd.h>

#include "cli/app.h"

namespace {

/// Large files are mapped; one that somebody makes shorter meanwhile has pages that are not there.
void file_shrank(int) {
  constexpr char text[] = "gpuspec: error: an input was made shorter while it was read\n";
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text, sizeof text - 1);
  std::_Exit(4);
}

}  // namespace

int main(int argc, char** argv) {
  // A closed pipe shows when writing to it, and ends the program quietly (cli/output.h).
  std::signal(SIGPIPE, SIG_IGN);
  std::signal(SIGBUS, file_shrank);
  std::string program = argc > 0 ? argv[0] : "gpuspec";
  program.erase(0, program.rfind('/') + 1);
  return gpuspec::cli::run(program, {argv + (argc > 0 ? 1 : 0), argv + argc});
}
