#include "cli/log.h"

#include <cerrno>
#include <memory>
#include <system_error>

#include <spdlog/sinks/basic_file_sink.h>
#include <spdlog/spdlog.h>

namespace gpuspec::cli {
namespace {

std::unique_ptr<spdlog::logger> logger;

}  // namespace

void open_log(const std::string& path, int verbose) {
  if (logger) return;
  try {
    auto sink = std::make_shared<spdlog::sinks::basic_file_sink_st>(path);
    logger = std::make_unique<spdlog::logger>("gpuspec", std::move(sink));
  } catch (const spdlog::spdlog_ex&) {
    throw std::system_error(errno != 0 ? errno : EIO, std::generic_category(),
                            "cannot write " + path);
  }
  logger->set_pattern("%Y-%m-%dT%H:%M:%S.%e%z %P %l %v");
  logger->set_level(verbose > 1 ? spdlog::level::debug : spdlog::level::info);
  logger->flush_on(spdlog::level::warn);
}

bool log_is_open() {
  return logger != nullptr;
}

void log_message(text::Severity severity, std::string_view text) {
  if (!logger) return;
  const auto level = severity == text::Severity::error     ? spdlog::level::err
                     : severity == text::Severity::warning ? spdlog::level::warn
                                                           : spdlog::level::info;
  logger->log(level, spdlog::string_view_t(text.data(), text.size()));
}

void log_step(std::string_view text) {
  log_message(text::Severity::note, text);
}

}  // namespace gpuspec::cli
