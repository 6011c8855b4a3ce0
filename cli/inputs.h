#pragma once

#include <string>
#include <vector>

#include "core/text/source.h"

namespace gpuspec::cli {

/// What standard input is called in messages.
inline constexpr const char* stdin_name = "<stdin>";

/// One input of a run, in the order it was asked for.
struct Input {
  std::string path;  ///< empty for standard input
  bool is_stdin() const { return path.empty(); }
  const std::string& name() const;  ///< for messages
};

/// The inputs that paths mean: files as they are, `-` for standard input, directories walked for
/// *.yaml, *.yml and *.json, sorted (hidden names in them are passed over, links to directories not
/// followed). No path at all is standard input. Throws std::system_error for what is not there,
/// UsageError for a directory without such files and for `-` given twice.
std::vector<Input> collect_inputs(const std::vector<std::string>& paths);

/// Reads an input. Throws std::system_error.
text::Source open_input(const Input& input);

/// Whether standard input would be read, and is a terminal: nobody wants to type a manifest.
bool waits_for_typing(const std::vector<Input>& inputs);

}  // namespace gpuspec::cli
