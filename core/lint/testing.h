#pragma once
// For the tests of lint.

#include <string>
#include <string_view>
#include <vector>

#include "core/lint/lint.h"
#include "core/testing.h"

namespace gpuspec::lint {

inline text::Source source_of(std::string_view text) {
  return text::Source::from_string("test.yaml", std::string(text));
}

inline Settings all_settings() {
  Settings settings;
  settings.rules = select_rules({}, {});
  settings.fixes = true;
  return settings;
}

/// `GPU101@12 GPU401@7`: codes and lines.
inline std::string brief(const std::vector<Finding>& findings) {
  std::string text;
  for (const Finding& finding : findings)
    text += (text.empty() ? "" : " ") + std::string(finding.rule->code) + "@" +
            std::to_string(finding.from.line);
  return text;
}

inline std::string brief(std::string_view text) {
  return brief(lint(source_of(text), all_settings()).findings);
}

/// A pod that nothing is wrong with, with further lines for its spec.
inline std::string pod(const std::string& spec, const std::string& metadata = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n" + metadata +
         "spec:\n"
         "  containers:\n"
         "  - name: c\n"
         "    image: nvidia/cuda:12.6.3\n"
         "    resources:\n"
         "      limits:\n"
         "        memory: 8Gi\n"
         "        nvidia.com/gpu: 1\n" +
         spec;
}

inline const std::string toleration =
    "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n";

}  // namespace gpuspec::lint
