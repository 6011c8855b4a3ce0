#include "cli/help.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

namespace gpuspec::cli {
namespace {

constexpr std::size_t text_column = 34;
constexpr std::size_t width = 100;

/// Appends `left` and `text` as two columns.
void append_row(std::string& out, const std::string& left, std::string_view text) {
  std::string line = "  " + left;
  if (line.size() + 2 > text_column) {
    out += line + '\n';
    line.clear();
  }
  line.resize(text_column, ' ');
  while (!text.empty()) {
    std::size_t length = text.find('\n');
    const bool whole = length == std::string_view::npos;
    length = std::min(whole ? text.size() : length, text.size());
    if (length > width - text_column) {
      length = text.rfind(' ', width - text_column);
      if (length == std::string_view::npos) length = width - text_column;
    }
    line += text.substr(0, length);
    out += line + '\n';
    line.assign(text_column, ' ');
    text.remove_prefix(std::min(length + 1, text.size()));
  }
}

std::string value_name(const CLI::Option& option) {
  const std::string name = option.get_type_name();
  return name.empty() || name == "TEXT" ? "VALUE" : name;
}

std::string names_of(const CLI::Option& option) {
  std::string names;
  for (const std::string& name : option.get_snames()) names += "-" + name + ", ";
  if (names.empty()) names = "    ";
  for (const std::string& name : option.get_lnames()) names += "--" + name + ", ";
  names.resize(names.size() - 2);
  if (option.get_items_expected_max() > 0) names += ' ' + value_name(option);
  return names;
}

std::string positional_name(const CLI::Option& option) {
  std::string name = option.get_type_name();
  if (name.empty() || name == "TEXT") name = option.get_name(true);
  if (!option.get_required()) name = "[" + name + "]";
  if (option.get_items_expected_max() > 1) name += "...";
  return name;
}

std::string usage(const CLI::App& app, const Common& common) {
  std::string line = "Usage: " + full_name(app, common);
  line += " [FLAGS]";  // --help at least
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) line += ' ' + positional_name(*option);
  }
  std::string subcommands;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_group().empty()) continue;
    subcommands += (subcommands.empty() ? "" : " | ") + sub->get_name();
  }
  if (subcommands.empty()) return line + "\n";
  // The program itself works without a subcommand.
  if (app.get_parent() != nullptr) return line + ' ' + subcommands + "\n";
  return line + "\n       " + full_name(app, common) + ' ' + subcommands + " ...\n";
}

/// Examples are written for `gpuspec`.
std::string footer(const CLI::App& app, const Common& common) {
  std::string text = app.get_footer();
  if (common.program == "gpuspec") return text;
  constexpr std::string_view plain = " gpuspec ";
  const std::string called = ' ' + common.program + ' ';
  for (std::size_t at = 0; (at = text.find(plain, at)) != std::string::npos; at += called.size()) {
    text.replace(at, plain.size(), called);
  }
  return text;
}

}  // namespace

std::string full_name(const CLI::App& app, const Common& common) {
  if (app.get_parent() == nullptr) return common.program;
  return full_name(*app.get_parent(), common) + ' ' + app.get_name();
}

std::string help_text(const CLI::App& app, const Common& common) {
  std::string out = app.get_description() + "\n\n" + usage(app, common);
  // Groups in the order in which they were first used; CLI11's own group has --help.
  std::vector<std::string> groups;
  for (const CLI::Option* option : app.get_options()) {
    const std::string& group = option->get_group();
    if (group.empty() || !option->nonpositional()) continue;
    if (std::find(groups.begin(), groups.end(), group) == groups.end()) groups.push_back(group);
  }
  std::stable_partition(groups.begin(), groups.end(),
                        [](const std::string& group) { return group != "Options"; });
  for (const std::string& group : groups) {
    out += '\n' + group + ":\n";
    for (const CLI::Option* option : app.get_options()) {
      if (option->get_group() == group && option->nonpositional()) {
        append_row(out, names_of(*option), option->get_description());
      }
    }
  }
  std::string commands;
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (!sub->get_group().empty()) append_row(commands, sub->get_name(), sub->get_description());
  }
  if (!commands.empty()) out += "\nCommands:\n" + commands;
  if (!app.get_footer().empty()) out += '\n' + footer(app, common) + '\n';
  return out;
}

}  // namespace gpuspec::cli
