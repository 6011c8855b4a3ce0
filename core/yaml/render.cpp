#include "core/yaml/render.h"

#include "core/yaml/lookup.h"
#include "core/yaml/spelling.h"

namespace gpuspec::yaml {
namespace {

bool is_collection(const Value& value) {
  return value.is_mapping() || value.is_sequence();
}

bool is_empty_collection(const Value& value) {
  return (value.is_mapping() && value.entries.empty()) ||
         (value.is_sequence() && value.items.empty());
}

/// `&anchor !tag`, without a blank at the end.
std::string properties_of(const Value& value) {
  std::string text;
  if (!value.anchor.empty()) text.append("&").append(value.anchor);
  if (!value.tag.empty()) text.append(text.empty() ? "" : " ").append(value.tag);
  return text;
}

std::string with_properties(const Value& value, std::string text) {
  std::string props = properties_of(value);
  if (props.empty()) return text;
  if (!text.empty()) props.append(" ").append(text);
  return props;
}

void break_line(std::string& out, std::size_t column, const Habits& habits) {
  out += habits.newline;
  out.append(column, ' ');
}

bool is_literal(const Value& value, const Habits& habits) {
  return value.kind == Value::Kind::string && habits.literals && value.style == Style::plain &&
         can_be_literal(value.text);
}

/// `|` or `|-` and the lines, indented to `column`.
std::string literal(const std::string& text, std::size_t column, const Habits& habits) {
  const bool clip = text.back() == '\n';
  const std::size_t size = text.size() - (clip ? 1 : 0);
  std::string out = clip ? "|" : "|-";
  for (std::size_t begin = 0; begin <= size;) {
    const std::size_t end = std::min(text.find('\n', begin), size);
    if (begin == end) {
      out += habits.newline;
    } else {
      break_line(out, column, habits);
      out.append(text, begin, end - begin);
    }
    begin = end + 1;
  }
  return out;
}

std::string key_text(const Value& key, bool flow, const Habits& habits) {
  switch (key.kind) {
    case Value::Kind::string:
      if (key.text.find('\n') != std::string::npos) return double_quoted(key.text);
      return with_properties(
          key, spell_key(key.text, key.style == Style::plain ? habits.keys : key.style, flow));
    case Value::Kind::alias:
      return inline_scalar(key, flow, habits) + " ";
    case Value::Kind::mapping:
    case Value::Kind::sequence: {
      Habits inline_habits = habits;
      inline_habits.multi_line = false;
      return flow_value(key, "", inline_habits);
    }
    case Value::Kind::plain:
    case Value::Kind::quantity:
      break;
  }
  return inline_scalar(key, flow, habits);
}

/// Entries or items of a block collection, the first one at the place where the text is put.
std::string block_children(const Value& value, std::size_t column, const Habits& habits) {
  std::string out;
  const auto next = [&](const std::string& child) {
    if (!out.empty()) break_line(out, column, habits);
    out += child;
  };
  for (const auto& [key, entry] : value.entries) next(block_entry(key, entry, column, habits));
  for (const Value& item : value.items) next(block_item(item, column, habits));
  return out;
}

}  // namespace

std::string spell_key(std::string_view key, Style quotes, bool flow) {
  return spell(key, quotes, flow);
}

std::string inline_scalar(const Value& value, bool flow, const Habits& habits) {
  switch (value.kind) {
    case Value::Kind::alias:
      return std::string("*").append(value.text);
    case Value::Kind::plain:
      if (plain_type(value.text) == Type::null && value.tag.empty())
        return with_properties(value, habits.json || value.text.empty() ? "null" : value.text);
      if (flow && value.text.find_first_of(",[]{}") != std::string::npos)
        return with_properties(value, double_quoted(value.text));
      return with_properties(value, value.text);
    case Value::Kind::quantity: {
      // 16Gi is a string in any case; only what may be a number goes by how numbers are written.
      const bool number = plain_type(value.text) != Type::string;
      const Style wish = value.style != Style::plain ? value.style
                         : number                    ? habits.quantities
                                                     : habits.strings;
      return number && wish == Style::plain ? value.text : spell(value.text, wish, flow);
    }
    default:
      break;
  }
  const Style wish = habits.json                   ? Style::double_quoted
                     : value.style != Style::plain ? value.style
                                                   : habits.strings;
  return with_properties(value, spell(value.text, wish, flow));
}

std::string block_entry(const Value& key, const Value& value, std::size_t column,
                        const Habits& habits) {
  return key_text(key, false, habits) + ":" + block_value(value, column, false, habits);
}

std::string block_value(const Value& value, std::size_t column, bool deeper, const Habits& habits) {
  if (is_literal(value, habits))
    return " " + with_properties(value, literal(value.text, column + habits.step, habits));
  if (!is_collection(value)) return " " + inline_scalar(value, false, habits);
  if (is_empty_collection(value)) return " " + flow_value(value, "", habits);
  std::string out = properties_of(value);
  if (!out.empty()) out.insert(0, 1, ' ');
  std::size_t offset = value.is_mapping() ? habits.step : habits.sequence_offset;
  if (deeper && offset == 0) offset = habits.step;
  break_line(out, column + offset, habits);
  return out + block_children(value, column + offset, habits);
}

std::string block_item(const Value& value, std::size_t column, const Habits& habits) {
  return "-" + std::string(habits.gap, ' ') + block_inline(value, column + 1 + habits.gap, habits);
}

std::string block_inline(const Value& value, std::size_t column, const Habits& habits) {
  if (is_literal(value, habits)) return with_properties(value, literal(value.text, column, habits));
  if (!is_collection(value)) return inline_scalar(value, false, habits);
  if (is_empty_collection(value)) return flow_value(value, "", habits);
  std::string out = properties_of(value);
  if (!out.empty()) break_line(out, column, habits);
  return out + block_children(value, column, habits);
}

std::string flow_entry(const Value& key, const Value& value, std::string_view indent,
                       const Habits& habits) {
  std::string out = key_text(key, true, habits);
  // Without a space the colon belongs to a plain key.
  const bool tight = habits.tight_colon && (out.back() == '"' || out.back() == '\'');
  return out + (tight ? ":" : ": ") + flow_value(value, indent, habits);
}

std::string flow_value(const Value& value, std::string_view indent, const Habits& habits) {
  if (!is_collection(value)) return inline_scalar(value, true, habits);
  const bool mapping = value.is_mapping();
  const char* const brackets = mapping ? "{}" : "[]";
  std::string out(1, brackets[0]);
  if (!is_empty_collection(value)) {
    const bool cuddled =
        habits.multi_line && habits.cuddled && !mapping && is_collection(value.items.front());
    const bool lines = habits.multi_line && !cuddled;
    const bool padded =
        !habits.multi_line && (mapping ? habits.padded_mapping : habits.padded_sequence);
    const std::string inner = std::string(indent) + (lines ? habits.flow_step : "");
    if (padded) out += ' ';
    bool first = true;
    const auto next = [&](const std::string& child) {
      if (!first) out += lines ? "," : habits.multi_line ? ", " : comma(habits);
      if (lines) out += habits.newline + inner;
      out += child;
      first = false;
    };
    for (const auto& [key, entry] : value.entries) next(flow_entry(key, entry, inner, habits));
    for (const Value& item : value.items) next(flow_value(item, inner, habits));
    if (lines) {
      if (habits.trailing_comma) out += ',';
      out += habits.newline;
      out += indent;
    }
    if (padded) out += ' ';
  }
  out += brackets[1];
  return with_properties(value, std::move(out));
}

}  // namespace gpuspec::yaml
