#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/kube/pod.h"
#include "core/lint/lint.h"
#include "core/lint/rule.h"
#include "core/text/source.h"
#include "core/yaml/tree.h"

// What a manifest says about rules that are not to speak.
namespace gpuspec::lint {

/// Comments: `# gpuspec: ignore GPU101` holds for the line it is on, or, alone on a line, for the
/// next line that is no comment; `# gpuspec: ignore-file GPU101` for the whole file. Several codes,
/// names or beginnings of codes, with commas or blanks between; anything else after them is a
/// reason. Without codes it holds for all rules.
class IgnoreComments {
 public:
  /// Notes what names no rule.
  IgnoreComments(const text::Source& source, std::vector<Note>& notes);

  bool ignores(const Rule& rule, std::size_t line) const;

 private:
  struct Ignore {
    std::size_t line = 0;  ///< 0: the whole file
    std::vector<std::string> items;
  };
  std::vector<Ignore> ignores_;
};

/// Annotations `ignore-check.gpuspec.dev/GPU012: reason` and `gpuspec.dev/ignore: "true"`, on the
/// object or on the pod template. Null for an object or pod that there is none of.
bool ignored_by_annotation(const yaml::Tree& tree, const kube::Object* object, const kube::Pod* pod,
                           const Rule& rule);

}  // namespace gpuspec::lint
