#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/kube/workload.h"
#include "core/rewrite/rewrite.h"
#include "core/rewrite/select.h"
#include "core/yaml/change.h"
#include "core/yaml/tree.h"

namespace gpuspec::rewrite {

/// Settings made ready, once for all units and threads.
struct Prepared {
  /// Throws profile::Error for profiles that can be applied to nothing.
  explicit Prepared(const Settings& settings);

  const Settings& settings;
  std::vector<profile::Profile> profiles;
  std::vector<Selection> selections;  ///< of the profiles, in their order
};

/// Rewrites documents, or parts of large ones, one after the other; keeps the storage of its tree.
class UnitRewriter {
 public:
  explicit UnitRewriter(const Prepared& prepared) : prepared_(prepared) {}

  /// Reads the text (which starts at `base` in its source), applies the profiles, proves the
  /// result, and adds to the outcome. `context`: the text is some items of such a list; then its
  /// root must be a sequence. Throws text::Error, ProofFailed.
  void run(std::string_view text, std::size_t base, const kube::ListContext* context,
           Outcome& outcome);

 private:
  void read(std::string_view text, std::size_t base);

  const Prepared& prepared_;
  yaml::Tree tree_;
};

}  // namespace gpuspec::rewrite
