#include "cli/rewrite_flags.h"

#include <charconv>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/kube/selector.h"
#include "core/kube/toleration.h"

namespace gpuspec::cli {
namespace {

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

[[noreturn]] void bad(std::string_view flag, const std::string& problem, std::string hint = {}) {
  throw UsageError(std::string(flag) + ": " + problem, std::move(hint));
}

std::optional<std::string> given(const std::string& value) {
  return value.empty() ? std::nullopt : std::optional(value);
}

std::pair<std::string, std::string> split_pair(std::string_view flag, const std::string& text,
                                               std::string_view form) {
  const std::size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0) {
    bad(flag, "expected " + std::string(form) + ", found " + in_quotes(text));
  }
  return {text.substr(0, equals), text.substr(equals + 1)};
}

/// Complains in the API server's words.
void check(std::string_view flag, const std::string& text, const std::vector<std::string>& wrong) {
  if (!wrong.empty()) bad(flag, in_quotes(text) + " is not valid: " + wrong.front());
}

void check_quantity(std::string_view flag, const std::string& text) {
  const auto quantity = kube::Quantity::parse(text);
  if (!quantity) {
    bad(flag, in_quotes(text) + " is not a quantity", "write it like 2, 500m, 16Gi or 1.5G");
  }
  if (quantity->is_negative()) bad(flag, in_quotes(text) + " is negative");
}

long long parse_gpus(const std::string& text) {
  long long number = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || stop != end || number < 1) {
    bad("--gpus", "expected a whole number above zero, found " + in_quotes(text));
  }
  return number;
}

profile::ResourceChanges parse_resources(std::string_view flag,
                                         const std::vector<std::string>& texts) {
  profile::ResourceChanges changes;
  for (const std::string& text : texts) {
    auto [name, quantity] = split_pair(flag, text, "RESOURCE=QUANTITY");
    check(flag, name, kube::check_container_resource_name(name));
    if (quantity.empty()) {
      changes[name] = std::nullopt;
      continue;
    }
    check_quantity(std::string(flag) + ' ' + name, quantity);
    changes[name] = std::move(quantity);
  }
  return changes;
}

void parse_selection(const RewriteFlags& flags, profile::Select& select) {
  select.kinds = flags.kinds;
  select.names = flags.names;
  select.namespaces = flags.namespaces;
  select.containers = flags.containers;
  select.label_selector = flags.label_selector;
  select.all_pods = flags.all_pods;
  if (flags.label_selector.empty()) return;
  try {
    const kube::LabelSelector checked(flags.label_selector);
  } catch (const std::invalid_argument& error) {
    bad("--selector", error.what());
  }
}

void parse_enumerations(const RewriteFlags& flags, profile::Profile& out) {
  if (flags.selector_style == "affinity") {
    out.selector_style = profile::SelectorStyle::affinity;
  } else if (flags.selector_style == "node-selector") {
    out.selector_style = profile::SelectorStyle::node_selector;
  } else if (!flags.selector_style.empty()) {
    bad("--selector-style",
        "expected affinity or node-selector, found " + in_quotes(flags.selector_style));
  }
  if (flags.conflict == "keep") {
    out.conflict = profile::Conflict::keep;
  } else if (flags.conflict == "replace") {
    out.conflict = profile::Conflict::replace;
  } else if (flags.conflict == "error") {
    out.conflict = profile::Conflict::error;
  } else if (!flags.conflict.empty()) {
    bad("--conflict", "expected keep, replace or error, found " + in_quotes(flags.conflict));
  }
}

void parse_pairs(const RewriteFlags& flags, profile::Profile& out) {
  for (const std::string& text : flags.tolerations) {
    try {
      out.tolerations.push_back(kube::parse_toleration(text));
    } catch (const std::invalid_argument& error) {
      bad("--toleration", error.what(),
          "KEY[=VALUE][:EFFECT], for example nvidia.com/gpu:NoSchedule or dedicated=gpu");
    }
  }
  for (const std::string& text : flags.node_selector) {
    auto [key, value] = split_pair("--node-selector", text, "KEY=VALUE");
    check("--node-selector", key, kube::check_label_key(key));
    check("--node-selector", value, kube::check_label_value(value));
    out.node_selector.emplace_back(std::move(key), std::move(value));
  }
  for (const std::string& text : flags.env) {
    out.env.push_back(split_pair("--env", text, "NAME=VALUE"));
  }
  out.requests = parse_resources("--request", flags.requests);
  out.limits = parse_resources("--limit", flags.limits);
}

void check_names(const RewriteFlags& flags) {
  const auto check_given = [](std::string_view flag, const std::string& text, auto checker) {
    if (!text.empty()) check(flag, text, checker(text));
  };
  check_given("--device-label", flags.device_label, kube::check_label_key);
  check_given("--partition-label", flags.partition_label, kube::check_label_key);
  check_given("--runtime-class", flags.runtime_class, kube::check_dns1123_subdomain);
  check_given("--priority-class", flags.priority_class, kube::check_dns1123_subdomain);
  if (!flags.resource.empty() && !kube::is_extended_resource(flags.resource)) {
    bad("--resource", in_quotes(flags.resource) + " is not the name of an extended resource",
        "a domain, a slash and a name, for example nvidia.com/gpu");
  }
  if (!flags.partition.empty() && flags.unpartitioned) {
    bad("--partition", "cannot be had together with --unpartitioned");
  }
  if (!flags.shared_memory.empty()) check_quantity("--shm", flags.shared_memory);
}

void add_rules(CLI::App& command, RewriteFlags& flags) {
  const auto one = [&](const std::string& name, std::string& value, const char* type,
                       const std::string& text) {
    std::string variable = "GPUSPEC_";
    for (const char c : name.substr(2)) {
      variable += c == '-' ? '_' : static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    }
    return command.add_option(name, value, text)
        ->type_name(type)
        ->take_last()
        ->envname(variable)
        ->group("What to apply");
  };
  const auto many = [&](const std::string& name, std::vector<std::string>& values, const char* type,
                        const std::string& text) {
    return command.add_option(name, values, text + "; repeatable")
        ->type_name(type)
        ->allow_extra_args(false)
        ->group("What to apply");
  };
  many("--profile", flags.profiles, "FILE[:NAME]|NAME",
       "rules from a file (native, a Flyte configuration, a JupyterHub profile list), or a "
       "built-in profile")
      ->envname("GPUSPEC_PROFILE");
  one("--platform", flags.platform, "NAME",
      "words for labels, values and taints: flyte (default), gke, eks, … "
      "(gpuspec profile list)");
  one("--resource", flags.resource, "NAME",
      "the accelerator's extended resource (default nvidia.com/gpu)");
  one("--gpus", flags.gpus, "N", "give the selected container N accelerators");
  one("--accelerator", flags.accelerator, "DEVICE", "require nodes with this device");
  one("--partition", flags.partition, "SIZE", "require this MIG partition size");
  command.add_flag("--unpartitioned", flags.unpartitioned, "require an unpartitioned device")
      ->group("What to apply");
  one("--device-label", flags.device_label, "KEY", "node label that names the device");
  one("--partition-label", flags.partition_label, "KEY", "node label that names the partition");
  one("--selector-style", flags.selector_style, "STYLE",
      "how to require labels: affinity (default) or node-selector");
  many("--toleration", flags.tolerations, "KEY[=VALUE][:EFFECT]",
       "add a toleration (no value: Exists)");
  many("--node-selector", flags.node_selector, "KEY=VALUE", "add a nodeSelector entry");
  many("--env", flags.env, "NAME=VALUE", "environment variable for the selected container");
  many("--request", flags.requests, "RES=QTY", "request of the selected container (RES=: remove)");
  many("--limit", flags.limits, "RES=QTY", "limit of the selected container (RES=: remove)");
  one("--runtime-class", flags.runtime_class, "NAME", "runtimeClassName of the pod");
  one("--priority-class", flags.priority_class, "NAME", "priorityClassName of the pod");
  one("--scheduler", flags.scheduler, "NAME", "schedulerName of the pod");
  one("--shm", flags.shared_memory, "SIZE", "mount /dev/shm of this size in memory");
  many("--choice", flags.choices, "OPTION=CHOICE", "a JupyterHub profile_options choice");
  one("--device-class", flags.device_class, "CLASS",
      "Flyte configurations: the device class (default NVIDIA_GPU)");
  command
      .add_flag("--interruptible", flags.interruptible, "Flyte configurations: interruptible task")
      ->group("What to apply");
  one("--conflict", flags.conflict, "HOW",
      "when the manifest says something else: keep (default), replace or error");
  command
      .add_flag("--all-extended-resources", flags.all_extended_resources,
                "every extended resource is an accelerator, as for the admission plugin")
      ->group("What to apply");
}

void add_selection(CLI::App& command, RewriteFlags& flags) {
  const char* const group = "What to apply it to (globs; repeatable)";
  const auto many = [&](const std::string& name, std::vector<std::string>& values, const char* type,
                        const std::string& text) {
    command.add_option(name, values, text)
        ->type_name(type)
        ->allow_extra_args(false)
        ->delimiter(',')
        ->group(group);
  };
  many("--kind", flags.kinds, "KIND", "objects of this kind");
  many("--name", flags.names, "NAME", "objects of this name");
  many("-n,--namespace", flags.namespaces, "NAME", "objects of this namespace");
  command.add_option("-l,--selector", flags.label_selector, "objects with these labels")
      ->type_name("LABELS")
      ->take_last()
      ->group(group);
  many("--container", flags.containers, "NAME",
       "containers (default: those that ask for the accelerator; with --gpus and none, the first)");
  command.add_flag("--all-pods", flags.all_pods, "also pods that ask for no accelerator")
      ->group(group);
}

}  // namespace

void add_rewrite_flags(CLI::App& command, RewriteFlags& flags) {
  add_rules(command, flags);
  add_selection(command, flags);
}

profile::LoadRequest to_request(const RewriteFlags& flags) {
  check_names(flags);
  profile::LoadRequest request;
  for (const std::string& spec : flags.profiles) request.profiles.push_back({spec, std::nullopt});
  request.platform = given(flags.platform);
  for (const std::string& text : flags.choices) {
    request.choices.push_back(split_pair("--choice", text, "OPTION=CHOICE"));
  }
  request.device_class = given(flags.device_class);
  request.interruptible = flags.interruptible;

  profile::Profile& out = request.flags;
  parse_selection(flags, out.select);
  parse_enumerations(flags, out);
  parse_pairs(flags, out);
  out.resource = given(flags.resource);
  if (!flags.gpus.empty()) out.gpus = parse_gpus(flags.gpus);
  out.accelerator = given(flags.accelerator);
  out.partition = given(flags.partition);
  out.unpartitioned = flags.unpartitioned;
  out.device_label = given(flags.device_label);
  out.partition_label = given(flags.partition_label);
  out.runtime_class = given(flags.runtime_class);
  out.priority_class = given(flags.priority_class);
  out.scheduler = given(flags.scheduler);
  out.shared_memory = given(flags.shared_memory);
  out.all_extended_resources = flags.all_extended_resources;
  return request;
}

}  // namespace gpuspec::cli
