#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"

namespace gpuspec::cli {

/// What may be written in a place of the command line.
struct Candidates {
  struct Item {
    std::string value;
    std::string description;
  };
  std::vector<Item> items;
  bool files = false;  ///< names of files may stand there, too
};

/// What may follow the words; the last one is unfinished, and may be empty. `app` has the
/// subcommand's options, or the rewrite options and all subcommands.
Candidates complete(const CLI::App& app, const std::vector<std::string>& words);

/// Candidates as shells' scripts and `kubectl_complete-gpuspec` print them (the protocol of Go's
/// cobra, which kubectl speaks): `value<TAB>description` lines, then `:4`, or `:0` when files may
/// stand there.
std::string print_candidates(const Candidates& candidates);

}  // namespace gpuspec::cli
