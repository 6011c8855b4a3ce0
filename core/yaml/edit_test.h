#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "core/yaml/change.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

// What tests of edits share: a document, a change, the document after it.
namespace gpuspec::yaml::test {

/// The place that a dotted path names: spec.containers[0].resources.
inline Place place_of(const Tree& tree, std::string_view path) {
  Place place{0, {}};
  while (!path.empty()) {
    if (path.front() == '.') path.remove_prefix(1);
    const std::size_t end =
        path.front() == '[' ? path.find(']') + 1 : std::min(path.find_first_of(".["), path.size());
    place = below(tree, place, path.substr(0, end));
    path.remove_prefix(end);
  }
  return place;
}

/// Makes changes; `at` finds places in the document.
using Work = std::function<void(Changes&, const std::function<Place(std::string_view)>& at)>;

/// The document after the changes, or what went wrong: "error: …", "unproved: …".
inline std::string edited(const std::string& before, const Work& work) {
  try {
    Tree tree;
    read_document(before, 0, tree);
    Changes changes(tree);
    work(changes, [&tree](std::string_view path) { return place_of(tree, path); });
    const std::string after = apply(before, 0, edits_for(changes));
    const std::string difference = prove(changes, after);
    return difference.empty() ? after : "unproved: " + difference + "\n" + after;
  } catch (const text::Error& error) {
    return std::string("error: ") + error.what();
  }
}

}  // namespace gpuspec::yaml::test
