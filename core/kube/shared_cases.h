#pragma once
// For tests: the machine-readable cases that lie beside the project.

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

#include <nlohmann/json.hpp>

namespace gpuspec::kube {

inline std::string shared_folder() {
  const char* folder = std::getenv("GPUSPEC_SHARED");
  return folder != nullptr ? folder : GPUSPEC_SOURCE_DIR "/../shared";
}

/// The cases of a file in shared/cases; an empty list, and a word about it, when it is absent.
inline nlohmann::json shared_cases(const std::string& file) {
  std::ifstream in(shared_folder() + "/cases/" + file);
  if (!in) {
    std::cout << "skipped: " << file << ": no shared data\n";
    return nlohmann::json::array();
  }
  nlohmann::json content = nlohmann::json::parse(in);
  return content.is_array() ? content : content.at("cases");
}

}  // namespace gpuspec::kube
