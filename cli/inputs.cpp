#include "cli/inputs.h"

#include <algorithm>
#include <filesystem>
#include <system_error>

#include <unistd.h>

#include "cli/command.h"

namespace gpuspec::cli {
namespace {

namespace fs = std::filesystem;

bool is_manifest_name(const fs::path& path) {
  const fs::path extension = path.extension();
  return extension == ".yaml" || extension == ".yml" || extension == ".json";
}

bool is_hidden(const fs::path& path) {
  return path.filename().native().starts_with('.');
}

void walk(const std::string& directory, std::vector<Input>& inputs) {
  std::vector<std::string> found;
  for (auto entry = fs::recursive_directory_iterator(directory);
       entry != fs::recursive_directory_iterator(); ++entry) {
    if (is_hidden(entry->path())) {
      if (entry->is_directory() && !entry->is_symlink()) entry.disable_recursion_pending();
      continue;
    }
    if (!is_manifest_name(entry->path())) continue;
    // A broken link is kept: that it cannot be read is worth an error.
    std::error_code ignored;
    const fs::file_status status = entry->status(ignored);
    if (fs::is_regular_file(status) || !fs::exists(status)) found.push_back(entry->path().string());
  }
  if (found.empty()) {
    throw UsageError("no *.yaml, *.yml or *.json file in " + directory);
  }
  std::sort(found.begin(), found.end());
  for (std::string& path : found) inputs.push_back({std::move(path)});
}

}  // namespace

const std::string& Input::name() const {
  static const std::string standard = stdin_name;
  return is_stdin() ? standard : path;
}

std::vector<Input> collect_inputs(const std::vector<std::string>& paths) {
  std::vector<Input> inputs;
  bool read_stdin = false;
  for (const std::string& path : paths) {
    if (path == "-") {
      if (read_stdin) throw UsageError("standard input (-) is given twice");
      read_stdin = true;
      inputs.push_back({});
    } else if (fs::is_directory(fs::status(path))) {
      walk(path, inputs);
    } else if (!fs::exists(fs::status(path))) {
      throw std::system_error(ENOENT, std::generic_category(), "cannot read " + path);
    } else {
      inputs.push_back({path});
    }
  }
  if (paths.empty()) inputs.push_back({});
  return inputs;
}

text::Source open_input(const Input& input) {
  try {
    if (input.is_stdin()) return text::Source::read(STDIN_FILENO, stdin_name);
    return text::Source::open(input.path);
  } catch (const std::system_error& error) {
    throw std::system_error(error.code(), "cannot read " + input.name());
  }
}

bool waits_for_typing(const std::vector<Input>& inputs) {
  return ::isatty(STDIN_FILENO) == 1 &&
         std::any_of(inputs.begin(), inputs.end(), [](const Input& i) { return i.is_stdin(); });
}

}  // namespace gpuspec::cli
