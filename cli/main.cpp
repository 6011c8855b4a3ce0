#include <csignal>
#include <string>
#include <vector>

#include "cli/app.h"

int main(int argc, char** argv) {
  // A closed pipe shows when writing to it, and ends the program quietly (cli/output.h).
  std::signal(SIGPIPE, SIG_IGN);
  std::string program = argc > 0 ? argv[0] : "gpuspec";
  program.erase(0, program.rfind('/') + 1);
  return gpuspec::cli::run(program, {argv + (argc > 0 ? 1 : 0), argv + argc});
}
