#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "core/yaml/testing/random.h"
#include "core/yaml/value.h"

namespace gpuspec::yaml::testing {

/// Kubernetes manifests of chance: pods in every state of completeness, in workloads and lists.
/// Parts repeat, so that a Writer can make anchors of them.
class Manifests {
 public:
  explicit Manifests(Random& random) : r_(random) {}

  Value manifest() {
    if (!r_.chance(15)) return object();
    Value items = Value::sequence();
    for (std::size_t count = 1 + r_.below(3); count > 0; --count) items.items.push_back(object());
    return ordered({{"apiVersion", Value::string("v1")},
                    {"items", std::move(items)},
                    {"kind", Value::string("List")},
                    {"metadata", Value::mapping({{"resourceVersion", Value::string("")}})}});
  }

  Value object() {
    Value pod = pod_spec();
    const std::size_t kind = r_.below(10);
    if (kind < 4) return named("v1", "Pod", std::move(pod));
    Value pod_template = ordered({{"metadata", metadata()}, {"spec", std::move(pod)}});
    if (kind < 7) {
      return named("apps/v1", "Deployment",
                   ordered({{"replicas", Value::integer(2)},
                            {"selector", Value::mapping({{"matchLabels", labels()}})},
                            {"template", std::move(pod_template)}}));
    }
    Value job =
        ordered({{"backoffLimit", Value::integer(0)}, {"template", std::move(pod_template)}});
    if (kind < 9) return named("batch/v1", "Job", std::move(job));
    return named("batch/v1", "CronJob",
                 ordered({{"schedule", Value::string("0 * * * *")},
                          {"jobTemplate", Value::mapping({{"spec", std::move(job)}})}}));
  }

 private:
  using Entries = std::vector<std::pair<std::string, Value>>;

  /// A mapping, sorted as programs print it or in the order given, as people write it.
  Value ordered(Entries entries) {
    if (r_.chance(40)) {
      std::sort(entries.begin(), entries.end(),
                [](const auto& a, const auto& b) { return a.first < b.first; });
    }
    return Value::mapping(std::move(entries));
  }

  Value named(const char* version, const char* kind, Value spec) {
    return ordered({{"apiVersion", Value::string(version)},
                    {"kind", Value::string(kind)},
                    {"metadata", metadata()},
                    {"spec", std::move(spec)}});
  }

  Value metadata() {
    return ordered(
        {{"name", Value::string("m" + std::to_string(r_.below(9)))}, {"labels", labels()}});
  }

  Value labels() {
    Entries entries = {{"app", Value::string(r_.chance(50) ? "train" : "serve")}};
    if (r_.chance(30)) entries.emplace_back("enabled", Value::string("true"));
    return ordered(std::move(entries));
  }

  /// Absent, null, empty, or there.
  template <typename Make>
  void maybe(Entries& entries, const char* key, std::size_t percent, Value nothing, Make make) {
    if (!r_.chance(percent)) return;
    const std::size_t way = r_.below(10);
    entries.emplace_back(key, way == 0   ? Value::plain("null")
                              : way == 1 ? std::move(nothing)
                                         : repeated(key, make));
  }

  /// A new part, or one that was there before.
  template <typename Make>
  Value repeated(const std::string& key, Make make) {
    std::vector<const Value*> same;
    for (const auto& [name, value] : parts_)
      if (name == key) same.push_back(&value);
    if (!same.empty() && r_.chance(40)) return *r_.pick(same);
    Value value = make();
    parts_.emplace_back(key, value);
    return value;
  }

  Value pod_spec() {
    Entries entries;
    Value containers = Value::sequence();
    for (std::size_t count = 1 + r_.below(3); count > 0; --count)
      containers.items.push_back(container("c" + std::to_string(count)));
    entries.emplace_back("containers", std::move(containers));
    if (r_.chance(20)) {
      entries.emplace_back("initContainers", Value::sequence({container("init")}));
    }
    maybe(entries, "tolerations", 40, Value::sequence(), [this] { return tolerations(); });
    maybe(entries, "nodeSelector", 30, Value::mapping(), [this] {
      return ordered({{"disk", Value::string("ssd")}, {"zone", Value::string("1")}});
    });
    maybe(entries, "affinity", 30, Value::mapping(), [this] { return affinity(); });
    maybe(entries, "volumes", 20, Value::sequence(), [] {
      return Value::sequence(
          {Value::mapping({{"name", Value::string("data")}, {"emptyDir", Value::mapping()}})});
    });
    if (r_.chance(30)) entries.emplace_back("restartPolicy", Value::string("Never"));
    return ordered(std::move(entries));
  }

  Value container(const std::string& name) {
    Entries entries = {{"name", Value::string(name)},
                       {"image", Value::string("registry/cuda:12.4")}};
    if (r_.chance(30)) {
      entries.emplace_back("command",
                           Value::sequence({Value::string("/bin/sh"), Value::string("-c")}));
      entries.emplace_back(
          "args", Value::sequence({Value::string("set -e\nnvidia-smi # look\ntrain --fast\n")}));
    }
    maybe(entries, "env", 30, Value::sequence(), [] {
      return Value::sequence(
          {Value::mapping({{"name", Value::string("DEBUG")}, {"value", Value::string("1")}})});
    });
    maybe(entries, "resources", 80, Value::mapping(), [this] { return resources(); });
    return ordered(std::move(entries));
  }

  Value quantities(bool gpu) {
    const bool quoted = r_.chance(50);
    const auto number = [quoted](const char* text) {
      return quoted ? Value::string(text) : Value::plain(text);
    };
    Entries entries;
    if (r_.chance(50)) entries.emplace_back("cpu", number("2"));
    if (r_.chance(50)) entries.emplace_back("memory", Value::string("16Gi"));
    if (gpu) entries.emplace_back("nvidia.com/gpu", number("1"));
    return ordered(std::move(entries));
  }

  Value resources() {
    const bool gpu = r_.chance(60);
    Entries entries = {{"limits", quantities(gpu)}};
    if (r_.chance(50)) entries.emplace_back("requests", quantities(gpu && r_.chance(50)));
    return ordered(std::move(entries));
  }

  Value tolerations() {
    Value list = Value::sequence();
    for (std::size_t count = 1 + r_.below(2); count > 0; --count) {
      list.items.push_back(r_.chance(50)
                               ? ordered({{"key", Value::string("nvidia.com/gpu")},
                                          {"operator", Value::string("Exists")},
                                          {"effect", Value::string("NoSchedule")}})
                               : ordered({{"key", Value::string("dedicated")},
                                          {"operator", Value::string("Equal")},
                                          {"value", Value::string(r_.chance(50) ? "true" : "ml")},
                                          {"effect", Value::string("NoSchedule")}}));
    }
    return list;
  }

  Value affinity() {
    Value term = Value::mapping();
    if (!r_.chance(10)) {
      term = Value::mapping(
          {{"matchExpressions",
            Value::sequence({ordered({{"key", Value::string("arch")},
                                      {"operator", Value::string("In")},
                                      {"values", Value::sequence({Value::string("amd64")})}})})}});
    }
    Value terms = Value::sequence({term});
    if (r_.chance(30)) terms.items.push_back(term);
    return Value::mapping(
        {{"nodeAffinity",
          Value::mapping({{"requiredDuringSchedulingIgnoredDuringExecution",
                           Value::mapping({{"nodeSelectorTerms", std::move(terms)}})}})}});
  }

  Random& r_;
  std::vector<std::pair<std::string, Value>> parts_;
};

}  // namespace gpuspec::yaml::testing
