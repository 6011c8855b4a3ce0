#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/lint/rule.h"
#include "core/text/edit.h"
#include "core/text/source.h"
#include "core/yaml/change.h"

namespace gpuspec::lint {

/// What a rule reports: a place in the tree, words, and perhaps a way to mend it.
struct Problem {
  yaml::NodeId node = yaml::no_node;          ///< what to point at
  std::string field;                          ///< path from the object: spec.tolerations[0].key
  std::string message;                        ///< one sentence, no full stop at its end
  std::string container;                      ///< its name, when the problem is in one
  std::optional<Severity> severity;           ///< when it is not the rule's
  std::string fix;                            ///< what the fix does, in words; empty: no safe fix
  std::function<void(yaml::Changes&)> apply;  ///< the fix
};

/// A problem as the world outside sees it.
struct Finding {
  const Rule* rule = nullptr;
  Severity severity = Severity::warning;
  std::size_t begin = 0;  ///< byte offsets in the source
  std::size_t end = 0;
  text::Location from;  ///< the same for people
  text::Location to;
  std::string line;       ///< text of the line that `begin` is on
  std::string object;     ///< Pod/namespace/name, Pod/name
  std::string container;  ///< empty when it is in none
  std::string field;      ///< path from the object
  std::string message;
  std::string fix;                ///< what the fix does; empty: none
  std::vector<text::Edit> edits;  ///< the fix, where Settings::fixes asks for it

  /// Stays the same while the file around it changes: made of code, object, container and field,
  /// list positions left out.
  std::string fingerprint() const;
};

}  // namespace gpuspec::lint
