#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/text/edit.h"
#include "core/yaml/change.h"

namespace gpuspec::yaml {

/// An edit of the source: its offsets count from the start of the source, Tree::base included.
using Edit = text::Edit;

/// The changes of a document as edits, ordered, disjoint. Where they go and how they are spelled is
/// rewriting.md, "Where a new key goes" and R3. Throws text::Error when a change cannot be made in
/// the text at hand. `offsets`, when not null, receives what change_offsets() gives, for less than
/// asking twice. Linear in the document: make one Changes for a tree, not one for each object.
std::vector<Edit> edits_for(const Changes& changes, std::vector<std::size_t>* offsets = nullptr);

/// The offset in the source where each change of Changes::asked() takes effect, for reports.
std::vector<std::size_t> change_offsets(const Changes& changes);

/// `text` (which starts at `base` in its source) with the edits applied.
std::string apply(std::string_view text, std::size_t base, const std::vector<Edit>& edits);

/// R8. Reads `edited` again and compares it with the tree plus the changes. Returns an empty string
/// when they are equal, else the path and nature of the first difference.
std::string prove(const Changes& changes, std::string_view edited);

}  // namespace gpuspec::yaml
