#pragma once

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/yaml/lookup.h"
#include "core/yaml/spelling.h"
#include "core/yaml/testing/meaning.h"
#include "core/yaml/testing/random.h"
#include "core/yaml/value.h"

// Writes a value as a YAML document in a style of chance: everything that people and programs do.
namespace gpuspec::yaml::testing {

/// The overall look of a document.
enum class Form { block, flow, json, kyaml };

struct Document {
  std::string text;
  Form form = Form::block;
  std::size_t comments = 0;  ///< they read `#c0`, `#c1`, …
  std::string newline = "\n";
};

class Writer {
 public:
  explicit Writer(Random& random) : r_(random) {}

  Document write(const Value& value) {
    const std::size_t look = r_.below(100);
    form_ = look < 70 ? Form::block : look < 80 ? Form::flow : look < 92 ? Form::json : Form::kyaml;
    if (value.entries.empty() && value.items.empty() && form_ == Form::block) form_ = Form::flow;
    comments_ = form_ != Form::json && r_.chance(60);
    anchors_ = (form_ == Form::block || form_ == Form::flow) && r_.chance(60);
    odd_ = (form_ == Form::block || form_ == Form::flow) && r_.chance(50);
    step_ = r_.chance(60) ? 2 : 1 + r_.below(4);
    offset_ = r_.chance(50) ? 0 : r_.chance(70) ? step_ : r_.below(4);
    gap_ = r_.chance(80) ? 1 : 1 + r_.below(3);
    if (r_.chance(10)) out_ += "\xEF\xBB\xBF";
    if (form_ != Form::json) {
      if (odd_ && r_.chance(10))
        out_ += "%YAML 1.2\n---\n";
      else if (r_.chance(20) || form_ == Form::kyaml)
        out_ += "---\n";
      else if (comments_ && r_.chance(20))
        out_ += "--- " + comment() + "\n";
      own_comments();
    }
    bool final_break = true;
    if (form_ == Form::block) {
      block_children(value, 0, 0);
      if (!after_block_scalar_) own_comments();
      if (r_.chance(5))
        out_ += "...\n";
      else
        final_break = after_block_scalar_ || r_.chance(85);
    } else {
      out_ += flow(value, "", flow_look(true));
      if (comments_ && r_.chance(30)) out_ += " " + comment();
      final_break = r_.chance(80);
      if (final_break) out_ += "\n";
      final_break = true;
    }
    if (!final_break && out_.back() == '\n') out_.pop_back();
    Document document;
    document.form = form_;
    document.comments = comment_count_;
    if (r_.chance(25)) {
      document.newline = "\r\n";
      for (const char c : out_) {
        if (c == '\n') document.text += '\r';
        document.text += c;
      }
    } else {
      document.text = std::move(out_);
    }
    return document;
  }

 private:
  struct FlowLook {
    bool json = false;      ///< keys and strings in double quotes
    bool strings = false;   ///< strings in double quotes
    bool lines = false;     ///< an entry a line
    bool trailing = false;  ///< a comma after the last
    bool cuddled = false;
    bool tight = false;
    bool padded = false;
    std::string step = "  ";
  };

  std::string comment() {
    return "#c" + std::to_string(comment_count_++) + (r_.chance(30) ? ": x " : "");
  }

  /// Comment lines and blank lines.
  void own_comments() {
    if (r_.chance(10)) out_ += "\n";
    if (comments_ && r_.chance(15)) out_ += std::string(r_.below(7), ' ') + comment() + "\n";
    if (r_.chance(5)) out_ += "\n";
  }

  /// The rest of a line that has content.
  void end_line(bool extras = true) {
    if (comments_ && r_.chance(15))
      out_ += std::string(1 + r_.below(3), ' ') + comment();
    else if (r_.chance(3))
      out_ += "  ";
    out_ += "\n";
    if (extras) own_comments();
    after_block_scalar_ = false;
  }

  /// `&anchor !tag `, or `*alias` and true.
  bool properties(const Value& value, std::string& text, bool scalar) {
    if (!anchors_ && !odd_) return false;
    if (anchors_ && r_.chance(50)) {
      std::vector<std::string> names;
      for (const auto& [name, anchored] : bound_)
        if (anchored && same(*anchored, value)) names.push_back(name);
      if (!names.empty()) {
        text = "*" + r_.pick(names);
        return true;
      }
    }
    if (odd_ && r_.chance(4))
      text = value.is_mapping()                  ? "!!map "
             : value.is_sequence()               ? "!!seq "
             : value.kind == Value::Kind::string ? "!!str "
                                                 : "";
    if (anchors_ && r_.chance(scalar ? 8 : 20)) {
      // Sometimes a name that is taken.
      const std::string name = "a" + std::to_string(r_.chance(20) ? r_.below(3) : bound_.size());
      bound_[name] = nullptr;
      last_anchor_ = name;
      text = r_.chance(50) ? text + "&" + name + " " : "&" + name + " " + text;
    }
    return false;
  }

  /// After a node with an anchor has been written it may be named.
  void bind(const std::string& name, const Value& value) {
    if (name.empty()) return;
    const auto found = bound_.find(name);
    if (found != bound_.end() && !found->second) found->second = std::make_unique<Value>(value);
  }

  std::string take_anchor() { return std::exchange(last_anchor_, {}); }

  static std::string spaces(std::size_t n) { return std::string(n, ' '); }

  std::string null() {
    static const std::vector<std::string> spellings = {"null", "~", "Null", "NULL"};
    return r_.pick(spellings);
  }

  /// A scalar that stands on one line, or on several with continuation lines in `indent`.
  std::string scalar(const Value& value, bool flow, bool key, std::size_t indent) {
    if (value.kind == Value::Kind::plain)
      return plain_type(value.text) == Type::null ? null() : value.text;
    const std::string& text = value.text;
    const bool several = !key && odd_ && text.find(' ') != std::string::npos && r_.chance(40);
    const bool single = text.find_first_of("\n\t\r\b\f") == std::string::npos &&
                        double_quoted(text).find("\\u") == std::string::npos;
    const std::size_t way = r_.below(10);
    std::string result;
    if (way < 6 && can_be_plain(text, flow))
      result = text;
    else if (way < 8 && single)
      result = single_quoted(text);
    else
      result = double_quoted(text);
    if (!several) return result;
    // Fold at blanks between words.
    std::string folded;
    for (std::size_t i = 0; i < result.size(); ++i) {
      const bool between = result[i] == ' ' && i > 1 && i + 2 < result.size() &&
                           word(result[i - 1]) && word(result[i + 1]);
      if (between && r_.chance(50))
        folded += "\n" + spaces(indent + r_.below(3));
      else
        folded += result[i];
    }
    return folded;
  }
  static bool word(char c) { return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'); }

  // --- block style

  void block_children(const Value& value, std::size_t column, std::size_t first_indent) {
    if (value.is_mapping()) {
      block_mapping(value, column, first_indent);
    } else {
      block_sequence(value, column, first_indent);
    }
  }

  using Merges = std::vector<std::pair<std::string, Value>>;

  /// Anchored mappings that can stand after `<<:` in this one.
  Merges merges(const Value& value) {
    Merges found;
    if (!anchors_ || !r_.chance(60)) return found;
    for (const auto& [name, anchored] : bound_) {
      if (!anchored || !anchored->is_mapping() || anchored->entries.empty()) continue;
      const bool within =
          std::all_of(anchored->entries.begin(), anchored->entries.end(),
                      [&](const auto& e) { return value.find(e.first.text) != nullptr; });
      if (within && found.size() < 2) found.emplace_back(name, *anchored);
    }
    return found;
  }

  /// Whether the merge keys bring this entry, so that it need not be written.
  static bool merged(const Merges& merges, const std::string& key, const Value& value) {
    for (const auto& [name, mapping] : merges)
      if (const Value* there = mapping.find(key)) return same(*there, value);
    return false;
  }

  void block_mapping(const Value& value, std::size_t column, std::size_t first_indent) {
    std::size_t indent = first_indent;
    const Merges from = merges(value);
    if (!from.empty()) {
      out_ += spaces(indent) + "<<: ";
      out_ += from.size() == 1 ? "*" + from[0].first
                               : "[*" + from[0].first + ", *" + from[1].first + "]";
      end_line();
      indent = column;
    }
    for (const auto& [key, entry] : value.entries) {
      if (merged(from, key.text, entry)) continue;
      out_ += spaces(indent);
      indent = column;
      if (odd_ && r_.chance(5)) {
        out_ += "? " + scalar(key, false, true, 0) + "\n" + spaces(column) + ":";
        block_value(entry, column, true);
      } else {
        out_ += scalar(key, false, true, 0);
        if (odd_ && r_.chance(3)) out_ += " ";
        out_ += ":";
        block_value(entry, column, false);
      }
    }
  }

  void block_sequence(const Value& value, std::size_t column, std::size_t first_indent) {
    std::size_t indent = first_indent;
    const std::size_t gap = r_.chance(90) ? gap_ : 1 + r_.below(3);
    for (const Value& item : value.items) {
      out_ += spaces(indent) + "-";
      indent = column;
      block_item(item, column, gap);
    }
  }

  bool nests(const Value& value) {
    return (!value.entries.empty() || !value.items.empty()) && !r_.chance(15);
  }

  void block_item(const Value& value, std::size_t column, std::size_t gap) {
    std::string props;
    if (properties(value, props, !nests_at_all(value))) {
      out_ += spaces(gap) + props;
      return end_line();
    }
    const std::string anchor = take_anchor();
    if (nests(value)) {
      const std::size_t inner = column + 1 + gap;
      if (!props.empty() || r_.chance(5)) {
        out_ += (props.empty() ? "" : " " + props);
        end_line();
        block_children(value, inner, inner);
      } else {
        out_ += spaces(gap);
        block_children(value, inner, 0);
      }
    } else {
      inline_value(value, spaces(gap) + props, column, props.empty());
    }
    bind(anchor, value);
  }
  static bool nests_at_all(const Value& value) { return value.is_mapping() || value.is_sequence(); }

  /// What follows `key:` in a mapping in `column`.
  void block_value(const Value& value, std::size_t column, bool deeper) {
    std::string props;
    if (properties(value, props, !nests_at_all(value))) {
      out_ += " " + props;
      return end_line();
    }
    const std::string anchor = take_anchor();
    if (nests(value)) {
      if (!props.empty()) out_ += " " + props;
      end_line();
      std::size_t inner = column + (r_.chance(95) ? step_ : 1 + r_.below(4));
      if (value.is_sequence()) inner = column + (r_.chance(90) ? offset_ : r_.below(3));
      if (deeper && inner == column) ++inner;
      block_children(value, inner, inner);
    } else {
      inline_value(value, std::string(r_.chance(95) ? 1 : 3, ' ') + props, column, props.empty());
    }
    bind(anchor, value);
  }

  /// A scalar or a flow collection after `lead`.
  void inline_value(const Value& value, const std::string& lead, std::size_t column,
                    bool may_vanish) {
    if (nests_at_all(value)) {
      out_ += lead + flow_collection(value, spaces(column + 1 + r_.below(3)), flow_look(false));
      return end_line();
    }
    if (value.kind == Value::Kind::plain && plain_type(value.text) == Type::null && may_vanish &&
        r_.chance(50)) {
      if (r_.chance(20)) out_ += " ";
      return end_line();
    }
    if (value.kind == Value::Kind::string && block_scalar(value.text, lead, column)) return;
    out_ += lead + scalar(value, false, false, column + 1);
    end_line();
  }

  bool block_scalar(const std::string& text, const std::string& lead, std::size_t column) {
    const bool lines = text.find('\n') != std::string::npos;
    if (!r_.chance(lines ? 70 : 10) || !printable_lines(text)) return false;
    std::size_t breaks = 0;
    while (breaks < text.size() && text[text.size() - 1 - breaks] == '\n') ++breaks;
    const std::string body = text.substr(0, text.size() - breaks);
    if (body.empty()) return false;
    const std::size_t inner = column + 1 + r_.below(3);
    std::string header = breaks == 0 ? "-" : breaks > 1 || r_.chance(20) ? "+" : "";
    const bool keep = header == "+";
    if (body.front() == ' ' || body.front() == '\n' || r_.chance(10)) {
      const std::string digit = std::to_string(inner - column);
      header = r_.chance(50) ? digit + header : header + digit;
    }
    const bool folded =
        body.find('\n') == std::string::npos && body.front() != ' ' && r_.chance(40);
    out_ += lead + (folded ? ">" : "|") + header;
    if (comments_ && r_.chance(10)) out_ += " " + comment();
    out_ += "\n";
    if (folded) {
      out_ += spaces(inner);
      for (std::size_t i = 0; i < body.size(); ++i) {
        const bool between = body[i] == ' ' && i > 0 && i + 1 < body.size() && word(body[i - 1]) &&
                             word(body[i + 1]);
        if (between && r_.chance(50))
          out_ += "\n" + spaces(inner);
        else
          out_ += body[i];
      }
    } else {
      for (std::size_t begin = 0; begin <= body.size();) {
        const std::size_t end = std::min(body.find('\n', begin), body.size());
        if (begin > 0) out_ += "\n";
        if (end > begin) out_ += spaces(inner) + body.substr(begin, end - begin);
        begin = end + 1;
      }
    }
    out_ += "\n";
    if (keep) {
      out_ += std::string(breaks - 1, '\n');
    } else if (r_.chance(30)) {
      out_ += std::string(1 + r_.below(2), '\n');
    }
    // A comment ends the scalar when it is indented less.
    if (!keep && comments_ && r_.chance(15)) out_ += comment() + "\n";
    after_block_scalar_ = true;
    return true;
  }
  static bool printable_lines(const std::string& text) {
    const std::string quoted = double_quoted(text);
    if (quoted.find("\\u") != std::string::npos || text.find('\r') != std::string::npos)
      return false;
    // Lines of blanks only are told apart from content by their length: not here.
    for (std::size_t begin = 0; begin < text.size();) {
      const std::size_t end = std::min(text.find('\n', begin), text.size());
      if (end > begin && text.find_first_not_of(" \t", begin) >= end) return false;
      if (end > begin && text[begin] == '\t') return false;
      begin = end + 1;
    }
    return true;
  }

  // --- flow style

  FlowLook flow_look(bool whole_document) {
    FlowLook look;
    switch (form_) {
      case Form::json:
        look.json = true;
        look.lines = r_.chance(60);
        look.tight = !look.lines && r_.chance(60);
        if (look.lines) look.step = r_.chance(20) ? "\t" : spaces(2 + 2 * r_.below(2));
        break;
      case Form::kyaml:
        look.strings = look.lines = look.trailing = look.cuddled = true;
        break;
      default:
        look.lines = r_.chance(whole_document ? 60 : 15);
        look.trailing = r_.chance(20);
        look.padded = r_.chance(30);
        look.strings = r_.chance(20);
    }
    return look;
  }

  std::string flow(const Value& value, const std::string& indent, const FlowLook& look) {
    std::string props;
    if (properties(value, props, !nests_at_all(value))) return props;
    const std::string anchor = take_anchor();
    std::string text;
    if (!nests_at_all(value)) {
      if (value.kind == Value::Kind::string && (look.json || look.strings))
        text = double_quoted(value.text);
      else if (value.kind == Value::Kind::plain && look.json &&
               plain_type(value.text) == Type::null)
        text = "null";
      else
        text = scalar(value, true, false, indent.size() + 1);
    } else {
      text = flow_collection(value, indent, look);
    }
    bind(anchor, value);
    return props + text;
  }

  std::string flow_collection(const Value& value, const std::string& indent, const FlowLook& look) {
    const bool mapping = value.is_mapping();
    std::string text = mapping ? "{" : "[";
    const bool none = value.entries.empty() && value.items.empty();
    const bool lines = look.lines && !none && (look.json || look.cuddled || r_.chance(80));
    const bool cuddled = look.cuddled && !mapping && !none && nests_at_all(value.items.front());
    const std::string inner = indent + look.step;
    bool first = true;
    const auto next = [&](const std::string& child) {
      if (!first) text += cuddled ? ", " : lines ? "," : look.tight ? "," : ", ";
      if (lines && !cuddled) {
        if (comments_ && !first && r_.chance(10)) text += " " + comment();
        text += "\n" + inner;
        if (comments_ && r_.chance(5)) text += comment() + "\n" + inner;
      }
      text += child;
      first = false;
    };
    if (!lines && look.padded && !none) text += " ";
    const std::string below = cuddled || !lines ? indent : inner;
    for (const auto& [key, entry] : value.entries) {
      // Keys are written first: anchors count in the order of the text.
      std::string name = look.json ? double_quoted(key.text) : scalar(key, true, true, 0);
      const std::string inside = flow(entry, below, look);
      const bool quoted = name.back() == '"' || name.back() == '\'';
      next(name + (quoted && look.tight ? ":" : ": ") + inside);
    }
    for (const Value& item : value.items) next(flow(item, below, look));
    if (lines && !cuddled) {
      if (look.trailing) text += ",";
      if (comments_ && r_.chance(10)) text += " " + comment();
      text += "\n" + indent;
    } else if (look.padded && !none) {
      text += " ";
    }
    return text + (mapping ? "}" : "]");
  }

  Random& r_;
  std::string out_;
  Form form_ = Form::block;
  bool comments_ = false, anchors_ = false, odd_ = false;
  bool after_block_scalar_ = false;
  std::size_t step_ = 2, offset_ = 0, gap_ = 1, comment_count_ = 0;
  std::map<std::string, std::unique_ptr<Value>> bound_;
  std::string last_anchor_;
};

}  // namespace gpuspec::yaml::testing
