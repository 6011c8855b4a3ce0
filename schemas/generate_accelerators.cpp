// Writes the tables of core/accelerator as constexpr arrays: schemas/*.yaml in, C++ out. Runs at
// build time. An array is written before the entry that refers to it, under a number of its own.
//
//   generate_accelerators SCHEMAS-DIRECTORY OUTPUT

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <yaml-cpp/yaml.h>

namespace {

[[noreturn]] void fail(const std::string& message) {
  throw std::runtime_error(message);
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + '"';
}

std::string text_of(const YAML::Node& entry, const char* key, const std::string& fallback = {}) {
  return entry[key] ? entry[key].as<std::string>() : fallback;
}

std::string flag_of(const YAML::Node& entry, const char* key, bool fallback) {
  return (entry[key] ? entry[key].as<bool>() : fallback) ? "true" : "false";
}

void check_keys(const YAML::Node& entry, const std::set<std::string>& known,
                const std::string& where) {
  for (const auto& pair : entry) {
    const auto key = pair.first.as<std::string>();
    if (!known.count(key)) fail(where + ": unknown key " + key);
  }
}

class Writer {
 public:
  explicit Writer(std::ostream& out) : out_(out) {}

  /// Writes an array and returns its name, or `{}` when there is nothing in it.
  std::string array(const std::string& type, const std::vector<std::string>& items) {
    if (items.empty()) return "{}";
    const std::string name = "array_" + std::to_string(++count_);
    table(type, name, items);
    return name;
  }

  void table(const std::string& type, const std::string& name,
             const std::vector<std::string>& items) {
    out_ << "constexpr " << type << ' ' << name << "[] = {\n";
    for (const auto& item : items) out_ << "    " << item << ",\n";
    out_ << "};\n";
  }

  std::string strings(const YAML::Node& list) {
    std::vector<std::string> items;
    if (list && list.IsScalar()) items.push_back(quoted(list.as<std::string>()));
    if (list && list.IsSequence()) {
      for (const auto& item : list) items.push_back(quoted(item.as<std::string>()));
    }
    return array("std::string_view", items);
  }

  std::string labels(const YAML::Node& map) {
    std::vector<std::string> items;
    for (const auto& pair : map) {
      items.push_back("{" + quoted(pair.first.as<std::string>()) + ", " +
                      quoted(pair.second.as<std::string>()) + "}");
    }
    return array("LabelValue", items);
  }

  std::string tolerations(const YAML::Node& list) {
    std::vector<std::string> items;
    for (const auto& entry : list) {
      check_keys(entry, {"key", "operator", "value", "effect"}, "toleration");
      items.push_back("{" + quoted(text_of(entry, "key")) + ", " +
                      quoted(text_of(entry, "operator")) + ", " + quoted(text_of(entry, "value")) +
                      ", " + quoted(text_of(entry, "effect")) + "}");
    }
    return array("TableToleration", items);
  }

  /// `{2g.10gb: 3}`, or a list of names.
  std::string partitions(const YAML::Node& sizes) {
    std::vector<std::string> items;
    if (sizes.IsMap()) {
      for (const auto& pair : sizes) {
        items.push_back("{" + quoted(pair.first.as<std::string>()) + ", " +
                        pair.second.as<std::string>() + "}");
      }
    } else {
      for (const auto& name : sizes) items.push_back("{" + quoted(name.as<std::string>()) + ", 0}");
    }
    return array("Partition", items);
  }

 private:
  std::ostream& out_;
  int count_ = 0;
};

void write_resources(const YAML::Node& list, Writer& writer) {
  std::vector<std::string> items;
  for (const auto& entry : list) {
    check_keys(entry, {"name", "vendor", "role", "instead"}, "resources.yaml");
    items.push_back("{" + quoted(text_of(entry, "name")) + ", " + quoted(text_of(entry, "vendor")) +
                    ", Role::" + text_of(entry, "role", "device") + ", " +
                    quoted(text_of(entry, "instead")) + "}");
  }
  writer.table("Resource", "resource_table", items);
}

/// Returns the canonical names, for checking what refers to them.
std::set<std::string> write_devices(const YAML::Node& file, Writer& writer) {
  struct Partitions {
    std::string kind, array, sure;
  };
  std::map<std::string, Partitions> mig, topologies;
  for (const auto& entry : file["mig"]) {
    mig[text_of(entry, "name")] = {"mig", writer.partitions(entry["profiles"]),
                                   flag_of(entry, "sure", true)};
  }
  for (const auto& entry : file["topologies"]) {
    topologies[text_of(entry, "device")] = {"topology", writer.partitions(entry["sizes"]),
                                            flag_of(entry, "sure", true)};
  }
  std::set<std::string> names;
  std::vector<std::string> items;
  for (const auto& entry : file["devices"]) {
    const auto name = text_of(entry, "name");
    check_keys(entry, {"name", "aliases", "vendor", "family", "memory", "mig", "topology", "host"},
               name);
    if (!names.insert(name).second) fail("devices.yaml: " + name + " twice");
    const auto vendor = text_of(entry, "vendor");
    if (!file["vendors"][vendor]) fail("devices.yaml: " + name + ": unknown vendor " + vendor);
    Partitions partitions{"unknown", "{}", "true"};
    if (const auto table = text_of(entry, "mig"); table == "none") {
      partitions.kind = "none";
    } else if (!table.empty()) {
      if (!mig.count(table)) fail("devices.yaml: " + name + ": no MIG table " + table);
      partitions = mig[table];
    }
    const auto topology = text_of(entry, "topology");
    if (!topology.empty() && topologies.count(name)) partitions = topologies[name];
    items.push_back(
        "{" + quoted(name) + ", " + writer.strings(entry["aliases"]) + ", " + quoted(vendor) +
        ", " + quoted(text_of(entry, "family")) + ", " +
        quoted(text_of(file["vendors"], vendor.c_str())) + ", " + text_of(entry, "memory", "0") +
        ", " + (text_of(entry, "host") == "arm64" ? "true" : "false") +
        ", PartitionKind::" + partitions.kind + ", " + partitions.array + ", " + partitions.sure +
        ", " + (topology.empty() ? "0" : topology.substr(0, 1)) + "}");
  }
  writer.table("Device", "device_table", items);
  return names;
}

std::string platform_entry(const YAML::Node& file, const std::set<std::string>& devices,
                           Writer& writer) {
  const auto name = text_of(file, "name");
  check_keys(file,
             {"name", "title", "selectorStyle", "deviceTolerations", "valuesAreAlternatives",
              "valuePrefix", "labelsByHand", "names", "partitionSuffix", "classes", "devices",
              "partitions", "counts", "resourceTolerations", "arm64Tolerations", "spotTolerations",
              "spotLabel"},
             name);
  const auto known = [&](const std::string& device) {
    if (!devices.count(device)) fail("platforms/" + name + ".yaml: no device " + device);
    return quoted(device);
  };
  std::vector<std::string> classes, values, partitions, counts, tolerations;
  for (const auto& entry : file["classes"]) {
    classes.push_back("{" + quoted(text_of(entry, "name")) + ", " +
                      quoted(text_of(entry, "resource")) + ", " + quoted(text_of(entry, "device")) +
                      ", " + quoted(text_of(entry, "partition")) + "}");
  }
  for (const auto& pair : file["devices"]) {
    const auto device = known(pair.first.as<std::string>());
    const bool more = pair.second.IsMap();
    values.push_back("{" + device + ", " +
                     writer.strings(more ? pair.second["value"] : pair.second) + ", " +
                     (more ? writer.labels(pair.second["with"]) : "{}") + "}");
  }
  for (const auto& pair : file["partitions"]) {
    partitions.push_back("{" + known(pair.first.as<std::string>()) + ", " +
                         writer.partitions(pair.second) + "}");
  }
  for (const auto& pair : file["counts"]) {
    std::vector<std::string> numbers;
    for (const auto& number : pair.second) numbers.push_back(number.as<std::string>());
    counts.push_back("{" + known(pair.first.as<std::string>()) + ", " +
                     writer.array("int", numbers) + "}");
  }
  for (const auto& pair : file["resourceTolerations"]) {
    tolerations.push_back("{" + quoted(pair.first.as<std::string>()) + ", " +
                          writer.tolerations(pair.second) + "}");
  }
  std::ostringstream out;
  out << '{' << quoted(name) << ", " << quoted(text_of(file, "title")) << ", "
      << (text_of(file, "selectorStyle") == "nodeSelector" ? "true" : "false") << ", "
      << flag_of(file, "deviceTolerations", true) << ", "
      << flag_of(file, "valuesAreAlternatives", false) << ", "
      << flag_of(file, "labelsByHand", false) << ", " << quoted(text_of(file, "valuePrefix"))
      << ", " << quoted(text_of(file, "partitionSuffix")) << ", "
      << writer.array("PlatformClass", classes) << ", " << writer.array("DeviceValue", values)
      << ", " << writer.array("PlatformPartitions", partitions) << ", "
      << writer.array("PlatformCounts", counts) << ", "
      << writer.array("ResourceTolerations", tolerations) << ", "
      << writer.tolerations(file["arm64Tolerations"]) << ", "
      << writer.tolerations(file["spotTolerations"]) << ", " << writer.labels(file["spotLabel"])
      << ", " << writer.labels(file["names"]) << '}';
  return out.str();
}

void write_platforms(const std::filesystem::path& directory, const std::set<std::string>& devices,
                     Writer& writer) {
  std::vector<std::filesystem::path> files;
  for (const auto& file : std::filesystem::directory_iterator(directory)) {
    if (file.path().extension() == ".yaml") files.push_back(file.path());
  }
  // flyte is the default, so it comes first; the others by name.
  std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) {
    const bool a_first = a.stem() == "flyte", b_first = b.stem() == "flyte";
    return a_first != b_first ? a_first : a < b;
  });
  std::vector<std::string> items;
  for (const auto& file : files) {
    const auto node = YAML::LoadFile(file);
    if (text_of(node, "name") != file.stem()) fail(file.string() + ": another name inside");
    items.push_back(platform_entry(node, devices, writer));
  }
  writer.table("Platform", "platform_table", items);
}

void write_labels(const YAML::Node& list, Writer& writer) {
  std::vector<std::string> items;
  for (const auto& entry : list) {
    check_keys(entry, {"key", "platform", "kind"}, "labels.yaml");
    items.push_back("{" + quoted(text_of(entry, "key")) + ", " +
                    quoted(text_of(entry, "platform")) + ", " + quoted(text_of(entry, "kind")) +
                    "}");
  }
  writer.table("NodeLabel", "label_table", items);
}

void write_instances(const YAML::Node& list, const std::set<std::string>& devices, Writer& writer) {
  std::vector<std::string> items;
  for (const auto& entry : list) {
    const auto type = text_of(entry, "type");
    check_keys(entry, {"type", "provider", "device", "count", "host", "part", "topology", "sure"},
               type);
    if (!devices.count(text_of(entry, "device")))
      fail("instances.yaml: " + type + ": no such device");
    items.push_back("{" + quoted(type) + ", " + quoted(text_of(entry, "provider")) + ", " +
                    quoted(text_of(entry, "device")) + ", " + text_of(entry, "count", "0") + ", " +
                    flag_of(entry, "part", false) + ", " +
                    (text_of(entry, "host") == "arm64" ? "true" : "false") + ", " +
                    quoted(text_of(entry, "topology")) + ", " + flag_of(entry, "sure", true) + "}");
  }
  writer.table("InstanceType", "instance_table", items);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: generate_accelerators SCHEMAS-DIRECTORY OUTPUT\n";
    return 2;
  }
  try {
    const std::filesystem::path schemas = argv[1];
    std::ofstream out(argv[2]);
    out << "// Made by schemas/generate_accelerators.cpp; change the tables in schemas/ instead.\n";
    Writer writer(out);
    write_resources(YAML::LoadFile(schemas / "resources.yaml"), writer);
    const auto devices = write_devices(YAML::LoadFile(schemas / "devices.yaml"), writer);
    write_platforms(schemas / "platforms", devices, writer);
    write_labels(YAML::LoadFile(schemas / "labels.yaml"), writer);
    write_instances(YAML::LoadFile(schemas / "instances.yaml"), devices, writer);
    out.close();
    if (!out) fail(std::string("cannot write ") + argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "generate_accelerators: " << error.what() << '\n';
    return 1;
  }
}
