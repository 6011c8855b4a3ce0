#pragma once

#include <string>

namespace CLI {
class App;
}

namespace gpuspec::cli {

/// Adds `gpuspec profile list | show | check | convert` to the program. When one of them was
/// chosen, `exit_code` is set after parsing by its callback; the result goes to standard output,
/// messages to standard error.
void add_profile_command(CLI::App& app, int& exit_code);

}  // namespace gpuspec::cli
