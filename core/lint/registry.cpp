#include "core/lint/registry.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/lint/lint.h"
#include "core/lint/rules/rules.h"
#include "core/text/suggest.h"

namespace gpuspec::lint {
namespace {

constexpr const Rule* table[] = {
    &rules::unequal_request,             // GPU001
    &rules::request_without_limit,       // GPU002
    &rules::bad_quantity,                // GPU003
    &rules::zero_quantity,               // GPU004
    &rules::misplaced_resources,         // GPU005
    &rules::misplaced_field,             // GPU006
    &rules::invalid_resource_name,       // GPU007
    &rules::invalid_resources,           // GPU008
    &rules::memory_request,              // GPU009
    &rules::several_containers,          // GPU010
    &rules::init_container_only,         // GPU011
    &rules::claim_and_resource,          // GPU012
    &rules::misspelled_resource,         // GPU013
    &rules::missing_toleration,          // GPU101
    &rules::toleration_value,            // GPU102
    &rules::toleration_without_request,  // GPU103
    &rules::invalid_toleration,          // GPU104
    &rules::arm_toleration,              // GPU105
    &rules::spot_toleration,             // GPU106
    &rules::invalid_selector,            // GPU201
    &rules::invalid_affinity,            // GPU202
    &rules::unquoted_value,              // GPU203
    &rules::selector_without_request,    // GPU204
    &rules::unknown_device,              // GPU205
    &rules::mixed_platforms,             // GPU206
    &rules::contradiction,               // GPU207
    &rules::partial_terms,               // GPU208
    &rules::empty_term,                  // GPU209
    &rules::node_name,                   // GPU210
    &rules::instance_type,               // GPU211
    &rules::accelerator_count,           // GPU212
    &rules::mig_profile,                 // GPU301
    &rules::mig_name,                    // GPU302
    &rules::gke_partition_resource,      // GPU303
    &rules::shared_above_one,            // GPU304
    &rules::whole_and_partition,         // GPU305
    &rules::gke_sharing,                 // GPU306
    &rules::fraction_annotation,         // GPU307
    &rules::image_tag,                   // GPU401
    &rules::visible_devices,             // GPU402
    &rules::privileged,                  // GPU403
    &rules::device_path,                 // GPU404
    &rules::driver_capabilities,         // GPU405
    &rules::shared_memory,               // GPU406
    &rules::idle_group,                  // GPU501
    &rules::ray_params,                  // GPU502
    &rules::ray_detection,               // GPU503
    &rules::tpu_topology,                // GPU504
    &rules::tpu_selector,                // GPU505
    &rules::removed_resource,            // GPU601
    &rules::removed_api,                 // GPU602
    &rules::deprecated_label,            // GPU603
    &rules::node_label,                  // GPU701
    &rules::node_capacity,               // GPU702
    &rules::node_taint,                  // GPU703
    &rules::node_room,                   // GPU704
    &rules::unreadable,                  // GPU901
    &rules::wrong_shape,                 // GPU902
    &rules::duplicate_key,               // GPU903
    &rules::duplicate_object,            // GPU904
};

struct Group {
  char digit;
  std::string_view title;
};

constexpr std::array<Group, 9> groups = {{{'0', "Resources"},
                                          {'1', "Tolerations"},
                                          {'2', "Node selection"},
                                          {'3', "Partitions and sharing"},
                                          {'4', "Containers"},
                                          {'5', "Workload kinds"},
                                          {'6', "Names that have changed"},
                                          {'7', "Real nodes (--nodes)"},
                                          {'9', "Manifests"}}};

bool same(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  return a.size() == b.size() && std::equal(a.begin(), a.end(), b.begin(),
                                            [&](char x, char y) { return lower(x) == lower(y); });
}

/// Whether an item of --select means the rule: its code, the beginning of it, its name, or ALL.
bool means(std::string_view item, const Rule& rule) {
  if (same(item, "ALL") || same(item, rule.name)) return true;
  return item.size() >= 3 && item.size() <= rule.code.size() &&
         same(item, rule.code.substr(0, item.size()));
}

/// Throws for an item that means no rule.
void check(const std::string& item) {
  if (std::any_of(std::begin(table), std::end(table),
                  [&](const Rule* rule) { return means(item, *rule); }))
    return;
  std::string message = "no rule is called " + item;
  std::vector<std::string_view> names;
  for (const Rule* rule : table) {
    names.push_back(rule->code);
    names.push_back(rule->name);
  }
  const std::string_view near = text::closest(item, names);
  if (!near.empty()) message += "; did you mean " + std::string(near) + "?";
  throw std::invalid_argument(message);
}

}  // namespace

std::string_view word(Severity severity) {
  switch (severity) {
    case Severity::error:
      return "error";
    case Severity::warning:
      return "warning";
    case Severity::info:
      break;
  }
  return "info";
}

std::span<const Rule* const> all_rules() {
  return table;
}

const Rule* find_rule(std::string_view code_or_name) {
  for (const Rule* rule : table)
    if (same(code_or_name, rule->code) || same(code_or_name, rule->name)) return rule;
  return nullptr;
}

std::string_view group_title(char digit) {
  for (const Group& group : groups)
    if (group.digit == digit) return group.title;
  return {};
}

std::vector<const Rule*> select_rules(const std::vector<std::string>& select,
                                      const std::vector<std::string>& ignore) {
  for (const std::string& item : select) check(item);
  for (const std::string& item : ignore) check(item);
  const auto any = [](const std::vector<std::string>& items, const Rule& rule) {
    return std::any_of(items.begin(), items.end(),
                       [&](const std::string& item) { return means(item, rule); });
  };
  std::vector<const Rule*> rules;
  for (const Rule* rule : table)
    if ((select.empty() || any(select, *rule)) && !any(ignore, *rule)) rules.push_back(rule);
  return rules;
}

}  // namespace gpuspec::lint
