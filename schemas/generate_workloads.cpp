// Turns schemas/workloads.yaml into C++ tables: generate_workloads WORKLOADS.yaml OUTPUT.inc
// The output is included by core/kube/workload_table.cpp, whose header says what the fields mean.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace {

[[noreturn]] void fail(const YAML::Node& node, const std::string& message) {
  throw std::runtime_error("line " + std::to_string(node.Mark().line + 1) + ": " + message);
}

void check_keys(const YAML::Node& mapping, const std::set<std::string>& known) {
  for (const auto& entry : mapping) {
    const std::string key = entry.first.as<std::string>();
    if (!known.count(key)) fail(entry.first, "unknown key " + key);
  }
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

/// A path, or several with `|` between them; `none` is no path.
std::string path_of(const YAML::Node& node) {
  if (!node) return "";
  if (node.IsScalar()) return node.as<std::string>() == "none" ? "" : node.as<std::string>();
  std::string out;
  for (const auto& path : node) {
    if (!out.empty()) out += '|';
    out += path.as<std::string>();
  }
  return out;
}

/// A path as C++: FieldPath{"tolerations", true}.
std::string field(const std::string& path) {
  const bool simple = path.find_first_of("^|[*\"") == std::string::npos;
  return "{" + quoted(path) + ", " + (simple ? "true" : "false") + "}";
}

/// Where the required terms are in an affinity; of each of several.
std::string terms_in(const std::string& affinity) {
  const std::string keys =
      ".nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms";
  std::string out;
  for (const char c : affinity) {
    if (c == '|') out += keys;
    out += c;
  }
  return affinity.empty() ? out : out + keys;
}

bool flag(const YAML::Node& node) {
  return node && node.as<bool>();
}

/// Collects arrays, each with a name of its own, and gives spans over them.
class Arrays {
 public:
  std::string span(const std::string& type, const std::vector<std::string>& items) {
    if (items.empty()) return "{}";
    std::string array;
    for (const std::string& item : items) array += "    " + item + ",\n";
    const std::string key = type + array;
    auto [found, fresh] = names_.emplace(key, "array_" + std::to_string(names_.size()));
    if (fresh) {
      text_ << "constexpr " << type << " " << found->second << "[] = {\n" << array << "};\n";
    }
    return found->second;
  }

  std::string strings(const YAML::Node& list) {
    std::vector<std::string> items;
    for (const auto& item : list) items.push_back(quoted(item.as<std::string>()));
    return span("std::string_view", items);
  }

  std::string text() const { return text_.str(); }

 private:
  std::map<std::string, std::string> names_;
  std::ostringstream text_;
};

/// What `extends` takes over, then the shape's own entries.
YAML::Node extended(const YAML::Node& shapes, const YAML::Node& shape) {
  YAML::Node out;
  if (shape["extends"]) {
    const YAML::Node base = shapes[shape["extends"].as<std::string>()];
    if (!base) fail(shape, "extends a shape that is not there");
    for (const auto& entry : extended(shapes, base))
      out[entry.first.as<std::string>()] = entry.second;
  }
  for (const auto& entry : shape) {
    if (entry.first.as<std::string>() != "extends")
      out[entry.first.as<std::string>()] = entry.second;
  }
  return out;
}

std::string container_text(const YAML::Node& container) {
  check_keys(container, {"at", "init", "resources", "env", "volumeMounts", "image"});
  const auto get = [&](const char* key, const char* usual) {
    return field(container[key] ? path_of(container[key]) : usual);
  };
  return "{" + quoted(container["at"].as<std::string>()) + ", " +
         (flag(container["init"]) ? "true" : "false") + ", " + get("resources", "resources") +
         ", " + get("env", "env") + ", " + get("volumeMounts", "volumeMounts") + ", " +
         get("image", ".") + "}";
}

std::string ask_text(const YAML::Node& ask) {
  check_keys(ask, {"resource", "when", "count", "name", "keys", "names", "certain"});
  std::string out = "{" + quoted(ask["resource"] ? ask["resource"].as<std::string>() : "");
  for (const char* key : {"when", "count", "name", "keys", "names"}) {
    out += ", " + quoted(path_of(ask[key]));
  }
  return out + ", " + (flag(ask["certain"]) ? "true" : "false") + "}";
}

std::string shape_text(const std::string& name, const YAML::Node& shape, Arrays& arrays) {
  check_keys(shape,
             {"containers", "tolerations", "nodeSelector", "affinity", "nodeSelectorTerms",
              "volumes", "metadata", "holder", "keys", "asks", "gpuCount", "gpuResource",
              "gpuQuoted", "sharedMemory", "inherited", "mergedUnder", "needsContainer", "hint"});
  std::vector<std::string> containers;
  for (const auto& container : shape["containers"]) containers.push_back(container_text(container));
  std::vector<std::string> asks;
  for (const auto& ask : shape["asks"]) asks.push_back(ask_text(ask));

  std::string out = "{" + quoted(name) + ",\n    " + arrays.span("ContainerShape", containers);
  for (const char* key : {"tolerations", "nodeSelector", "affinity"}) {
    out += ", " + field(path_of(shape[key]));
  }
  const YAML::Node terms = shape["nodeSelectorTerms"];
  out += ", " + field(terms ? path_of(terms) : terms_in(path_of(shape["affinity"])));
  for (const char* key : {"volumes", "metadata", "holder"}) {
    out += ", " + field(path_of(shape[key]));
  }
  const YAML::Node keys = shape["keys"];
  const bool holder = !path_of(shape["holder"]).empty();
  if (keys) check_keys(keys, {"runtimeClass", "priorityClass", "scheduler"});
  for (const auto& [key, usual] : {std::pair{"runtimeClass", "runtimeClassName"},
                                   {"priorityClass", "priorityClassName"},
                                   {"scheduler", "schedulerName"}}) {
    std::string spelling;
    if (keys) {
      if (keys[key]) spelling = keys[key].as<std::string>();
    } else if (holder) {
      spelling = usual;
    }
    out += ", " + quoted(spelling);
  }
  out += ",\n    " + arrays.span("AskShape", asks);
  out += ", " + field(path_of(shape["gpuCount"])) + ", " + field(path_of(shape["gpuResource"]));
  out += std::string(", ") + (flag(shape["gpuQuoted"]) ? "true" : "false");
  out += ", " + field(path_of(shape["sharedMemory"]));
  out += ", " + quoted(path_of(shape["inherited"])) + ", " + quoted(path_of(shape["mergedUnder"]));
  out += std::string(", ") + (flag(shape["needsContainer"]) ? "true" : "false");
  return out + ", " + quoted(shape["hint"] ? shape["hint"].as<std::string>() : "") + "}";
}

std::string pod_text(const YAML::Node& pod, const std::map<std::string, int>& shapes,
                     Arrays& arrays) {
  const bool bare = pod.IsScalar();
  if (!bare) check_keys(pod, {"at", "shape", "role", "cpu", "by", "unless", "ray"});
  const std::string at = bare ? pod.as<std::string>() : pod["at"].as<std::string>();
  const std::string suffix = "emplate.spec";
  std::string shape =
      at.size() > suffix.size() && at.compare(at.size() - suffix.size(), suffix.size(), suffix) == 0
          ? "template"
          : "podSpec";
  std::string role = "worker";
  if (!bare && pod["shape"]) shape = pod["shape"].as<std::string>();
  if (!bare && pod["role"]) role = pod["role"].as<std::string>();
  if (role != "worker" && role != "cpu" && role != "never") fail(pod, "role: cpu or never");
  const auto found = shapes.find(shape);
  if (found == shapes.end()) fail(pod, "unknown shape " + shape);
  const auto get = [&](const char* key) {
    return !bare && pod[key] ? pod[key].as<std::string>() : std::string();
  };
  return "{" + quoted(at) + ", " + std::to_string(found->second) + ", Role::" + role + ", " +
         (bare ? "{}" : arrays.strings(pod["cpu"])) + ", " + quoted(get("by")) + ", " +
         quoted(get("unless")) + ", " + field(get("ray")) + "}";
}

struct Row {
  std::string group;
  std::string kind;
  std::string text;
};

Row row_of(const YAML::Node& row, const std::map<std::string, int>& shapes, Arrays& arrays,
           std::set<std::string>& seen) {
  check_keys(row, {"group", "kind", "versions", "pods", "objects", "strings", "frozen", "note"});
  Row out{row["group"].as<std::string>(), row["kind"].as<std::string>(), ""};
  if (!row["versions"] || row["versions"].size() == 0) fail(row, out.kind + " has no versions");
  for (const auto& version : row["versions"]) {
    const std::string id = out.group + "/" + version.as<std::string>() + " " + out.kind;
    if (!seen.insert(id).second) fail(version, id + " is there twice");
  }
  std::vector<std::string> pods;
  for (const auto& pod : row["pods"]) pods.push_back(pod_text(pod, shapes, arrays));
  const std::string frozen = row["frozen"] ? row["frozen"].as<std::string>() : "";
  const std::map<std::string, std::string> states = {
      {"", "nothing"}, {"pod", "pod"}, {"job", "job_template"}, {"spec", "spec"}};
  if (!states.count(frozen)) fail(row, "frozen: pod, job or spec");
  out.text = "{" + quoted(out.group) + ", " + quoted(out.kind) + ", " +
             arrays.strings(row["versions"]) + ", " + arrays.span("PodRow", pods) + ", " +
             arrays.strings(row["objects"]) + ", " + arrays.strings(row["strings"]) +
             ", Frozen::" + states.at(frozen) + ", " +
             quoted(row["note"] ? row["note"].as<std::string>() : "") + "}";
  return out;
}

void generate(const char* input, const char* output) {
  const YAML::Node root = YAML::LoadFile(input);
  check_keys(root, {"shapes", "workloads"});
  Arrays arrays;
  std::map<std::string, int> shapes;
  std::vector<std::string> shape_texts;
  for (const auto& entry : root["shapes"]) {
    const std::string name = entry.first.as<std::string>();
    shapes.emplace(name, static_cast<int>(shapes.size()));
    shape_texts.push_back(shape_text(name, extended(root["shapes"], entry.second), arrays));
  }
  std::set<std::string> seen;
  std::vector<Row> rows;
  for (const auto& row : root["workloads"]) rows.push_back(row_of(row, shapes, arrays, seen));
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    return std::tie(a.kind, a.group) < std::tie(b.kind, b.group);
  });

  std::ostringstream text;
  text << "// Made from schemas/workloads.yaml; edit that.\n" << arrays.text();
  text << "constexpr Shape shape_table[] = {\n";
  for (const std::string& shape : shape_texts) text << "    " << shape << ",\n";
  text << "};\nconstexpr Row row_table[] = {\n";
  for (const Row& row : rows) text << "    " << row.text << ",\n";
  text << "};\n";
  std::ofstream file(output);
  file << text.str();
  if (!file.flush()) throw std::runtime_error(std::string("cannot write ") + output);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: generate_workloads WORKLOADS.yaml OUTPUT.inc\n";
    return 2;
  }
  try {
    generate(argv[1], argv[2]);
  } catch (const std::exception& error) {
    std::cerr << argv[1] << ": " << error.what() << '\n';
    return 1;
  }
}
