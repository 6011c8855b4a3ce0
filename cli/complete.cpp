#include "cli/complete.h"

#include <algorithm>
#include <set>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/kube/workload.h"
#include "core/lint/registry.h"

namespace gpuspec::cli {
namespace {

using Items = std::vector<Candidates::Item>;

Items words(std::initializer_list<const char*> list) {
  Items items;
  for (const char* word : list) items.push_back({word, {}});
  return items;
}

Items platform_names() {
  Items items;
  for (const accelerator::Platform& platform : accelerator::platforms()) {
    items.push_back({std::string(platform.name), std::string(platform.title)});
  }
  return items;
}

Items device_names() {
  Items items;
  for (const accelerator::Device& device : accelerator::devices()) {
    items.push_back({std::string(device.name), std::string(device.vendor)});
  }
  return items;
}

Items kinds() {
  std::set<std::string> names;  // several groups have the same kinds
  for (const kube::KnownKind& kind : kube::known_kinds()) names.emplace(kind.kind);
  Items items;
  for (const std::string& name : names) items.push_back({name, {}});
  return items;
}

Items lint_codes() {
  Items items;
  for (const lint::Rule* rule : lint::all_rules()) {
    items.push_back({std::string(rule->code), std::string(rule->summary)});
  }
  return items;
}

struct ValueSource {
  std::string_view option;  ///< as it is written, or `SUBCOMMAND` for what follows that
  Items (*items)();
  bool files = false;
};

// An option that is not here and takes a FILE gets files, others nothing.
const ValueSource value_sources[] = {
    {"--platform", platform_names},
    {"--profile", platform_names, true},
    {"--accelerator", device_names},
    {"--kind", kinds},
    {"--selector-style",
     [] {
       return words({"affinity", "node-selector"});
     }},
    {"--conflict",
     [] {
       return words({"keep", "replace", "error"});
     }},
    {"--color",
     [] {
       return words({"auto", "always", "never"});
     }},
    {"--progress",
     [] {
       return words({"auto", "always", "never"});
     }},
    {"--report",
     [] {
       return words({"text", "json"});
     }},
    {"--format",
     [] {
       return words({"text", "json", "sarif", "junit", "github", "tap"});
     }},
    {"--severity",
     [] {
       return words({"error", "warning", "info"});
     }},
    {"--select", lint_codes},
    {"--ignore", lint_codes},
    {"explain", lint_codes},
    {"show", platform_names},
    {"completion",
     [] {
       return words({"bash", "zsh", "fish"});
     }},
};

const ValueSource* source_for(std::string_view name) {
  const auto found = std::find_if(std::begin(value_sources), std::end(value_sources),
                                  [&](const ValueSource& source) { return source.option == name; });
  return found == std::end(value_sources) ? nullptr : found;
}

bool takes_value(const CLI::Option& option) {
  return option.get_items_expected_max() > 0;
}

const CLI::Option* find_option(const CLI::App& app, const std::string& word) {
  for (const CLI::Option* option : app.get_options()) {
    if (option->nonpositional() && option->check_name(word)) return option;
  }
  return nullptr;
}

const CLI::App* find_subcommand(const CLI::App& app, const std::string& word) {
  for (const CLI::App* sub : app.get_subcommands({})) {
    if (sub->get_name() == word) return sub;
  }
  return nullptr;
}

Candidates values_of(const CLI::Option& option) {
  for (const std::string& name : option.get_lnames()) {
    if (const ValueSource* source = source_for("--" + name))
      return {source->items(), source->files};
  }
  return {{}, option.get_type_name().find("FILE") != std::string::npos};
}

void add_flags(const CLI::App& app, Items& items) {
  for (const CLI::Option* option : app.get_options()) {
    if (!option->nonpositional()) continue;
    for (const std::string& name : option->get_lnames()) {
      items.push_back({"--" + name, option->get_description()});
    }
  }
}

void keep_beginnings(Items& items, std::string_view with, const std::string& before = {}) {
  std::erase_if(items, [&](const auto& item) { return !item.value.starts_with(with); });
  for (Candidates::Item& item : items) item.value.insert(0, before);
}

Candidates positionals(const CLI::App& app, bool first) {
  Candidates candidates;
  if (const ValueSource* source = source_for(app.get_name())) {
    return {source->items(), source->files};
  }
  if (first) {
    for (const CLI::App* sub : app.get_subcommands({})) {
      candidates.items.push_back({sub->get_name(), sub->get_description()});
    }
  }
  for (const CLI::Option* option : app.get_options()) {
    if (option->get_positional()) candidates.files = true;
  }
  return candidates;
}

}  // namespace

Candidates complete(const CLI::App& app, const std::vector<std::string>& words) {
  const CLI::App* at = &app;
  const CLI::Option* waiting = nullptr;  // the option whose value comes next
  bool only_positionals = false;
  bool first = true;
  for (std::size_t i = 0; i + 1 < words.size(); ++i) {
    const std::string& word = words[i];
    if (waiting != nullptr) {
      waiting = nullptr;
    } else if (only_positionals) {
      continue;
    } else if (word == "--") {
      only_positionals = true;
    } else if (word.size() > 1 && word[0] == '-') {
      const CLI::Option* option = find_option(*at, word);
      if (option != nullptr && takes_value(*option)) waiting = option;
    } else if (const CLI::App* sub = first ? find_subcommand(*at, word) : nullptr) {
      at = sub;
    } else {
      first = false;
    }
  }
  const std::string current = words.empty() ? std::string() : words.back();
  Candidates candidates;
  if (waiting != nullptr) {
    candidates = values_of(*waiting);
    keep_beginnings(candidates.items, current);
  } else if (!only_positionals && current.starts_with("--") &&
             current.find('=') != std::string::npos) {
    const std::size_t equals = current.find('=');
    const CLI::Option* option = find_option(*at, current.substr(0, equals));
    if (option != nullptr) candidates = values_of(*option);
    keep_beginnings(candidates.items, current.substr(equals + 1), current.substr(0, equals + 1));
  } else if (!only_positionals && current.starts_with('-')) {
    add_flags(*at, candidates.items);
    keep_beginnings(candidates.items, current);
  } else {
    candidates = positionals(*at, first);
    keep_beginnings(candidates.items, current);
  }
  return candidates;
}

std::string print_candidates(const Candidates& candidates) {
  std::string out;
  for (const Candidates::Item& item : candidates.items) {
    out += item.value;
    if (!item.description.empty()) out += '\t' + item.description;
    out += '\n';
  }
  return out + (candidates.files ? ":0\n" : ":4\n");
}

}  // namespace gpuspec::cli
