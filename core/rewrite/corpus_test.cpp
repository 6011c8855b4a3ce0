// The guarantees over real manifests: every edit is proved (or the rewriting throws), and doing it
// twice changes nothing.
#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/kube/shared_cases.h"
#include "core/rewrite/testing.h"

using namespace gpuspec;
using namespace gpuspec::rewrite;

namespace {

namespace fs = std::filesystem;

std::vector<fs::path> manifests() {
  std::vector<fs::path> files;
  const fs::path folder = kube::shared_folder() + "/corpus";
  if (!fs::exists(folder)) {
    std::cout << "skipped: corpus: no shared data\n";
    return files;
  }
  for (const auto& entry : fs::recursive_directory_iterator(folder)) {
    const std::string extension = entry.path().extension();
    if (extension == ".yaml" || extension == ".yml" || extension == ".json")
      files.push_back(entry.path());
  }
  return files;
}

std::string content(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

struct Tally {
  int files = 0;
  int changed = 0;
  int refused = 0;
};

Tally rewrite_all(const Settings& settings) {
  Tally tally;
  for (const fs::path& file : manifests()) {
    CAPTURE(file.string());
    const std::string text = content(file);
    ++tally.files;
    try {
      tally.changed += run(text, settings).text != text;
    } catch (const ProofFailed& error) {
      FAIL(error.what());
    } catch (const text::Error&) {
      ++tally.refused;  // templates, broken YAML
    }
  }
  return tally;
}

void check(const Tally& tally, int changed) {
  if (tally.files == 0) return;
  CHECK(tally.refused < tally.files / 40);
  CHECK(tally.changed > changed);
}

}  // namespace

TEST_CASE("corpus: default rules") {
  check(rewrite_all({}), 60);
}

TEST_CASE("corpus: everything at once, on all pods, as affinity and as nodeSelector") {
  profile::Profile profile;
  profile.select.all_pods = true;
  profile.gpus = 1;
  profile.accelerator = "nvidia-tesla-v100";
  profile.partition = "2g.10gb";
  profile.env = {{"NVIDIA_DRIVER_CAPABILITIES", "compute,utility"}};
  profile.shared_memory = "8Gi";
  profile.requests = {{"memory", "14G"}};
  profile.limits = {{"memory", std::nullopt}};
  profile.runtime_class = "nvidia";
  profile.template_labels = {{"team", "ml"}};
  Settings settings;
  settings.profiles = {profile};
  check(rewrite_all(settings), 200);
  settings.profiles[0].selector_style = profile::SelectorStyle::node_selector;
  settings.profiles[0].conflict = profile::Conflict::replace;
  check(rewrite_all(settings), 200);
}
