#pragma once

#include <string>
#include <string_view>

#include "core/text/message.h"

namespace gpuspec::cli {

/// Opens the file of --log-file: every message goes there too, with its time, whatever -q says.
/// Throws std::system_error.
void open_log(const std::string& path, int verbose);
bool log_is_open();
/// Does nothing without a log file.
void log_message(text::Severity severity, std::string_view text);
/// What the program does, for the log file only.
void log_step(std::string_view text);

}  // namespace gpuspec::cli
