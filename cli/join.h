#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/text/edit.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// Joins several files into one YAML stream: says what must be written between them, and nothing
/// where nothing is needed.
class Joiner {
 public:
  /// What comes before this file. Call it for each file in order, then write the file's bytes
  /// without the first skip() of them.
  std::string before(const text::Source& next);
  /// A byte order mark may not stand in the middle of a stream: its size, or 0.
  std::size_t skip() const { return skip_; }
  /// The file that was just written, with its edits, ended like this.
  void wrote(const text::Source& source, const std::vector<text::Edit>& edits);

 private:
  enum class End {
    nothing,  ///< no content since the start or the last `---`
    content,
    closed,  ///< by `...`
  };
  static End end_of(std::string_view bytes, End before);

  bool first_ = true;
  std::size_t skip_ = 0;
  End end_ = End::nothing;
  bool line_open_ = false;  // the last line has no line break
  std::string line_break_ = "\n";
};

}  // namespace gpuspec::cli
