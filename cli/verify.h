#pragma once

#include <stdexcept>
#include <string>

#include "core/rewrite/rewrite.h"
#include "core/text/source.h"

namespace gpuspec::cli {

/// yaml-cpp refuses the input: there is no second witness.
class NotVerifiable : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// The second witness (--verify): yaml-cpp, which shares nothing with the reader, reads the input
/// and the output; what it reads from the output must be what it reads from the input with the
/// changes of the records made to it. Returns an empty string when it is, else what differs. Throws
/// NotVerifiable.
std::string verify(const text::Source& source, const rewrite::Outcome& outcome);

}  // namespace gpuspec::cli
