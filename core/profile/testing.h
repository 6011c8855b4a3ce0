#pragma once
// For tests: profiles from text, and files of testdata.

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "core/profile/load.h"
#include "core/testing.h"

namespace gpuspec::profile {

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream out;
  out << in.rdbuf();
  return out.str();
}

inline std::vector<std::filesystem::path> files_in(const std::string& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry :
       std::filesystem::directory_iterator(GPUSPEC_SOURCE_DIR "/testdata/profiles/" + folder)) {
    files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// A native profile with these lines as its spec (indented by two).
inline std::string native(const std::string& spec, const std::string& name = "p") {
  return "apiVersion: gpuspec.dev/v1alpha1\nkind: GpuProfile\nmetadata: {name: " + name +
         "}\nspec:\n" + spec;
}

/// The request for profiles in memory.
inline LoadRequest request_for(const std::string& text, const std::string& name = "") {
  LoadRequest request;
  request.profiles = {{"test.yaml", text, name}};
  return request;
}

inline Profile load_one(const LoadRequest& request) {
  const Loaded loaded = load(request);
  REQUIRE(loaded.profiles.size() == 1);
  return loaded.profiles.front();
}

/// What went wrong, as people read it; empty when nothing did.
inline std::string error_of(const LoadRequest& request) {
  try {
    load(request);
    return {};
  } catch (const Error& error) {
    return error.message();
  }
}

inline bool warns(const Warnings& warnings, const std::string& part) {
  return std::any_of(warnings.begin(), warnings.end(), [&](const Warning& warning) {
    return warning.message().find(part) != std::string::npos;
  });
}

}  // namespace gpuspec::profile
