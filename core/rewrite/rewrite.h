#pragma once

#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "core/kube/workload.h"
#include "core/profile/load.h"
#include "core/profile/profile.h"
#include "core/text/error.h"
#include "core/text/source.h"
#include "core/yaml/edit.h"

namespace gpuspec::rewrite {

/// What to do with an input.
struct Settings {
  std::vector<profile::Profile> profiles;  ///< applied in order; none: one empty profile
  /// Where a manifest's annotations gpuspec.dev/profile, /accelerator and /partition choose from;
  /// unset: the label values are taken as given, and asking for a profile is an error.
  const profile::Loaded* loaded = nullptr;
  std::vector<kube::UserKind> kinds;         ///< beside the built-in ones
  int jobs = 1;                              ///< threads for one input
  std::atomic<std::size_t>* done = nullptr;  ///< bytes that were rewritten are added there
};

/// One edit as people want to read about it.
struct Record {
  std::size_t offset = 0;         ///< in the source: where the edit is made
  std::string object;             ///< kind/namespace/name or kind/name
  std::size_t object_offset = 0;  ///< in the source: where the object begins
  std::string field;              ///< path from the object: spec.template.spec.tolerations
  std::string op;                 ///< add, append, replace, remove, rename
  std::string value;              ///< compact JSON of what was put there
  std::string rule;               ///< resource-toleration, device-affinity, …
  std::string reason;
};

/// Something the user should know that is not an error.
struct Message {
  enum class Level { warning, note };  ///< notes are shown at -v
  Level level = Level::warning;
  std::size_t offset = 0;
  std::string text;
};

/// The outcome for one input.
struct Outcome {
  std::vector<yaml::Edit> edits;  ///< ordered, disjoint; empty: nothing to do
  std::vector<Record> records;
  std::vector<Message> messages;
  std::size_t documents = 0;  ///< documents with content
  std::size_t objects = 0;
  std::size_t pods = 0;  ///< pods that the rules applied to
};

/// The proof of an edit failed: the program's own fault (exit 5).
class ProofFailed : public text::Error {
 public:
  using Error::Error;
};

/// Reads the source, applies the profiles, proves every changed document. Throws text::Error for
/// bad input, profile::Error for profiles that cannot be applied to any input, ProofFailed.
Outcome rewrite(const text::Source& source, const Settings& settings);

}  // namespace gpuspec::rewrite
