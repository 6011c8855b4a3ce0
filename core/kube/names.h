#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuspec::kube {

// Names as the API server judges them (kubernetes.md §3.1, §4). The `check_` functions return what
// is wrong in the server's words; nothing when the name is good.

/// A label key: `[prefix/]name`.
std::vector<std::string> check_label_key(std::string_view key);
/// The same rule with the wording the server uses for resource names.
std::vector<std::string> check_qualified_name(std::string_view name);
std::vector<std::string> check_label_value(std::string_view value);
std::vector<std::string> check_dns1123_label(std::string_view name);
std::vector<std::string> check_dns1123_subdomain(std::string_view name);
/// A resource name anywhere (quotas included): qualified, or one of the standard resources.
std::vector<std::string> check_resource_name(std::string_view name);
/// A resource name in a container's limits or requests.
std::vector<std::string> check_container_resource_name(std::string_view name);

/// Contains `kubernetes.io/`, anywhere.
bool is_prefixed_native_resource(std::string_view name);
/// No slash, or prefixed native.
bool is_native_resource(std::string_view name);
/// nvidia.com/gpu and the like: what device plugins advertise.
bool is_extended_resource(std::string_view name);
bool is_huge_page(std::string_view name);
/// Whether limits may exceed requests.
bool is_overcommit_allowed(std::string_view name);
/// Counted one by one by the scheduler.
bool is_scalar_resource(std::string_view name);
/// Quantities must be whole numbers (quota counts and extended resources).
bool is_integer_resource(std::string_view name);
bool is_standard_resource(std::string_view name);
bool is_standard_container_resource(std::string_view name);

}  // namespace gpuspec::kube
