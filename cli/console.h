#pragma once

#include <string>
#include <string_view>

#include "cli/command.h"
#include "core/text/message.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// Standard error: where all messages go, and how much of them. Not for several threads at once.
class Console {
 public:
  explicit Console(const Common& common);

  bool color() const { return color_; }

  /// `gpuspec: error: TEXT`, for what has no place in a file.
  void say(text::Severity severity, std::string_view text, std::string_view hint = {}) const;
  /// `FILE:LINE:COL: error: TEXT` with the line and a caret.
  void say(const text::Source& source, std::size_t offset, text::Severity severity,
           std::string_view text, std::string_view hint = {}) const;
  /// A message that is complete already.
  void print(std::string_view text) const;
  /// Whether messages of this weight are shown: -q leaves errors, notes need -v.
  bool shows(text::Severity severity) const;

 private:
  std::string program_;
  int verbose_;
  bool quiet_;
  bool color_;
};

/// Whether to colour what goes to this file descriptor: --color, NO_COLOR, TERM, a terminal.
bool use_color(When when, int fd);

}  // namespace gpuspec::cli
