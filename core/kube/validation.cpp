#include "core/kube/validation.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/kube/names.h"
#include "core/kube/quantity.h"
#include "core/kube/read.h"
#include "core/yaml/lookup.h"

namespace gpuspec::kube {
namespace {

using yaml::no_node;
using yaml::NodeId;
using yaml::Tree;

/// A string as Go's %q prints it.
std::string quoted(std::string_view text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    if (c == '\n') {
      result += "\\n";
    } else if (c == '\t') {
      result += "\\t";
    } else {
      result += c;
    }
  }
  return result + '"';
}

std::string joined(const std::vector<std::string>& parts, std::string_view separator) {
  std::string result;
  for (const std::string& part : parts) {
    if (!result.empty()) result += separator;
    result += part;
  }
  return result;
}

/// Collects what is wrong.
struct Collector {
  Violations found;

  void add(NodeId node, std::string path, std::string type, std::string value, std::string detail) {
    found.push_back({node, std::move(path), std::move(type), std::move(value), std::move(detail)});
  }
  void invalid(NodeId node, std::string path, std::string_view value, std::string detail) {
    add(node, std::move(path), "Invalid value", quoted(value), std::move(detail));
  }
  void each_invalid(NodeId node, const std::string& path, std::string_view value,
                    const std::vector<std::string>& details) {
    for (const std::string& detail : details) invalid(node, path, value, detail);
  }
  void required(NodeId node, std::string path, std::string detail) {
    add(node, std::move(path), "Required value", "", std::move(detail));
  }
  void forbidden(NodeId node, std::string path, std::string detail) {
    add(node, std::move(path), "Forbidden", "", std::move(detail));
  }
  void unsupported(NodeId node, std::string path, std::string_view value,
                   const std::vector<std::string>& supported) {
    std::vector<std::string> names;
    for (const std::string& name : supported) names.push_back(quoted(name));
    add(node, std::move(path), "Unsupported value", quoted(value),
        "supported values: " + joined(names, ", "));
  }
  void duplicate(NodeId node, std::string path, std::string_view value) {
    add(node, std::move(path), "Duplicate value", quoted(value), "");
  }
  void append(Violations more) {
    found.insert(found.end(), std::make_move_iterator(more.begin()),
                 std::make_move_iterator(more.end()));
  }
};

bool is(const Tree& tree, NodeId node, yaml::Kind kind) {
  return node != no_node && tree[tree.resolve(node)].kind == kind;
}

std::vector<NodeId> items_of(const Tree& tree, NodeId node) {
  if (!is(tree, node, yaml::Kind::sequence)) return {};
  return yaml::items(tree, tree.resolve(node));
}

std::vector<yaml::Found> entries_of(const Tree& tree, NodeId node) {
  if (!is(tree, node, yaml::Kind::mapping)) return {};
  return yaml::entries(tree, tree.resolve(node));
}

std::string text_of(const Tree& tree, NodeId node) {
  return is(tree, node, yaml::Kind::scalar) && yaml::type_of(tree, node) != yaml::Type::null
             ? yaml::scalar_text(tree, tree.resolve(node))
             : std::string();
}

/// The value node of a key, or the mapping where the key is absent: what a message points at.
NodeId place_of(const Tree& tree, NodeId mapping, std::string_view key) {
  const yaml::Found found = yaml::find(tree, mapping, key);
  return found ? found.value : mapping;
}

std::string indexed(const std::string& path, std::size_t index) {
  return path + '[' + std::to_string(index) + ']';
}

const std::vector<std::string>& effects() {
  static const std::vector<std::string> names = {"NoSchedule", "PreferNoSchedule", "NoExecute"};
  return names;
}

bool is_effect(const std::string& effect) {
  return std::find(effects().begin(), effects().end(), effect) != effects().end();
}

/// What strconv and the canonical form say about the value of Lt and Gt; empty when it is good.
std::string check_comparison_value(const std::string& value) {
  if (value.empty()) return "must be non-empty";
  std::string_view digits = value;
  if (digits.starts_with('-')) digits.remove_prefix(1);
  const bool canonical = !digits.empty() && (digits.front() != '0' || value == "0") &&
                         digits.find_first_not_of("0123456789") == std::string_view::npos;
  if (!canonical) return "must be a valid decimal integer in canonical form";
  const std::string_view limit =
      value.front() == '-' ? "9223372036854775808" : "9223372036854775807";
  if (digits.size() > limit.size() || (digits.size() == limit.size() && digits > limit))
    return "strconv.ParseInt: parsing " + quoted(value) + ": value out of range";
  return {};
}

void check_toleration(Collector& out, const Tree& tree, NodeId node, const std::string& path,
                      const ValidationOptions& options) {
  const Toleration t = read_toleration(tree, node);
  const auto at = [&](std::string_view key) { return place_of(tree, node, key); };
  if (!t.key.empty()) out.each_invalid(at("key"), path + ".key", t.key, check_label_key(t.key));
  if (t.key.empty() && t.op != "Exists")
    out.invalid(at("operator"), path + ".operator", t.op,
                "operator must be Exists when `key` is empty, which means \"match all values and "
                "all keys\"");
  if (t.seconds && t.effect != "NoExecute")
    out.invalid(at("effect"), path + ".effect", t.effect,
                "effect must be 'NoExecute' when `tolerationSeconds` is set");
  if (t.op.empty() || t.op == "Equal") {
    if (const auto errors = check_label_value(t.value); !errors.empty())
      out.invalid(at("value"), path + ".operator", t.value, joined(errors, ";"));
  } else if (t.op == "Exists") {
    if (!t.value.empty())
      out.invalid(at("value"), path + ".operator", t.value,
                  "value must be empty when `operator` is 'Exists'");
  } else if (t.op == "Lt" || t.op == "Gt") {
    if (!options.comparison_operators) {
      out.unsupported(at("operator"), path + ".operator", t.op, {"Equal", "Exists", "Lt", "Gt"});
    } else if (const std::string error = check_comparison_value(t.value); !error.empty()) {
      out.invalid(at("value"), path + ".value", t.value, error);
    }
  } else {
    out.unsupported(at("operator"), path + ".operator", t.op, {"Equal", "Exists"});
  }
  if (!t.effect.empty() && !is_effect(t.effect))
    out.unsupported(at("effect"), path + ".effect", t.effect, effects());
}

void check_expression(Collector& out, const Tree& tree, NodeId node, const std::string& path,
                      bool label_values) {
  const NodeSelectorRequirement r = read_requirement(tree, node);
  const auto at = [&](std::string_view key) { return place_of(tree, node, key); };
  const std::string values = path + ".values";
  if (r.op == "In" || r.op == "NotIn") {
    if (r.values.empty())
      out.required(at("values"), values, "must be specified when `operator` is 'In' or 'NotIn'");
  } else if (r.op == "Exists" || r.op == "DoesNotExist") {
    if (!r.values.empty())
      out.forbidden(at("values"), values,
                    "may not be specified when `operator` is 'Exists' or 'DoesNotExist'");
  } else if (r.op == "Gt" || r.op == "Lt") {
    if (r.values.size() != 1)
      out.required(at("values"), values,
                   "must be specified single value when `operator` is 'Lt' or 'Gt'");
  } else {
    out.invalid(at("operator"), path + ".operator", r.op, "not a valid selector operator");
  }
  out.each_invalid(at("key"), path + ".key", r.key, check_label_key(r.key));
  if (!label_values) return;
  const std::vector<NodeId> nodes = items_of(tree, yaml::get(tree, node, "values"));
  for (std::size_t k = 0; k < r.values.size(); ++k)
    out.each_invalid(nodes[k], indexed(values, k), r.values[k], check_label_value(r.values[k]));
}

void check_field(Collector& out, const Tree& tree, NodeId node, const std::string& path) {
  const NodeSelectorRequirement r = read_requirement(tree, node);
  const auto at = [&](std::string_view key) { return place_of(tree, node, key); };
  if (r.op == "In" || r.op == "NotIn") {
    if (r.values.size() != 1)
      out.required(at("values"), path + ".values",
                   "must be only one value when `operator` is 'In' or 'NotIn' for node field "
                   "selector");
  } else {
    out.invalid(at("operator"), path + ".operator", r.op, "not a valid selector operator");
  }
  if (r.key != "metadata.name") {
    out.invalid(at("key"), path + ".key", r.key, "not a valid field selector key");
    return;
  }
  for (std::size_t k = 0; k < r.values.size(); ++k)
    out.each_invalid(at("values"), indexed(path + ".values", k), r.values[k],
                     check_dns1123_subdomain(r.values[k]));
}

void check_term(Collector& out, const Tree& tree, NodeId node, const std::string& path,
                bool label_values) {
  const std::vector<NodeId> expressions = items_of(tree, yaml::get(tree, node, "matchExpressions"));
  for (std::size_t j = 0; j < expressions.size(); ++j)
    check_expression(out, tree, expressions[j], indexed(path + ".matchExpressions", j),
                     label_values);
  const std::vector<NodeId> fields = items_of(tree, yaml::get(tree, node, "matchFields"));
  for (std::size_t j = 0; j < fields.size(); ++j)
    check_field(out, tree, fields[j], indexed(path + ".matchFields", j));
}

/// An entry of limits or requests.
struct Amount {
  std::string name;
  Quantity quantity;
  NodeId key = no_node;
  NodeId value = no_node;
};

std::string check_huge_page_multiple(const Amount& amount) {
  const auto page = Quantity::parse(std::string_view(amount.name).substr(10));
  const bool good = page && !page->is_zero() && !page->is_negative() && page->is_integer() &&
                    amount.quantity.value() % page->value() == 0;
  return good ? std::string()
              : amount.quantity.str() + " is not positive integer multiple of " + amount.name;
}

std::vector<Amount> check_amounts(Collector& out, const Tree& tree, NodeId node,
                                  const std::string& path) {
  std::vector<Amount> amounts;
  for (const yaml::Found& entry : entries_of(tree, node)) {
    Amount amount{text_of(tree, entry.key), {}, entry.key, entry.value};
    const std::string at = path + '[' + amount.name + ']';
    out.each_invalid(entry.key, at, amount.name, check_container_resource_name(amount.name));
    const std::string text = text_of(tree, entry.value);
    const auto quantity = Quantity::parse(text);
    if (!quantity) {
      if (!is(tree, entry.value, yaml::Kind::scalar)) continue;
      // A null means absent; anything else is refused when the request is decoded.
      if (yaml::type_of(tree, entry.value) != yaml::Type::null)
        out.invalid(entry.value, at, text,
                    "quantities must match the regular expression "
                    "'^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'");
      continue;
    }
    amount.quantity = *quantity;
    if (quantity->is_negative())
      out.invalid(entry.value, at, quantity->str(), "must be greater than or equal to 0");
    if (is_integer_resource(amount.name) && !quantity->is_integer())
      out.invalid(entry.value, at, quantity->str(), "must be an integer");
    if (is_huge_page(amount.name)) {
      if (const std::string error = check_huge_page_multiple(amount); !error.empty())
        out.invalid(entry.value, at, quantity->str(), error);
    }
    amounts.push_back(std::move(amount));
  }
  return amounts;
}

void check_claims(Collector& out, const Tree& tree, NodeId node, const std::string& path,
                  const std::set<std::string>& claims) {
  std::set<std::string> seen;
  const std::vector<NodeId> nodes = items_of(tree, node);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = indexed(path, i);
    const std::string name = yaml::get_text(tree, nodes[i], "name").value_or("");
    if (name.empty()) {
      out.required(nodes[i], at, "");
      continue;
    }
    const std::string request = yaml::get_text(tree, nodes[i], "request").value_or("");
    if (!request.empty())
      out.each_invalid(nodes[i], at + ".request", request, check_dns1123_label(request));
    // A bare name stands for all requests of the claim.
    const std::string prefix = name + '/';
    const std::string key = request.empty() ? name : prefix + request;
    const auto below = seen.lower_bound(prefix);
    const bool overlaps = request.empty() && below != seen.end() && below->starts_with(prefix);
    if (seen.contains(name)) {
      out.duplicate(nodes[i], at, name);
    } else if (overlaps || !seen.insert(key).second) {
      out.duplicate(nodes[i], at, key);
    }
    if (!claims.contains(name)) {
      const std::vector<std::string> names(claims.begin(), claims.end());
      out.add(nodes[i], at, "Not found", quoted(name),
              "must be one of the names in pod.spec.resourceClaims" +
                  (names.empty() ? std::string(" which is empty") : ": " + joined(names, ", ")));
    }
  }
}

}  // namespace

std::string Violation::message() const {
  std::string text = type;
  if (!value.empty()) text += ": " + value;
  if (!detail.empty()) text += ": " + detail;
  return text;
}

Violations validate_tolerations(const Tree& tree, NodeId node, const std::string& path,
                                const ValidationOptions& options) {
  Collector out;
  const std::vector<NodeId> nodes = items_of(tree, node);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    check_toleration(out, tree, nodes[i], indexed(path, i), options);
  return out.found;
}

Violations validate_taints(const Tree& tree, NodeId node, const std::string& path) {
  Collector out;
  std::set<std::pair<std::string, std::string>> seen;
  const std::vector<NodeId> nodes = items_of(tree, node);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = indexed(path, i);
    const Toleration taint = read_toleration(tree, nodes[i]);
    const auto place = [&](std::string_view key) { return place_of(tree, nodes[i], key); };
    out.each_invalid(place("key"), at + ".key", taint.key, check_label_key(taint.key));
    if (const auto errors = check_label_value(taint.value); !errors.empty())
      out.invalid(place("value"), at + ".value", taint.value, joined(errors, ";"));
    if (taint.effect.empty()) {
      out.required(place("effect"), at + ".effect", "");
    } else if (!is_effect(taint.effect)) {
      out.unsupported(place("effect"), at + ".effect", taint.effect, effects());
    }
    if (!seen.insert({taint.key, taint.effect}).second)
      out.add(nodes[i], at, "Duplicate value", quoted(taint.key + ':' + taint.effect),
              "taints must be unique by key and effect pair");
  }
  return out.found;
}

Violations validate_labels(const Tree& tree, NodeId node, const std::string& path) {
  Collector out;
  for (const yaml::Found& entry : entries_of(tree, node)) {
    const std::string key = text_of(tree, entry.key);
    const std::string value = text_of(tree, entry.value);
    out.each_invalid(entry.key, path, key, check_label_key(key));
    out.each_invalid(entry.value, path, value, check_label_value(value));
  }
  return out.found;
}

Violations validate_node_selector_terms(const Tree& tree, NodeId node, const std::string& path,
                                        bool label_values) {
  Collector out;
  const std::vector<NodeId> terms = items_of(tree, node);
  for (std::size_t i = 0; i < terms.size(); ++i)
    check_term(out, tree, terms[i], indexed(path, i), label_values);
  return out.found;
}

Violations validate_node_affinity(const Tree& tree, NodeId node, const std::string& path) {
  Collector out;
  const std::string_view required_key = "requiredDuringSchedulingIgnoredDuringExecution";
  const std::string_view preferred_key = "preferredDuringSchedulingIgnoredDuringExecution";
  if (!is(tree, node, yaml::Kind::mapping)) return {};
  const NodeId required = yaml::get(tree, node, required_key);
  if (is(tree, required, yaml::Kind::mapping)) {
    const std::string at = path + '.' + std::string(required_key) + ".nodeSelectorTerms";
    const NodeId terms = yaml::get(tree, required, "nodeSelectorTerms");
    if (items_of(tree, terms).empty())
      out.required(terms == no_node ? required : terms, at,
                   "must have at least one node selector term");
    out.append(validate_node_selector_terms(tree, terms, at));
  }
  const std::vector<NodeId> preferred = items_of(tree, yaml::get(tree, node, preferred_key));
  for (std::size_t i = 0; i < preferred.size(); ++i) {
    const std::string at = indexed(path + '.' + std::string(preferred_key), i);
    const std::string text = yaml::get_text(tree, preferred[i], "weight").value_or("0");
    const auto weight = Quantity::parse(text);
    if (!weight || weight->value() < 1 || weight->value() > 100)
      out.add(place_of(tree, preferred[i], "weight"), at + ".weight", "Invalid value", text,
              "must be in the range 1-100");
    check_term(out, tree, yaml::get(tree, preferred[i], "preference"), at + ".preference", false);
  }
  return out.found;
}

Violations validate_resources(const Tree& tree, NodeId node, const std::string& path,
                              const std::set<std::string>& claims) {
  Collector out;
  if (!is(tree, node, yaml::Kind::mapping)) return {};
  const NodeId limits_node = yaml::get(tree, node, "limits");
  const NodeId requests_node = yaml::get(tree, node, "requests");
  const auto limits = check_amounts(out, tree, limits_node, path + ".limits");
  const auto requests = check_amounts(out, tree, requests_node, path + ".requests");
  for (const Amount& request : requests) {
    const auto limit = std::find_if(limits.begin(), limits.end(),
                                    [&](const Amount& a) { return a.name == request.name; });
    const bool overcommit = is_overcommit_allowed(request.name);
    if (limit == limits.end()) {
      if (!overcommit)
        out.required(request.key, path + ".limits",
                     "Limit must be set for non overcommitable resources");
    } else if (!overcommit && request.quantity != limit->quantity) {
      out.invalid(request.value, path + ".requests", request.quantity.str(),
                  "must be equal to " + request.name + " limit of " + limit->quantity.str());
    } else if (request.quantity > limit->quantity) {
      out.invalid(
          request.value, path + ".requests", request.quantity.str(),
          "must be less than or equal to " + request.name + " limit of " + limit->quantity.str());
    }
  }
  const auto any = [&](auto predicate) {
    const auto fits = [&](const Amount& amount) { return predicate(amount.name); };
    return std::any_of(limits.begin(), limits.end(), fits) ||
           std::any_of(requests.begin(), requests.end(), fits);
  };
  if (any(is_huge_page) &&
      !any([](std::string_view name) { return name == "cpu" || name == "memory"; }))
    out.forbidden(node, path, "HugePages require cpu or memory");
  check_claims(out, tree, yaml::get(tree, node, "claims"), path + ".claims", claims);
  return out.found;
}

Violations validate_resource_claims(const Tree& tree, NodeId node, const std::string& path,
                                    std::set<std::string>& claims) {
  Collector out;
  const std::vector<NodeId> nodes = items_of(tree, node);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = indexed(path, i);
    const std::string name = yaml::get_text(tree, nodes[i], "name").value_or("");
    if (name.empty()) {
      out.required(nodes[i], at + ".name", "");
    } else if (!claims.insert(name).second) {
      out.duplicate(nodes[i], at + ".name", name);
    } else {
      out.each_invalid(nodes[i], at + ".name", name, check_dns1123_label(name));
    }
    int sources = 0;
    for (const char* key : {"resourceClaimName", "resourceClaimTemplateName"}) {
      const auto source = yaml::get_text(tree, nodes[i], key);
      if (!source) continue;
      ++sources;
      out.each_invalid(place_of(tree, nodes[i], key), at + '.' + key, *source,
                       check_dns1123_subdomain(*source));
    }
    if (sources == 2)
      out.invalid(nodes[i], at, name,
                  "at most one of `resourceClaimName` or `resourceClaimTemplateName` may be "
                  "specified");
    if (sources == 0)
      out.invalid(nodes[i], at, name,
                  "must specify one of: `resourceClaimName`, `resourceClaimTemplateName`");
  }
  return out.found;
}

Violations validate_scheduling_gates(const Tree& tree, NodeId node, const std::string& path) {
  Collector out;
  std::set<std::string> seen;
  const std::vector<NodeId> nodes = items_of(tree, node);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const std::string at = indexed(path, i);
    const std::string name = yaml::get_text(tree, nodes[i], "name").value_or("");
    out.each_invalid(nodes[i], at, name, check_qualified_name(name));
    if (!seen.insert(name).second) out.duplicate(nodes[i], at, name);
  }
  return out.found;
}

Violations validate_pod(const Tree& tree, NodeId object, const Pod& pod,
                        const ValidationOptions& options) {
  Collector out;
  const auto path_of = [&](NodeId node, const std::string& fallback) {
    std::string path = node == no_node ? "" : path_in_object(tree, object, node);
    return path.empty() ? fallback : path;
  };
  if (const NodeId node = pod.tolerations.get(tree); node != no_node)
    out.append(validate_tolerations(tree, node, path_of(node, pod.path + ".tolerations"), options));
  if (const NodeId node = pod.node_selector.get(tree); node != no_node)
    out.append(validate_labels(tree, node, path_of(node, pod.path + ".nodeSelector")));
  const NodeId affinity = pod.affinity.get(tree);
  if (is(tree, affinity, yaml::Kind::mapping)) {
    const std::string at = path_of(affinity, pod.path + ".affinity");
    out.append(validate_node_affinity(tree, yaml::get(tree, affinity, "nodeAffinity"),
                                      at + ".nodeAffinity"));
  } else if (const NodeId terms = pod.node_selector_terms.get(tree); terms != no_node) {
    out.append(validate_node_selector_terms(tree, terms,
                                            path_of(terms, pod.path + ".nodeSelectorTerms"), true));
  }
  std::set<std::string> claims;
  if (is(tree, pod.spec, yaml::Kind::mapping)) {
    out.append(validate_resource_claims(tree, yaml::get(tree, pod.spec, "resourceClaims"),
                                        pod.path + ".resourceClaims", claims));
    out.append(validate_scheduling_gates(tree, yaml::get(tree, pod.spec, "schedulingGates"),
                                         pod.path + ".schedulingGates"));
  }
  for (const Container& container : pod.containers) {
    const NodeId node = container.resources.get(tree);
    if (node == no_node) continue;
    out.append(
        validate_resources(tree, node, path_of(node, container.path + ".resources"), claims));
  }
  return out.found;
}

}  // namespace gpuspec::kube
