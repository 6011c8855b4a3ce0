#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include "cli/command.h"

namespace gpuspec::cli {

/// A bar on standard error while work takes longer than a second. It shows itself only on a
/// terminal (or when asked for), and is gone when the work is done.
class Progress {
 public:
  /// `total` in bytes.
  Progress(When when, std::size_t total);
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;
  ~Progress();

  /// Where the work counts its bytes.
  std::atomic<std::size_t>& done() { return done_; }

 private:
  void run();

  std::size_t total_;
  std::atomic<std::size_t> done_ = 0;
  std::mutex mutex_;
  std::condition_variable wake_;
  bool finished_ = false;
  std::thread thread_;
};

}  // namespace gpuspec::cli
