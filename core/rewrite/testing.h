#pragma once
// For tests: rewrites a text and checks what must hold for every rewriting.

#include <string>
#include <vector>

#include "core/rewrite/rewrite.h"
#include "core/testing.h"
#include "core/yaml/edit.h"

namespace gpuspec::rewrite {

struct Rewritten {
  std::string text;
  Outcome outcome;

  bool warns(const std::string& part) const { return says(Message::Level::warning, part); }
  bool notes(const std::string& part) const { return says(Message::Level::note, part); }
  bool silent() const {
    for (const Message& message : outcome.messages) {
      if (message.level == Message::Level::warning) return false;
    }
    return true;
  }
  /// The record of a rule; an empty one when there is none.
  Record record(const std::string& rule) const {
    for (const Record& candidate : outcome.records) {
      if (candidate.rule == rule) return candidate;
    }
    return {};
  }

 private:
  bool says(Message::Level level, const std::string& part) const {
    for (const Message& message : outcome.messages) {
      if (message.level == level && message.text.find(part) != std::string::npos) return true;
    }
    return false;
  }
};

inline Outcome outcome_of(const std::string& text, const Settings& settings) {
  return rewrite(text::Source::from_string("test.yaml", text), settings);
}

/// Rewrites, and rewrites the result: that must change nothing (R5).
inline Rewritten run(const std::string& text, const Settings& settings) {
  Rewritten result;
  result.outcome = outcome_of(text, settings);
  result.text = yaml::apply(text, 0, result.outcome.edits);
  const Outcome again = outcome_of(result.text, settings);
  CHECK(yaml::apply(result.text, 0, again.edits) == result.text);
  return result;
}

inline Rewritten run(const std::string& text, const profile::Profile& profile = {}) {
  Settings settings;
  settings.profiles = {profile};
  return run(text, settings);
}

/// A Pod with these lines of its spec (indented by two) before and after one container `main`,
/// whose own lines are indented by four.
inline std::string pod(const std::string& container, const std::string& spec = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\nspec:\n" + spec +
         "  containers:\n  - name: main\n" + container;
}

/// A Pod whose container asks for one GPU.
inline std::string gpu_pod(const std::string& spec = "") {
  return pod("    resources:\n      limits:\n        nvidia.com/gpu: 1\n", spec);
}

/// What a rewriting adds after the given text; fails when it changes anything else.
inline std::string added(const Rewritten& result, const std::string& before) {
  REQUIRE(result.text.substr(0, before.size()) == before);
  return result.text.substr(before.size());
}

}  // namespace gpuspec::rewrite
