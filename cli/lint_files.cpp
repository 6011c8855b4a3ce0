#include "cli/lint_files.h"

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace gpuspec::cli {
namespace {

LintOutcome lint_one(const Input& input, const lint::Settings& settings, bool mend) {
  LintOutcome outcome;
  outcome.file.name = input.name();
  try {
    text::Source source = open_input(input);
    if (mend) {
      outcome.fixed = lint::fix(source, settings);
      outcome.file.result = std::move(outcome.fixed.left);
      outcome.file.fixed = outcome.fixed.fixed.size();
    } else {
      outcome.file.result = lint::lint(source, settings);
    }
    // What is left after a fix has its places in the mended text.
    if (!outcome.fixed.edits.empty() && !outcome.file.result.findings.empty())
      outcome.file.source = text::Source::from_string(source.name(), outcome.fixed.text);
    else if (!outcome.file.result.findings.empty() || mend)
      outcome.file.source = std::move(source);
  } catch (const std::system_error& error) {
    outcome.io_error = error.what();
  } catch (const std::logic_error& error) {
    outcome.own_fault = input.name() + ": " + error.what();
  }
  return outcome;
}

}  // namespace

std::vector<LintOutcome> lint_files(const std::vector<Input>& inputs,
                                    const lint::Settings& settings, bool mend,
                                    const Common& common) {
  std::vector<LintOutcome> outcomes(inputs.size());
  std::atomic<std::size_t> next = 0;
  const auto work = [&] {
    for (std::size_t i = next++; i < inputs.size(); i = next++)
      outcomes[i] = lint_one(inputs[i], settings, mend);
  };
  std::size_t jobs = common.jobs > 0 ? static_cast<std::size_t>(common.jobs)
                                     : std::max(1U, std::thread::hardware_concurrency());
  jobs = std::min(jobs, inputs.size());
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return outcomes;
}

}  // namespace gpuspec::cli
