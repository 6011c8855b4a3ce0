#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <utility>

namespace gpuspec::text {

/// Something wrong at one place of an input. `offset` counts bytes from the start of the source it
/// was found in (Source::bytes()); whoever knows the source turns it into FILE:LINE:COL
/// (core/text/message.h). `hint`, when not empty, says how to mend it.
class Error : public std::runtime_error {
 public:
  Error(std::size_t offset, const std::string& message, std::string hint = {})
      : std::runtime_error(message), offset_(offset), hint_(std::move(hint)) {}

  std::size_t offset() const { return offset_; }
  const std::string& hint() const { return hint_; }

 private:
  std::size_t offset_;
  std::string hint_;
};

}  // namespace gpuspec::text
