#include "cli/rule_page.h"

#include <algorithm>

#include "core/lint/registry.h"

namespace gpuspec::cli {
namespace {

constexpr std::size_t width = 90;

/// Words put into lines again.
std::string filled(std::string_view text, std::string_view indent) {
  std::string out;
  std::string line(indent);
  bool first = true;
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t end = std::min(text.find_first_of(" \n", at), text.size());
    const std::string_view word = text.substr(at, end - at);
    at = end + 1;
    if (word.empty()) continue;
    if (!first && line.size() + 1 + word.size() > width) {
      out += line + "\n";
      line = indent;
      first = true;
    }
    if (!first) line += ' ';
    line += word;
    first = false;
  }
  return out + line + "\n";
}

std::string indented(std::string_view text, std::string_view indent) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += std::string(indent) + std::string(text.substr(0, end)) + "\n";
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out;
}

/// Text for troff: nothing in it is a request.
std::string troff(std::string_view text) {
  std::string out;
  bool line_start = true;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (line_start && (c == '.' || c == '\'')) out += "\\&";
    line_start = c == '\n';
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else if (c == '\'')
      out += "\\(aq";
    else if (text.substr(i).starts_with("×")) {
      out += "\\(mu";
      ++i;
    } else if (text.substr(i).starts_with("…")) {
      out += "...";
      i += 2;
    } else if (text.substr(i).starts_with("§")) {
      out += "\\(sc";
      ++i;
    } else {
      out += c;
    }
  }
  return out;
}

std::string troff_example(std::string_view title, std::string_view text) {
  return ".PP\n" + troff(title) + "\n.PP\n.nf\n.RS 4\n" + troff(text) + ".RE\n.fi\n";
}

/// What the command line of an example needs besides the manifest.
std::string example_flags(const lint::Rule& rule) {
  std::string flags;
  if (!rule.example.platform.empty()) flags += " --platform " + std::string(rule.example.platform);
  if (!rule.example.nodes.empty()) flags += " --nodes nodes.yaml";
  return flags;
}

/// The example's manifests with their headings.
template <class Show>
std::string examples(const lint::Rule& rule, Show show) {
  std::string out;
  if (!rule.example.nodes.empty()) out += show("nodes.yaml", rule.example.nodes);
  const std::string with =
      example_flags(rule).empty() ? "" : " (gpuspec lint" + example_flags(rule) + ")";
  out += show("Wrong" + with, rule.example.bad);
  out += show(rule.fixable ? "Right, as lint --fix writes it" : "Right", rule.example.good);
  return out;
}

std::string fix_word(const lint::Rule& rule) {
  return rule.fixable ? ", mended by --fix where that is safe" : "";
}

}  // namespace

std::string rule_reason(const lint::Rule& rule) {
  std::string text = filled(rule.why, "");
  std::replace(text.begin(), text.end(), '\n', ' ');
  while (text.ends_with(' ')) text.pop_back();
  return text;
}

std::string rule_text(const lint::Rule& rule, bool color) {
  const std::string bold = color ? "\033[1m" : "";
  const std::string off = color ? "\033[0m" : "";
  std::string out = bold + std::string(rule.code) + " " + std::string(rule.name) + off + " (" +
                    std::string(word(rule.severity)) + fix_word(rule) + ")\n\n";
  out += filled(std::string(rule.summary) + ".", "  ") + "\n";
  out += bold + "Why" + off + "\n" + filled(rule.why, "  ") + "\n";
  out += bold + "What to do" + off + "\n" + filled(rule.remedy, "  ") + "\n";
  out += examples(rule, [&](const std::string& title, std::string_view text) {
    return bold + title + off + "\n" + indented(text, "    ") + "\n";
  });
  out += bold + "Source" + off + "\n" + filled(rule.source, "  ");
  return out;
}

std::string rule_markdown(const lint::Rule& rule) {
  std::string out = "**" + std::string(rule.summary) + ".** (" + std::string(word(rule.severity)) +
                    fix_word(rule) + ")\n\n";
  out += filled(rule.why, "") + "\n**What to do:** " + filled(rule.remedy, "") + "\n";
  out += examples(rule, [&](const std::string& title, std::string_view text) {
    return title + ":\n\n```yaml\n" + std::string(text) + "```\n\n";
  });
  return out + "Source: " + filled(rule.source, "");
}

std::string rule_man(const lint::Rule& rule) {
  std::string out = ".SS \"" + std::string(rule.code) + " " + troff(rule.name) + "\"\n";
  out += troff(filled(
      std::string(rule.summary) + " (" + std::string(word(rule.severity)) + fix_word(rule) + ").",
      ""));
  out += ".PP\n" + troff(filled(rule.why, ""));
  out += ".PP\n.I What to do:\n" + troff(filled(rule.remedy, ""));
  out += examples(rule, [](const std::string& title, std::string_view text) {
    return troff_example(title + ":", text);
  });
  return out + ".PP\n.I Source:\n" + troff(filled(rule.source, ""));
}

std::string rule_list(bool color) {
  std::string out;
  char group = '\0';
  for (const lint::Rule* rule : lint::all_rules()) {
    if (rule->code[3] != group) {
      group = rule->code[3];
      out += (out.empty() ? "" : "\n") + std::string(color ? "\033[1m" : "") +
             std::string(lint::group_title(group)) + (color ? "\033[0m" : "") + "\n";
    }
    std::string severity(word(rule->severity));
    severity.resize(8, ' ');
    out += "  " + std::string(rule->code) + "  " + severity +
           (rule->fixable ? "[fix] " : "      ") + std::string(rule->summary) + "\n";
  }
  return out;
}

std::string all_rules_man() {
  std::string out =
      ".\\\" Made by `gpuspec explain --all --format man`; the texts are in core/lint/rules.\n"
      ".TH GPUSPEC\\-RULES 7 \"\" \"gpuspec\" \"gpuspec manual\"\n"
      ".SH NAME\n"
      "gpuspec\\-rules \\- the rules of gpuspec lint\n"
      ".SH DESCRIPTION\n"
      "An error is what the API server refuses, or what can never be scheduled or never work; a\n"
      "warning is very likely not what was meant; info is advice.\n"
      "How rules are selected, ignored and run is in\n"
      ".BR gpuspec\\-lint (7).\n"
      "Every example here is run by the tests of gpuspec.\n";
  char group = '\0';
  for (const lint::Rule* rule : lint::all_rules()) {
    if (rule->code[3] != group) {
      group = rule->code[3];
      std::string title(lint::group_title(group));
      for (char& c : title)
        if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 32);
      out += ".SH \"" + troff(title) + "\"\n";
    }
    out += rule_man(*rule);
  }
  return out + ".SH SEE ALSO\n.BR gpuspec (1),\n.BR gpuspec\\-lint (7)\n";
}

std::string all_rules_markdown() {
  std::string out = "# The rules of gpuspec lint\n";
  char group = '\0';
  for (const lint::Rule* rule : lint::all_rules()) {
    if (rule->code[3] != group) {
      group = rule->code[3];
      out += "\n## " + std::string(lint::group_title(group)) + "\n";
    }
    out += "\n### " + std::string(rule->code) + " " + std::string(rule->name) + "\n\n" +
           rule_markdown(*rule);
  }
  return out;
}

}  // namespace gpuspec::cli
