#include "core/lint/lint.h"

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

#include "core/lint/compose.h"
#include "core/lint/document.h"
#include "core/yaml/edit.h"
#include "core/yaml/reader.h"

namespace gpuspec::lint {
namespace {

struct Pass {
  Result result;
  std::vector<text::Edit> edits;
  std::vector<std::size_t> fixed;
};

Pass run(const text::Source& source, const Settings& settings, bool mend) {
  Pass pass;
  const IgnoreComments ignores(source, pass.result.notes);
  yaml::Tree tree;
  Seen seen;
  const std::string_view bytes = source.bytes();
  for (const yaml::Segment& segment : yaml::split_documents(bytes)) {
    DocumentOutcome outcome =
        lint_document(source, bytes.substr(segment.begin, segment.end - segment.begin),
                      segment.begin, settings, ignores, mend, tree, seen, pass.result);
    std::move(outcome.edits.begin(), outcome.edits.end(), std::back_inserter(pass.edits));
    pass.fixed.insert(pass.fixed.end(), outcome.fixed.begin(), outcome.fixed.end());
  }
  return pass;
}

/// In the order of the text; at one place by code.
void sort(std::vector<Finding>& findings) {
  std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
    return a.begin != b.begin ? a.begin < b.begin : a.rule->code < b.rule->code;
  });
}

}  // namespace

Result lint(const text::Source& source, const Settings& settings) {
  Result result = run(source, settings, false).result;
  sort(result.findings);
  return result;
}

Fixed fix(const text::Source& source, const Settings& settings) {
  constexpr int most_passes = 10;
  Fixed fixed;
  std::string text(source.bytes());
  for (int i = 0; i < most_passes; ++i) {
    const text::Source now = text::Source::from_string(source.name(), text);
    Pass pass = run(now, settings, true);
    if (pass.edits.empty()) {
      fixed.left = std::move(pass.result);
      break;
    }
    for (std::size_t position : pass.fixed)
      fixed.fixed.push_back(std::move(pass.result.findings[position]));
    text = yaml::apply(text, 0, pass.edits);
    fixed.edits = compose(source.bytes(), fixed.edits, pass.edits);
    if (i + 1 == most_passes)
      fixed.left = lint(text::Source::from_string(source.name(), text), settings);
  }
  sort(fixed.left.findings);
  if (!fixed.edits.empty()) fixed.text = std::move(text);
  return fixed;
}

std::string Finding::fingerprint() const {
  std::string plain;
  for (const std::string& part : {std::string(rule->code), object, container}) plain += part + '\n';
  // Without positions in lists: they move when something is put before.
  bool in_brackets = false;
  for (std::size_t i = 0; i < field.size(); ++i) {
    if (field[i] == '[' && i + 1 < field.size() && field[i + 1] >= '0' && field[i + 1] <= '9')
      in_brackets = true;
    if (!in_brackets) plain += field[i];
    if (field[i] == ']') in_brackets = false;
  }
  std::uint64_t hash = 14695981039346656037U;  // FNV-1a
  for (const char c : plain) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211U;
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

}  // namespace gpuspec::lint
