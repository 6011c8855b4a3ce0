#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <vector>

namespace gpuspec::text {
class Source;
}

namespace gpuspec::profile {

/// A place in a profile file, as people count; line 0: no place (a flag, a built-in).
struct Place {
  std::string file;
  std::size_t line = 0;
  std::size_t column = 0;
  std::string snippet;  ///< the source line with a caret under it, or empty
};

Place place_of(const text::Source& source, std::size_t offset);

/// A profile, or a flag about profiles, that cannot be used: exit code 2. what() is the sentence
/// without place; message() is what people read, `FILE:LINE:COL: error: TEXT`, with the source line
/// and the hint.
class Error : public std::runtime_error {
 public:
  Error(Place place, const std::string& text, std::string hint = {});
  Error(const text::Source& source, std::size_t offset, const std::string& text,
        std::string hint = {});

  const Place& place() const { return place_; }
  const std::string& hint() const { return hint_; }
  std::string message() const;

 private:
  Place place_;
  std::string hint_;
};

/// Something the user should know that does not stop the run.
struct Warning {
  Place place;
  std::string text;
  std::string hint;

  std::string message() const;  ///< `FILE:LINE:COL: warning: TEXT`
};

using Warnings = std::vector<Warning>;

}  // namespace gpuspec::profile
