#pragma once

#include <string>
#include <vector>

namespace gpuspec::cli {

/// Runs the program with the arguments of main() and returns its exit code. Does not throw.
int run(const std::string& program, std::vector<std::string> arguments);

}  // namespace gpuspec::cli
