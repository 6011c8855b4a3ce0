// The second witness, and the ways that bytes take through the command line, over real manifests.

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <string>
#include <vector>

#include "cli/verify.h"
#include "cli/witness.h"
#include "core/profile/load.h"
#include "core/rewrite/rewrite.h"
#include "core/testing.h"
#include "core/text/source.h"
#include "core/yaml/edit.h"

namespace fs = std::filesystem;
using namespace gpuspec;

namespace {

std::vector<std::string> corpus() {
  const char* const given = std::getenv("GPUSPEC_SHARED");
  const fs::path root =
      fs::path(given != nullptr ? given : GPUSPEC_SOURCE_DIR "/../shared") / "corpus";
  std::vector<std::string> files;
  if (!fs::exists(root)) return files;
  for (const auto& entry : fs::recursive_directory_iterator(root)) {
    const fs::path extension = entry.path().extension();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json") {
      files.push_back(entry.path().string());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// What the issue asks for: the default, a device with GPUs for all pods, and nodeSelector style.
std::vector<profile::LoadRequest> requests() {
  profile::LoadRequest plain;
  profile::LoadRequest device;
  device.flags.gpus = 1;
  device.flags.accelerator = "nvidia-tesla-v100";
  device.flags.select.all_pods = true;
  profile::LoadRequest selector = device;
  selector.flags.selector_style = profile::SelectorStyle::node_selector;
  return {plain, device, selector};
}

bool readable_by_witness(const text::Source& source) {
  try {
    cli::read_witness(source.bytes());
    return true;
  } catch (const std::runtime_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("corpus: yaml-cpp reads what was meant, and once is enough") {
  const std::vector<std::string> files = corpus();
  if (files.empty()) {
    std::cout << "skipped: corpus: no shared data\n";
    return;
  }
  std::size_t changed = 0;
  for (const profile::LoadRequest& request : requests()) {
    const profile::Loaded loaded = profile::load(request);
    rewrite::Settings settings;
    settings.profiles = loaded.profiles;
    settings.loaded = &loaded;
    for (const std::string& file : files) {
      INFO(file);
      const text::Source source = text::Source::open(file);
      rewrite::Outcome outcome;
      try {
        outcome = rewrite::rewrite(source, settings);
      } catch (const rewrite::ProofFailed& error) {
        FAIL(error.what());
      } catch (const text::Error&) {
        continue;  // core/rewrite/corpus_test.cpp looks at these
      }
      if (outcome.edits.empty() || !readable_by_witness(source)) continue;
      ++changed;
      CHECK(cli::verify(source, outcome) == "");
      const text::Source edited =
          text::Source::from_string(file, yaml::apply(source.bytes(), 0, outcome.edits));
      CHECK(rewrite::rewrite(edited, settings).edits.empty());
    }
  }
  CHECK(changed > 300);
}
