#include "cli/rewrite_files.h"

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <utility>

#include <sys/stat.h>

#include "cli/progress.h"
#include "core/text/message.h"

namespace gpuspec::cli {
namespace {

std::size_t size_of(const Input& input) {
  struct stat status {};
  const int failed = input.is_stdin() ? ::fstat(0, &status) : ::stat(input.path.c_str(), &status);
  return failed != 0 ? 0 : static_cast<std::size_t>(status.st_size);
}

Rewritten rewrite_one(const Input& input, std::optional<text::Source> source,
                      const rewrite::Settings& settings) {
  Rewritten result;
  result.source = std::move(source);
  const auto fail = [&](int code, std::string message, std::string hint, std::size_t offset = 0) {
    result.exit_code = code;
    result.error = std::move(message);
    result.hint = std::move(hint);
    result.offset = offset;
  };
  try {
    if (!result.source) result.source = open_input(input);
    result.outcome = rewrite::rewrite(*result.source, settings);
  } catch (const rewrite::ProofFailed& error) {
    fail(exit_own_fault, std::string("gpuspec's own fault, nothing was written: ") + error.what(),
         "please report it with this manifest", error.offset());
  } catch (const text::Error& error) {
    fail(exit_bad_input, error.what(), error.hint(), error.offset());
  } catch (const std::system_error& error) {
    fail(exit_io, error.what(), {});
  } catch (const std::bad_alloc&) {
    result.source.reset();
    fail(exit_io, "out of memory with " + input.name(), {});
  }
  return result;
}

}  // namespace

std::vector<Rewritten> rewrite_files(const std::vector<Input>& inputs,
                                     std::optional<text::Source> standard,
                                     const rewrite::Settings& settings, const Common& common) {
  std::size_t total = 0;
  for (const Input& input : inputs) total += size_of(input);
  Progress progress(common.quiet ? When::never : common.progress, total);

  const auto processors = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  const int jobs = common.jobs > 0 ? common.jobs : processors;
  rewrite::Settings own = settings;
  own.jobs = inputs.size() > 1 ? 1 : jobs;
  own.done = &progress.done();

  std::vector<Rewritten> results(inputs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < inputs.size(); i = next++) {
      std::optional<text::Source> source;
      if (inputs[i].is_stdin()) source = std::exchange(standard, std::nullopt);
      results[i] = rewrite_one(inputs[i], std::move(source), own);
    }
  };
  const std::size_t helpers = std::min(inputs.size(), static_cast<std::size_t>(jobs)) - 1;
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < helpers; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return results;
}

void tell(const Rewritten& file, const Console& console) {
  for (const rewrite::Message& message : file.outcome.messages) {
    const bool note = message.level == rewrite::Message::Level::note;
    console.say(*file.source, message.offset, note ? text::Severity::note : text::Severity::warning,
                message.text);
  }
  if (file.exit_code == exit_done) return;
  if (file.source) {
    console.say(*file.source, file.offset, text::Severity::error, file.error, file.hint);
  } else {
    console.say(text::Severity::error, file.error, file.hint);
  }
}

}  // namespace gpuspec::cli
