#pragma once

#include <string>
#include <vector>

#include "cli/command.h"
#include "core/profile/load.h"

namespace gpuspec::cli {

/// The flags that say what to apply and what to apply it to, as the user wrote them.
struct RewriteFlags {
  std::vector<std::string> profiles;
  std::string platform;
  std::string resource;
  std::string gpus;
  std::string accelerator;
  std::string partition;
  bool unpartitioned = false;
  std::string device_label;
  std::string partition_label;
  std::string selector_style;
  std::vector<std::string> tolerations;
  std::vector<std::string> node_selector;
  std::vector<std::string> env;
  std::vector<std::string> requests;
  std::vector<std::string> limits;
  std::string runtime_class;
  std::string priority_class;
  std::string scheduler;
  std::string shared_memory;
  std::vector<std::string> choices;
  std::string device_class;
  bool interruptible = false;
  std::string conflict;
  bool all_extended_resources = false;

  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::vector<std::string> namespaces;
  std::string label_selector;
  std::vector<std::string> containers;
  bool all_pods = false;
};

/// Adds the options that fill `flags`.
void add_rewrite_flags(CLI::App& command, RewriteFlags& flags);

/// The flags as the profile loader takes them. Throws UsageError, which names the flag.
profile::LoadRequest to_request(const RewriteFlags& flags);

}  // namespace gpuspec::cli
