#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "cli/rewrite_files.h"

namespace gpuspec::cli {

/// Where the result goes.
struct Destination {
  std::string file;  ///< empty: standard output
  bool in_place = false;
  bool diff = false;
  bool check = false;

  bool is_stdout() const { return file.empty() && !in_place && !diff && !check; }
};

/// Writes files that were all rewritten without error; returns an ExitCode. Throws ClosedPipe,
/// std::system_error; then no file was changed.
int write_result(const std::vector<Rewritten>& files, const Destination& to, const Common& common);

}  // namespace gpuspec::cli
