#include "core/kube/names.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace gpuspec::kube {
namespace {

constexpr std::size_t max_label = 63;
constexpr std::size_t max_subdomain = 253;

constexpr std::string_view label_key_rule =
    " must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an "
    "alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for "
    "validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')";
constexpr std::string_view label_value_rule =
    "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', "
    "and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or "
    "'12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')";
constexpr std::string_view dns_label_rule =
    "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and "
    "must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')";
constexpr std::string_view subdomain_rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or "
    "'.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used "
    "for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')";

constexpr std::array<std::string_view, 20> standard_resources = {"cpu",
                                                                 "memory",
                                                                 "ephemeral-storage",
                                                                 "requests.cpu",
                                                                 "requests.memory",
                                                                 "requests.ephemeral-storage",
                                                                 "limits.cpu",
                                                                 "limits.memory",
                                                                 "limits.ephemeral-storage",
                                                                 "pods",
                                                                 "resourcequotas",
                                                                 "services",
                                                                 "replicationcontrollers",
                                                                 "secrets",
                                                                 "configmaps",
                                                                 "persistentvolumeclaims",
                                                                 "storage",
                                                                 "requests.storage",
                                                                 "services.nodeports",
                                                                 "services.loadbalancers"};
constexpr std::array<std::string_view, 3> container_resources = {"cpu", "memory",
                                                                 "ephemeral-storage"};
constexpr std::array<std::string_view, 9> counted_resources = {"pods",
                                                               "resourcequotas",
                                                               "services",
                                                               "secrets",
                                                               "configmaps",
                                                               "replicationcontrollers",
                                                               "persistentvolumeclaims",
                                                               "services.nodeports",
                                                               "services.loadbalancers"};

bool is_lower_alphanumeric(char c) {
  return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
}
bool is_alphanumeric(char c) {
  return is_lower_alphanumeric(c) || (c >= 'A' && c <= 'Z');
}

std::string too_long(std::size_t limit) {
  return "must be no more than " + std::to_string(limit) + " bytes";
}

/// `([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]`
bool is_label_name(std::string_view text) {
  if (text.empty() || !is_alphanumeric(text.front()) || !is_alphanumeric(text.back())) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_alphanumeric(c) || c == '-' || c == '_' || c == '.'; });
}

/// `[a-z0-9]([-a-z0-9]*[a-z0-9])?`
bool is_dns_label(std::string_view text) {
  if (text.empty() || !is_lower_alphanumeric(text.front()) || !is_lower_alphanumeric(text.back()))
    return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_lower_alphanumeric(c) || c == '-'; });
}

bool is_dns_subdomain(std::string_view text) {
  for (;;) {
    const std::size_t dot = text.find('.');
    if (!is_dns_label(text.substr(0, dot))) return false;
    if (dot == std::string_view::npos) return true;
    text.remove_prefix(dot + 1);
  }
}

std::vector<std::string> check_prefixed(std::string_view text, std::string_view what) {
  std::vector<std::string> errors;
  std::string_view name = text;
  const std::size_t slash = text.find('/');
  if (slash != std::string_view::npos) {
    const std::string_view prefix = text.substr(0, slash);
    name = text.substr(slash + 1);
    if (name.find('/') != std::string_view::npos) {
      errors.push_back(std::string(what) + std::string(label_key_rule) +
                       " with an optional DNS subdomain prefix and '/' (e.g. "
                       "'example.com/MyName')");
      return errors;
    }
    if (prefix.empty()) {
      errors.emplace_back("prefix part must be non-empty");
    } else {
      for (const std::string& error : check_dns1123_subdomain(prefix))
        errors.push_back("prefix part " + error);
    }
  }
  if (name.empty()) {
    errors.emplace_back("name part must be non-empty");
  } else if (name.size() > max_label) {
    errors.push_back("name part " + too_long(max_label));
  }
  if (!is_label_name(name)) errors.push_back("name part" + std::string(label_key_rule));
  return errors;
}

template <std::size_t n>
bool contains(const std::array<std::string_view, n>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

std::vector<std::string> check_label_key(std::string_view key) {
  return check_prefixed(key, "a valid label key");
}

std::vector<std::string> check_qualified_name(std::string_view name) {
  return check_prefixed(name, "a qualified name");
}

std::vector<std::string> check_label_value(std::string_view value) {
  std::vector<std::string> errors;
  if (value.size() > max_label) errors.push_back(too_long(max_label));
  if (!value.empty() && !is_label_name(value)) errors.emplace_back(label_value_rule);
  return errors;
}

std::vector<std::string> check_dns1123_label(std::string_view name) {
  std::vector<std::string> errors;
  if (name.size() > max_label) errors.push_back(too_long(max_label));
  if (!is_dns_label(name)) errors.emplace_back(dns_label_rule);
  return errors;
}

std::vector<std::string> check_dns1123_subdomain(std::string_view name) {
  std::vector<std::string> errors;
  if (name.size() > max_subdomain) errors.push_back(too_long(max_subdomain));
  if (!is_dns_subdomain(name)) errors.emplace_back(subdomain_rule);
  return errors;
}

std::vector<std::string> check_resource_name(std::string_view name) {
  std::vector<std::string> errors = check_qualified_name(name);
  if (errors.empty() && name.find('/') == std::string_view::npos && !is_standard_resource(name))
    errors.emplace_back("must be a standard resource type or fully qualified");
  return errors;
}

std::vector<std::string> check_container_resource_name(std::string_view name) {
  std::vector<std::string> errors = check_resource_name(name);
  if (name.find('/') == std::string_view::npos) {
    if (!is_standard_container_resource(name))
      errors.emplace_back("must be a standard resource for containers");
  } else if (!is_native_resource(name) && !is_extended_resource(name)) {
    errors.emplace_back("doesn't follow extended resource name standard");
  }
  return errors;
}

bool is_prefixed_native_resource(std::string_view name) {
  return name.find("kubernetes.io/") != std::string_view::npos;
}

bool is_native_resource(std::string_view name) {
  return name.find('/') == std::string_view::npos || is_prefixed_native_resource(name);
}

bool is_extended_resource(std::string_view name) {
  if (is_native_resource(name) || name.starts_with("requests.")) return false;
  // A quota names it with this prefix, and that must still be a qualified name.
  return check_qualified_name("requests." + std::string(name)).empty();
}

bool is_huge_page(std::string_view name) {
  return name.starts_with("hugepages-");
}

bool is_overcommit_allowed(std::string_view name) {
  return is_native_resource(name) && !is_huge_page(name);
}

bool is_scalar_resource(std::string_view name) {
  return is_extended_resource(name) || is_huge_page(name) || is_prefixed_native_resource(name) ||
         name.starts_with("attachable-volumes-");
}

bool is_integer_resource(std::string_view name) {
  return contains(counted_resources, name) || is_extended_resource(name);
}

bool is_standard_resource(std::string_view name) {
  return contains(standard_resources, name) || is_huge_page(name) ||
         name.starts_with("requests.hugepages-");
}

bool is_standard_container_resource(std::string_view name) {
  return contains(container_resources, name) || is_huge_page(name);
}

}  // namespace gpuspec::kube
