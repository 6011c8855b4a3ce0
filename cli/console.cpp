#include "cli/console.h"

#include <cerrno>
#include <cstdlib>

#include <unistd.h>

#include "cli/log.h"

namespace gpuspec::cli {

Console::Console(const Common& common)
    : program_(common.program),
      verbose_(common.verbose),
      quiet_(common.quiet),
      color_(use_color(common.color, STDERR_FILENO)) {
  if (!common.log_file.empty()) open_log(common.log_file, common.verbose);
}

bool Console::shows(text::Severity severity) const {
  switch (severity) {
    case text::Severity::error:
      return true;
    case text::Severity::warning:
      return !quiet_;
    case text::Severity::note:
      return !quiet_ && verbose_ > 0;
  }
  return true;
}

void Console::say(text::Severity severity, std::string_view text, std::string_view hint) const {
  log_message(severity, text);
  if (!shows(severity)) return;
  std::string out = program_ + ": ";
  const std::string word(text::word(severity));
  if (color_) {
    const char* tint = severity == text::Severity::error     ? "\033[1;31m"
                       : severity == text::Severity::warning ? "\033[1;35m"
                                                             : "\033[1;36m";
    out += tint + word + ":\033[0m ";
  } else {
    out += word + ": ";
  }
  out += text;
  out += '\n';
  if (!hint.empty()) {
    out += "  hint: ";
    out += hint;
    out += '\n';
  }
  print(out);
}

void Console::say(const text::Source& source, std::size_t offset, text::Severity severity,
                  std::string_view text, std::string_view hint) const {
  if (log_is_open()) {
    std::string plain = text::format_message(source, offset, severity, text);
    log_message(severity, std::string_view(plain).substr(0, plain.find('\n')));
  }
  if (shows(severity)) print(text::format_message(source, offset, severity, text, hint, color_));
}

void Console::print(std::string_view text) const {
  // A message that cannot be written is lost: there is nobody left to tell.
  while (!text.empty()) {
    const ssize_t wrote = ::write(STDERR_FILENO, text.data(), text.size());
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote < 0) return;
    text.remove_prefix(static_cast<std::size_t>(wrote));
  }
}

bool use_color(When when, int fd) {
  if (when != When::automatic) return when == When::always;
  const char* no_color = std::getenv("NO_COLOR");
  if (no_color != nullptr && *no_color != '\0') return false;
  const char* term = std::getenv("TERM");
  if (term == nullptr || std::string_view(term) == "dumb") return false;
  return ::isatty(fd) == 1;
}

}  // namespace gpuspec::cli
