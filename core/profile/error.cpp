#include "core/profile/error.h"

#include <utility>

#include "core/text/message.h"
#include "core/text/source.h"

namespace gpuspec::profile {
namespace {

std::string format(const Place& place, std::string_view severity, const std::string& text,
                   const std::string& hint) {
  std::string out;
  if (place.line > 0) {
    out = place.file + ':' + std::to_string(place.line) + ':' + std::to_string(place.column);
  } else {
    out = place.file.empty() ? "gpuspec" : place.file;
  }
  out += ": ";
  out += severity;
  out += ": " + text + '\n' + place.snippet;
  if (!hint.empty()) out += "  hint: " + hint + '\n';
  return out;
}

}  // namespace

Place place_of(const text::Source& source, std::size_t offset) {
  const text::Location at = source.location(offset);
  return {source.name(), at.line, at.column, text::snippet(source, offset)};
}

Error::Error(Place place, const std::string& text, std::string hint)
    : std::runtime_error(text), place_(std::move(place)), hint_(std::move(hint)) {}

Error::Error(const text::Source& source, std::size_t offset, const std::string& text,
             std::string hint)
    : Error(place_of(source, offset), text, std::move(hint)) {}

std::string Error::message() const {
  return format(place_, "error", what(), hint_);
}

std::string Warning::message() const {
  return format(place, "warning", text, hint);
}

}  // namespace gpuspec::profile
