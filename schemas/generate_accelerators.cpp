// Writes the tables of core/accelerator as constexpr arrays: schemas/resources.yaml in, C++ out.
// Runs at build time.
//
//   generate_accelerators SCHEMAS-DIRECTORY OUTPUT

#include <fstream>
#include <iostream>
#include <string>

#include <yaml-cpp/yaml.h>

namespace {

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

void write_resources(const std::string& directory, std::ostream& out) {
  out << "constexpr Resource resource_table[] = {\n";
  for (const YAML::Node& entry : YAML::LoadFile(directory + "/resources.yaml")) {
    out << "    {" << quoted(text_of(entry, "name")) << ", " << quoted(text_of(entry, "vendor"))
        << ", Role::" << text_of(entry, "role", "device") << ", "
        << quoted(text_of(entry, "instead")) << "},\n";
  }
  out << "};\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: generate_accelerators SCHEMAS-DIRECTORY OUTPUT\n";
    return 2;
  }
  try {
    std::ofstream out(argv[2]);
    out << "// Made by schemas/generate_accelerators.cpp; change the tables in schemas/ instead.\n";
    write_resources(argv[1], out);
    out.close();
    if (!out) throw std::runtime_error(std::string("cannot write ") + argv[2]);
  } catch (const std::exception& error) {
    std::cerr << "generate_accelerators: " << error.what() << '\n';
    return 1;
  }
}
