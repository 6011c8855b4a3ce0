#pragma once

#include <string>
#include <string_view>

#include "core/yaml/tree.h"
#include "core/yaml/value.h"

namespace gpuspec::yaml {

/// How the text around an edit is written, so that what is inserted looks the same
/// (core/yaml/habits.h finds it out).
struct Habits {
  std::string newline = "\n";

  // Block style, in columns.
  std::size_t step = 2;             ///< from a mapping to a mapping in it
  std::size_t sequence_offset = 0;  ///< from a mapping to the dashes of a sequence in it
  std::size_t gap = 1;              ///< blanks after a dash
  bool literals = true;             ///< `|` may be used for strings of several lines

  // Quotes: plain (where they are needed), single_quoted, double_quoted.
  Style keys = Style::plain;
  Style strings = Style::plain;
  Style quantities = Style::plain;

  // Flow style.
  bool json = false;            ///< only what JSON allows
  bool multi_line = false;      ///< an entry a line
  bool trailing_comma = false;  ///< where an entry has a line
  bool cuddled = false;         ///< `[{` and `}, {` where an entry has a line
  bool tight_colon = false;     ///< `"a":1`
  bool tight_comma = false;     ///< `1,2`
  bool padded_mapping = false;  ///< `{ a: 1 }`
  bool padded_sequence = false;
  std::string flow_step = "  ";  ///< indentation of entries that have a line
};

/// All functions give text whose first line starts where it is put and whose other lines bring
/// their indentation with them; there is no line break at the end.

/// `key: value` for a block mapping whose keys are in `column`.
std::string block_entry(const Value& key, const Value& value, std::size_t column, const Habits&);
/// `- value` for a block sequence whose dashes are in `column`.
std::string block_item(const Value& value, std::size_t column, const Habits&);
/// What comes after `key:` in such a mapping: starts with a blank or a line break. `deeper`: a
/// sequence must not start in the key's column.
std::string block_value(const Value& value, std::size_t column, bool deeper, const Habits&);
/// A value that starts in `column`, for example after a dash.
std::string block_inline(const Value& value, std::size_t column, const Habits&);

/// `key: value` and `value` in flow style. `indent` is the indentation of the line they start in.
std::string flow_entry(const Value& key, const Value& value, std::string_view indent,
                       const Habits&);
std::string flow_value(const Value& value, std::string_view indent, const Habits&);

/// What goes between two entries on one line of a flow collection.
inline std::string_view comma(const Habits& habits) {
  return habits.tight_comma ? "," : ", ";
}

/// A scalar or alias on one line.
std::string inline_scalar(const Value& value, bool flow, const Habits&);
/// A key of a mapping, in the quotes given.
std::string spell_key(std::string_view key, Style quotes, bool flow);

}  // namespace gpuspec::yaml
