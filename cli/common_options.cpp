#include <charconv>
#include <map>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"

namespace gpuspec::cli {
namespace {

constexpr const char* group = "General";

void add_when(CLI::App& command, const std::string& name, When& value, const std::string& text) {
  static const std::map<std::string, When> words = {
      {"auto", When::automatic}, {"always", When::always}, {"never", When::never}};
  command
      .add_option_function<std::string>(
          name,
          [&value, name](const std::string& word) {
            const auto found = words.find(word);
            if (found == words.end()) {
              throw UsageError(name + ": expected auto, always or never, found \"" + word + '"');
            }
            value = found->second;
          },
          text)
      ->type_name("WHEN")
      ->take_last()
      ->group(group);
}

}  // namespace

void add_common_options(CLI::App& command, Common& common) {
  command
      .add_option_function<std::string>(
          "-j,--jobs",
          [&common](const std::string& text) {
            int jobs = 0;
            const char* const end = text.data() + text.size();
            const auto [stop, error] = std::from_chars(text.data(), end, jobs);
            if (error != std::errc() || stop != end || jobs < 1) {
              throw UsageError("--jobs: expected a whole number above zero, found \"" + text + '"');
            }
            common.jobs = jobs;
          },
          "threads (default: as many as processors)")
      ->type_name("N")
      ->take_last()
      ->envname("GPUSPEC_JOBS")
      ->group(group);
  command.add_flag("-q,--quiet", common.quiet, "errors only")->group(group);
  command.add_flag("-v,--verbose", common.verbose, "also notes; repeatable")->group(group);
  add_when(command, "--color", common.color, "auto (default), always or never");
  add_when(command, "--progress", common.progress,
           "a bar when work takes longer than a second: auto (default), always or never");
  command.add_option("--log-file", common.log_file, "write all messages to this file, too")
      ->type_name("FILE")
      ->take_last()
      ->envname("GPUSPEC_LOG_FILE")
      ->group(group);
  command
      .add_option("--config", common.config_file,
                  "instead of the .gpuspec.yaml found upward from here")
      ->type_name("FILE")
      ->take_last()
      ->envname("GPUSPEC_CONFIG")
      ->group(group);
  command.add_flag("--no-config", common.no_config, "without .gpuspec.yaml")->group(group);
}

}  // namespace gpuspec::cli
