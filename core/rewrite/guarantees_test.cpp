// The guarantees of rewriting.md for the whole rewriting, over manifests of chance in every style:
// what comes out must mean the same however the input is spelled, alone, in a list or in a stream,
// with one thread or several, once or twice. GPUSPEC_SEED shows one manifest again, GPUSPEC_RUNS
// sets how many there are.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "core/rewrite/testing.h"
#include "core/yaml/render.h"
#include "core/yaml/testing/manifests.h"
#include "core/yaml/testing/meaning.h"
#include "core/yaml/testing/writer.h"

using namespace gpuspec;
using yaml::Value;
using yaml::testing::Document;
using yaml::testing::Manifests;
using yaml::testing::Random;
using yaml::testing::Writer;

namespace {

/// The three ways to call it that the issue names.
std::vector<rewrite::Settings> all_settings() {
  std::vector<rewrite::Settings> all;
  for (const int way : {0, 1, 2}) {
    profile::LoadRequest request;
    if (way > 0) {
      request.flags.gpus = 1;
      request.flags.accelerator = "nvidia-tesla-v100";
      request.flags.select.all_pods = true;
    }
    if (way == 2) request.flags.selector_style = profile::SelectorStyle::node_selector;
    rewrite::Settings settings;
    settings.profiles = profile::load(request).profiles;
    all.push_back(std::move(settings));
  }
  return all;
}

/// Quantities may be numbers or strings, as their neighbours are: here they are strings.
void normalise(Value& value) {
  for (auto& [key, entry] : value.entries) {
    if (key.text == "limits" || key.text == "requests")
      for (auto& [name, quantity] : entry.entries) quantity.kind = Value::Kind::string;
    normalise(entry);
  }
  for (Value& item : value.items) normalise(item);
}

bool same(Value a, Value b) {
  normalise(a);
  normalise(b);
  return yaml::testing::same(a, b);
}

std::string json(const Value& value) {
  yaml::Habits habits;
  habits.json = true;
  habits.keys = habits.strings = yaml::Style::double_quoted;
  return yaml::flow_value(value, "", habits);
}

std::string rewritten(const std::string& text, const rewrite::Settings& settings) {
  return yaml::apply(text, 0, rewrite::outcome_of(text, settings).edits);
}

bool has_marks(const std::string& text) {
  return text.find("%YAML") != std::string::npos || text.find("\xEF\xBB\xBF") != std::string::npos;
}

class Run {
 public:
  Run(std::uint64_t seed, const std::vector<rewrite::Settings>& all)
      : r_(seed), settings_(all[seed % all.size()]) {}

  std::string check() {
    const Value manifest = Manifests(r_).manifest();
    const Document document = Writer(r_).write(manifest);
    before_ = document.text;
    try {
      after_ = rewritten(before_, settings_);
      // R5
      if (rewritten(after_, settings_) != after_) return "rewriting again changes something";
      // R4: the spelling does not matter.
      const Value meant = yaml::testing::meaning(rewritten(json(manifest), settings_));
      if (!same(yaml::testing::meaning(after_), meant)) return "as JSON it gives another result";
      if (std::string problem = check_list(manifest, meant); !problem.empty()) return problem;
      if (std::string problem = check_stream(); !problem.empty()) return problem;
      return check_witness(manifest, meant);
    } catch (const text::Error& error) {
      return std::string("error: ") + error.what();
    }
  }

  const std::string& before() const { return before_; }
  const std::string& after() const { return after_; }

 private:
  /// R7: a list is its items.
  std::string check_list(const Value& manifest, const Value& meant) const {
    const Value* items = manifest.find("items");
    if (!items) return {};
    for (std::size_t i = 0; i < items->items.size(); ++i) {
      const std::string alone = rewritten(json(items->items[i]), settings_);
      if (!same(yaml::testing::meaning(alone), meant.find("items")->items[i]))
        return "item " + std::to_string(i) + " alone gives another result";
    }
    return {};
  }

  /// R7: a stream is its documents, by any number of threads.
  std::string check_stream() {
    if (!r_.chance(20) || has_marks(before_)) return {};
    const Document other = Writer(r_).write(Manifests(r_).manifest());
    if (has_marks(other.text)) return {};
    std::string stream, expected;
    for (std::string part : {before_, other.text, std::string("# nothing\n"), before_}) {
      if (part.back() != '\n') part += '\n';
      const std::string separator = part.substr(0, 3) == "---" ? "" : "---\n";
      stream += separator + part;
      expected += separator + rewritten(part, settings_);
    }
    if (rewritten(stream, settings_) != expected) return "in a stream it is rewritten otherwise";
    rewrite::Settings threads = settings_;
    threads.jobs = 3;
    if (rewritten(stream, threads) != expected) return "several threads give another result";
    return {};
  }

  /// yaml-cpp reads the same, where it reads the input right.
  std::string check_witness(const Value& manifest, const Value& meant) const {
    try {
      if (!same(yaml::testing::witness(before_), manifest)) return {};
    } catch (const YAML::Exception&) {
      return {};
    }
    try {
      if (!same(yaml::testing::witness(after_), meant)) return "yaml-cpp reads another result";
    } catch (const YAML::Exception& error) {
      return std::string("yaml-cpp: ") + error.what();
    }
    return {};
  }

  Random r_;
  const rewrite::Settings& settings_;
  std::string before_, after_;
};

}  // namespace

TEST_CASE("manifests of chance keep what rewriting promises") {
  const char* const only = std::getenv("GPUSPEC_SEED");
  const char* const many = std::getenv("GPUSPEC_RUNS");
  const std::uint64_t first = only ? std::strtoull(only, nullptr, 10) : 1;
  const std::uint64_t count = only ? 1 : many ? std::strtoull(many, nullptr, 10) : 10'500;
  const std::vector<rewrite::Settings> all = all_settings();
  std::uint64_t changed = 0;
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 4; ++seed) {
    Run run(seed, all);
    const std::string problem = run.check();
    changed += run.before() != run.after();
    if (problem.empty()) continue;
    ++failures;
    UNSCOPED_INFO("GPUSPEC_SEED=" << seed << ": " << problem << "\n--- before\n"
                                  << run.before() << "\n--- after\n"
                                  << run.after() << "\n---");
  }
  CHECK(failures == 0);
  CHECK((only || changed > count / 2));
}
