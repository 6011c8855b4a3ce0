#pragma once

#include <string>
#include <vector>

#include "core/lint/view.h"

namespace gpuspec::lint {

/// Two requirements that no node can satisfy both. False: there is none.
struct Clash {
  const RequirementView* first = nullptr;
  const RequirementView* second = nullptr;
  explicit operator bool() const { return second != nullptr; }
};

/// Looks for a contradiction between requirements that must all hold, key by key. An invalid
/// requirement contradicts nothing here.
Clash find_clash(const std::vector<const RequirementView*>& requirements);

/// A requirement in words: `nodeSelector a=b`, `a in (b, c)`, `a does not exist`.
std::string describe(const RequirementView& requirement);

}  // namespace gpuspec::lint
