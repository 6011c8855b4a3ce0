// Every kind of ../shared/reference/workloads.json against the table.

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "core/kube/workload.h"
#include "core/testing.h"
#include "core/yaml/reader.h"

using namespace gpuspec;
using nlohmann::json;

namespace {

std::string shared_directory() {
  const char* given = std::getenv("GPUSPEC_SHARED");
  return given != nullptr ? given : GPUSPEC_SOURCE_DIR "/../shared";
}

/// Puts a value at `a.b[*].c.*.d`, with one item in lists and the key "Worker" for `*`. Returns the
/// path as it came out.
std::string put(json& root, std::string path, const json& value) {
  json* at = &root;
  std::string out;
  while (!path.empty()) {
    const std::size_t dot = path.find('.');
    std::string step = path.substr(0, dot);
    path = dot == std::string::npos ? "" : path.substr(dot + 1);
    const bool items = step.size() > 3 && step.substr(step.size() - 3) == "[*]";
    if (items) step.resize(step.size() - 3);
    if (step == "*") step = "Worker";
    out += (out.empty() ? "" : ".") + step;
    at = &(*at)[step];
    if (items) {
      out += "[0]";
      at = &(*at)[0];
    }
  }
  *at = value;
  return out;
}

std::string version_of(const std::string& text) {
  return text.substr(0, text.find('('));
}

}  // namespace

TEST_CASE("every kind of the reference is in the table, with its paths") {
  std::ifstream file(shared_directory() + "/reference/workloads.json");
  if (!file) {
    std::cout << "skipped: every kind of the reference: no shared data\n";
    return;
  }
  std::set<std::string> known;
  for (const kube::KnownKind& kind : kube::known_kinds()) {
    for (const std::string_view version : kind.versions) {
      known.insert(std::string(kind.group) + "/" + std::string(version) + " " +
                   std::string(kind.kind));
    }
  }
  const json reference = json::parse(file);
  std::size_t pods = 0;
  for (const json& entry : reference["workloads"]) {
    const std::string group = entry["group"];
    const std::string kind = entry["kind"];
    const std::string shape = entry["shape"];
    for (const std::string full : entry["versions"]) {
      const std::string version = version_of(full);
      INFO(group << "/" << version << " " << kind);
      CHECK(known.count(group + "/" + version + " " + kind) == 1);
      if (shape != "podSpec" && shape != "wrapper") continue;
      for (const std::string path : entry["paths"]) {
        INFO(path);
        json manifest = {{"apiVersion", group.empty() ? version : group + "/" + version},
                         {"kind", kind}};
        const json pod = {{"containers", json::array({{{"name", "m"}}})}};
        if (kind == "OptimizationJob") continue;  // wraps no object: see workload_test.cpp
        std::string expected;
        if (shape == "wrapper") {
          expected = put(manifest, path, {{"apiVersion", "v1"}, {"kind", "Pod"}, {"spec", pod}});
        } else {
          expected = put(manifest, path, pod);
        }
        const std::string text = manifest.dump();
        yaml::Tree tree;
        yaml::read_document(text, 0, tree);
        const kube::Objects found = kube::find_objects(tree);
        bool there = false;
        for (const kube::Object& object : found.objects) {
          if (shape == "wrapper" && object.path != expected) continue;
          const std::string wanted = shape == "wrapper" ? "spec" : expected;
          for (const kube::Pod& candidate : object.pods) {
            for (const kube::Container& container : candidate.containers) {
              there =
                  there || (container.path == wanted + ".containers[0]" && candidate.tolerations);
            }
          }
        }
        CHECK(there);
        CHECK(found.notes.size() <= 1);
        pods += there ? 1 : 0;
      }
    }
  }
  CHECK(pods > 150);
}
