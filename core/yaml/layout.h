#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/yaml/tree.h"

namespace gpuspec::yaml {

/// Lines and columns of a text. All functions look at one line only (starts_line at the blanks
/// before a place only): a JSON document may be one line of hundreds of megabytes.

/// Start of the line, after a byte order mark.
std::size_t line_begin(std::string_view text, std::size_t at);
/// Place of the line break that ends the line, or the end of the text.
std::size_t line_end(std::string_view text, std::size_t at);
/// Start of the line after the one that ends at `line_end`.
std::size_t after_break(std::string_view text, std::size_t line_end);
/// End of the line before the one that begins at `line_begin`; npos for the first line.
std::size_t end_of_previous(std::string_view text, std::size_t line_begin);
/// Characters between the start of the line and the place.
std::size_t column(std::string_view text, std::size_t at);
/// Whether only blanks stand before it on its line.
bool starts_line(std::string_view text, std::size_t at);
/// Whether only blanks or a comment follow on the line.
bool ends_line(std::string_view text, std::size_t at);
/// Whether the lines that follow, up to the next content, hold more than line breaks: comments and
/// blanks, which a block scalar before them could take for its own.
bool has_loose_lines(std::string_view text, std::size_t at);
bool has_break(std::string_view text);
/// The line break in use near a place: the one that ends its line, else the one before it.
std::string_view newline_near(std::string_view text, std::size_t at);
/// First place from `at` that is neither blank, line break nor part of a comment.
std::size_t skip_to_content(std::string_view text, std::size_t at);
std::size_t skip_blanks(std::string_view text, std::size_t at);
/// First place from `at` that is neither blank nor line break.
std::size_t skip_blank_lines(std::string_view text, std::size_t at);

/// An entry of a mapping (`key`, `value`) or an item of a sequence (`value` only).
struct Entry {
  NodeId key = no_node;
  NodeId value = no_node;
  std::size_t begin =
      0;  ///< with anchor, tag and `?`; for an item of a block sequence: of the value
  std::size_t end = 0;
};

/// Where a node's text starts and ends, anchor and tag included.
std::size_t full_begin(const Tree& tree, NodeId node);
std::size_t full_end(const Tree& tree, NodeId node);

/// The children of a collection, at most `limit` of them.
std::vector<Entry> entries_of(const Tree& tree, NodeId collection,
                              std::size_t limit = static_cast<std::size_t>(-1));

/// The place after the `:` that belongs to a key, or npos where none is written.
std::size_t after_colon(const Tree& tree, NodeId key);

/// Whether a node is inside flow style, or is a flow collection: what is added to it must be flow.
inline bool is_flow(const Tree& tree, NodeId node) {
  return tree[node].style == Style::flow;
}

inline bool is_collection(const Tree& tree, NodeId node) {
  return tree[node].kind == Kind::mapping || tree[node].kind == Kind::sequence;
}

/// Whether a flow collection is spread over lines. Looks at its first kilobytes only.
bool spans_lines(const Tree& tree, NodeId node);

}  // namespace gpuspec::yaml
