#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/schedule.h"
#include "core/kube/toleration.h"
#include "core/kube/workload.h"
#include "core/lint/finding.h"
#include "core/text/source.h"

namespace gpuspec::lint {

/// What to look for, and what is known about the cluster.
struct Settings {
  std::vector<const Rule*> rules;                   ///< see select_rules()
  std::map<std::string_view, Severity> severities;  ///< by code, instead of the rule's own
  std::string platform;  ///< a name of `gpuspec profile list`; empty: judged from the manifest
  bool resource_tolerations_added = false;         ///< the cluster runs ExtendedResourceToleration
  std::vector<kube::Taint> taints;                 ///< taints of the cluster's accelerator nodes
  const std::vector<kube::Node>* nodes = nullptr;  ///< --nodes
  std::vector<kube::UserKind> kinds;
  bool fixes = false;  ///< fill in Finding::edits
};

/// The rules that a selection leaves, ordered by code. An item is a code (GPU101), the beginning of
/// codes (GPU1), a name (missing-toleration) or ALL. An empty `select` means ALL. Throws
/// std::invalid_argument for an item that no rule answers to, with a suggestion.
std::vector<const Rule*> select_rules(const std::vector<std::string>& select,
                                      const std::vector<std::string>& ignore);

/// Something that was not looked at, or an ignore that says nothing useful.
struct Note {
  std::size_t offset = 0;
  std::string text;
  bool skipped = false;  ///< a document was skipped
};

/// What lint has to say about one source.
struct Result {
  std::vector<Finding> findings;  ///< in the order of the text
  std::vector<Note> notes;
  std::size_t objects = 0;
  std::size_t pods = 0;
  std::size_t suppressed = 0;  ///< findings that annotations or comments ignore
  bool unreadable = false;     ///< a document could not be read (GPU901 says where)
};

Result lint(const text::Source& source, const Settings& settings);

/// What fixing a source came to.
struct Fixed {
  std::vector<text::Edit> edits;  ///< against the source; empty: nothing to mend
  std::string text;               ///< the mended text; empty when there are no edits
  std::vector<Finding> fixed;     ///< what was mended, places in the source or a later pass of it
  Result left;                    ///< what lint says about the mended text
};

/// Mends what can be mended: applies the fixes, reads the outcome again (R8), and goes on until no
/// fix is left. Throws std::logic_error when the proof of an edit fails: a fault of the program.
Fixed fix(const text::Source& source, const Settings& settings);

}  // namespace gpuspec::lint
