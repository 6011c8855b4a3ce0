#pragma once

#include <cstdint>
#include <string_view>

namespace gpuspec::lint {

struct DocumentView;
struct ObjectView;
struct PodView;
class Report;

/// How bad a finding is.
///   error    the API server refuses it, or the pod can never be scheduled or never work
///   warning  very likely not what was meant
///   info     advice
enum class Severity : std::uint8_t { info, warning, error };

/// "info", "warning", "error".
std::string_view word(Severity severity);

/// A pair of manifests that shows a rule. Tests run them: `bad` gives exactly this rule's finding
/// and no other, `good` gives none, and where the rule is fixable its fix makes `good` of `bad`.
struct Example {
  std::string_view bad;
  std::string_view good;
  std::string_view nodes = {};     ///< what --nodes reads, for rules that need it
  std::string_view platform = {};  ///< what --platform says, for rules that need it
};

/// One thing that lint looks for. A rule is data with a check; every rule has a file of its own
/// under core/lint/rules and a line in core/lint/registry.cpp. `gpuspec explain`, the man page of
/// all rules and SARIF are made from these texts.
struct Rule {
  std::string_view code;  ///< GPU101: stable, never used again for something else
  std::string_view name;  ///< missing-toleration
  Severity severity = Severity::warning;
  std::string_view summary;  ///< one line, no full stop at its end
  std::string_view why;      ///< what it is and how it fails in practice; paragraphs
  std::string_view remedy;   ///< what to do about it
  std::string_view source;   ///< where that can be read
  bool fixable = false;      ///< `lint --fix` mends it where that is safe
  Example example;

  // What it looks at: one of these is set.
  void (*document)(const DocumentView&, Report&) = nullptr;
  void (*object)(const ObjectView&, Report&) = nullptr;
  void (*pod)(const PodView&, Report&) = nullptr;
};

}  // namespace gpuspec::lint
