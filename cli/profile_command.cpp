#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/accelerator/resources.h"
#include "core/profile/builtin.h"
#include "core/profile/load.h"
#include "core/profile/print.h"

namespace gpuspec::cli {
namespace {

struct Options {
  CLI::App* list = nullptr;
  CLI::App* show = nullptr;
  CLI::App* check = nullptr;
  CLI::App* convert = nullptr;
  bool devices = false;
  bool resources = false;
  bool machines = false;
  std::vector<std::string> files;
  std::string name;
  std::vector<std::string> choices;
};

/// Rows of text in columns, two blanks apart.
class Table {
 public:
  void add(std::vector<std::string> row) { rows_.push_back(std::move(row)); }

  std::string text() const {
    std::vector<std::size_t> widths;
    for (const auto& row : rows_) {
      widths.resize(std::max(widths.size(), row.size()));
      for (std::size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], row[i].size());
    }
    std::string out;
    for (const auto& row : rows_) {
      std::string line;
      for (std::size_t i = 0; i < row.size(); ++i) {
        line += row[i];
        if (i + 1 < row.size()) line.append(widths[i] + 2 - row[i].size(), ' ');
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + '\n';
    }
    return out;
  }

 private:
  std::vector<std::vector<std::string>> rows_;
};

void print_warnings(const profile::Warnings& warnings, const Console& console) {
  if (!console.shows(text::Severity::warning)) return;
  for (const profile::Warning& warning : warnings) console.print(warning.message());
}

std::string joined(std::span<const std::string_view> words) {
  std::string out;
  for (std::string_view word : words) out += (out.empty() ? "" : ", ") + std::string(word);
  return out;
}

std::string list_platforms() {
  Table table;
  for (const auto& platform : accelerator::platforms()) {
    table.add({std::string(platform.name), std::string(platform.title)});
  }
  return table.text();
}

std::string list_devices() {
  Table table;
  table.add({"DEVICE", "ALSO", "GIB", "RESOURCE", "PARTITIONS"});
  for (const auto& device : accelerator::devices()) {
    const bool none = device.partition_kind == accelerator::PartitionKind::none;
    table.add({std::string(device.name), joined(device.aliases),
               device.memory_gib ? std::to_string(device.memory_gib) : "",
               std::string(device.resource), none ? "none" : accelerator::partition_names(device)});
  }
  return table.text();
}

std::string list_resources() {
  Table table;
  table.add({"RESOURCE", "VENDOR", "NOTE"});
  for (const auto& resource : accelerator::resources()) {
    std::string note;
    if (resource.role == accelerator::Role::companion) note = "asks for no accelerator";
    if (!resource.instead.empty()) note = "now " + std::string(resource.instead);
    table.add({std::string(resource.name), std::string(resource.vendor), note});
  }
  return table.text();
}

std::string list_machines() {
  Table table;
  table.add({"MACHINE", "PROVIDER", "DEVICE", "COUNT"});
  for (const auto& type : accelerator::instance_types()) {
    table.add({std::string(type.type), std::string(type.provider), std::string(type.device),
               std::to_string(type.count) + (type.part ? " (part of one)" : "")});
  }
  return table.text();
}

std::string list_file(const std::string& file, const Console& console) {
  const profile::ProfileSet set = profile::read_profiles({file, std::nullopt});
  print_warnings(set.warnings, console);
  Table table;
  for (std::size_t i = 0; i < set.profiles.size(); ++i) {
    const profile::Profile& profile = set.profiles[i];
    table.add({profile.name, profile.on_request ? "on request" : "applies", profile.description});
  }
  return table.text();
}

int list(const Options& options, const Console& console) {
  if (options.devices) {
    print(list_devices());
  } else if (options.resources) {
    print(list_resources());
  } else if (options.machines) {
    print(list_machines());
  } else if (options.files.empty()) {
    print(list_platforms());
  } else {
    for (const std::string& file : options.files) print(list_file(file, console));
  }
  return exit_done;
}

profile::Pairs parse_choices(const std::vector<std::string>& texts) {
  profile::Pairs choices;
  for (const std::string& text : texts) {
    const auto equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
      throw UsageError("--choice: expected OPTION=CHOICE, found \"" + text + '"');
    }
    choices.emplace_back(text.substr(0, equals), text.substr(equals + 1));
  }
  return choices;
}

/// The profiles that a spec means, as native documents.
std::string documents(const profile::ProfileSet& set, bool named) {
  std::string out;
  for (std::size_t i = 0; i < set.profiles.size(); ++i) {
    if (named && !set.applies[i]) continue;
    profile::Profile profile = set.profiles[i];
    if (named) profile.on_request = false;
    if (!out.empty()) out += "---\n";
    out += profile::print_native(profile);
  }
  return out;
}

int show(const Options& options, const Console& console) {
  if (const auto* platform = accelerator::find_platform(options.name)) {
    print(profile::print_native(profile::spelled_out(*platform)));
    return exit_done;
  }
  const profile::ProfileSet set = profile::read_profiles({options.name, std::nullopt});
  print_warnings(set.warnings, console);
  print(documents(set, true));
  return exit_done;
}

int convert(const Options& options, const Console& console) {
  const profile::ProfileSet set =
      profile::read_profiles({options.name, std::nullopt}, parse_choices(options.choices));
  print_warnings(set.warnings, console);
  const bool named = set.file != options.name;
  print(documents(set, named));
  return exit_done;
}

/// Everything that `gpuspec --profile FILE` would find wrong, for every profile of the file.
int check(const Options& options, const Console& console) {
  int code = exit_done;
  for (const std::string& file : options.files) {
    try {
      profile::Warnings warnings;
      const std::size_t count = profile::check_profiles({file, std::nullopt}, warnings);
      print_warnings(warnings, console);
      print(file + ": " + std::to_string(count) + (count == 1 ? " profile" : " profiles") +
            ", good\n");
    } catch (const profile::Error& error) {
      console.print(error.message());
      code = exit_usage;
    }
  }
  return code;
}

void add_options(CLI::App& command, const std::shared_ptr<Options>& options, Common& common) {
  options->list = command.add_subcommand("list", "Print the built-in profiles, or those of files");
  options->list->add_flag("--devices", options->devices,
                          "the devices that are known, with their MIG sizes");
  options->list->add_flag("--resources", options->resources,
                          "the resource names that ask for an accelerator");
  options->list->add_flag("--machines", options->machines, "the machine types and what is in them");
  options->list->add_option("file", options->files, "profile files")->type_name("FILE");

  options->show = command.add_subcommand("show", "Print a profile in the native dialect");
  options->show->add_option("name", options->name, "a built-in profile, FILE or FILE:NAME")
      ->type_name("NAME")
      ->required();

  options->check = command.add_subcommand("check", "Check profile files");
  options->check->add_option("file", options->files, "profile files")
      ->type_name("FILE")
      ->required();

  options->convert = command.add_subcommand(
      "convert", "Print a Flyte configuration or a JupyterHub profile list as native profiles");
  options->convert->add_option("file", options->name, "FILE or FILE:NAME")
      ->type_name("FILE[:NAME]")
      ->required();
  options->convert
      ->add_option("--choice", options->choices,
                   "a choice of a JupyterHub profile's options; repeatable")
      ->type_name("OPTION=CHOICE")
      ->allow_extra_args(false);
  for (CLI::App* sub : {options->list, options->show, options->check, options->convert}) {
    add_common_options(*sub, common);
  }
}

const char* const examples =
    "Examples:\n"
    "  gpuspec profile list\n"
    "  gpuspec profile show gke > our-gke.yaml\n"
    "  gpuspec profile check profiles/*.yaml\n"
    "  gpuspec profile convert flyte-values.yaml > gpu-profile.yaml\n";

}  // namespace

Run add_profile_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("profile", "List, show, check and convert profiles");
  command->require_subcommand(1);
  command->footer(examples);
  add_options(*command, options, common);
  return [options, &common] {
    const Console console(common);
    if (options->list->parsed()) return list(*options, console);
    if (options->show->parsed()) return show(*options, console);
    if (options->check->parsed()) return check(*options, console);
    return convert(*options, console);
  };
}

}  // namespace gpuspec::cli
