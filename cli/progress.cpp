#include "cli/progress.h"

#include <algorithm>
#include <chrono>
#include <string>

#include <unistd.h>

namespace gpuspec::cli {
namespace {

using namespace std::chrono_literals;

constexpr auto patience = 1s;
constexpr auto step = 100ms;
constexpr std::size_t bar_width = 30;

void write_stderr(const std::string& text) {
  // A bar that cannot be drawn is no reason to stop.
  [[maybe_unused]] const auto ignored = ::write(STDERR_FILENO, text.data(), text.size());
}

std::string bar(std::size_t done, std::size_t total) {
  const std::size_t part = total == 0 ? 0 : std::min(done, total) * 100 / total;
  const std::size_t filled = part * bar_width / 100;
  return "\r[" + std::string(filled, '#') + std::string(bar_width - filled, ' ') + "] " +
         std::to_string(part) + "% of " + std::to_string(total >> 20U) + " MB";
}

}  // namespace

Progress::Progress(When when, std::size_t total) : total_(total) {
  const bool shown =
      when == When::always || (when == When::automatic && ::isatty(STDERR_FILENO) == 1);
  if (shown) thread_ = std::thread([this] { run(); });
}

Progress::~Progress() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    finished_ = true;
  }
  wake_.notify_all();
  thread_.join();
}

void Progress::run() {
  std::unique_lock lock(mutex_);
  const auto finished = [this] { return finished_; };
  if (wake_.wait_for(lock, patience, finished)) return;
  do {
    write_stderr(bar(done_, total_));
  } while (!wake_.wait_for(lock, step, finished));
  write_stderr("\r\033[K");
}

}  // namespace gpuspec::cli
