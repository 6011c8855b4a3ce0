#include "core/lint/suppress.h"

#include <algorithm>

#include "core/kube/entries.h"
#include "core/lint/registry.h"

namespace gpuspec::lint {
namespace {

constexpr std::string_view marker = "gpuspec: ignore";
constexpr std::string_view prefix = "ignore-check.gpuspec.dev/";

bool is_separator(char c) {
  return c == ' ' || c == ',' || c == '\t';
}

/// Whether the word is a code, the beginning of codes, or a name of rules.
bool names_rules(const std::string& word) {
  try {
    select_rules({word}, {});
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

/// A word that was meant as a code, though no rule has it.
bool looks_like_code(std::string_view word) {
  return word.size() > 3 && (word.starts_with("GPU") || word.starts_with("gpu")) &&
         word[3] >= '0' && word[3] <= '9';
}

bool means(const std::string& item, const Rule& rule) {
  const std::vector<const Rule*> rules = select_rules({item}, {});
  return std::find(rules.begin(), rules.end(), &rule) != rules.end();
}

bool says_so(const yaml::Tree& tree, yaml::NodeId annotations, const Rule& rule) {
  if (!kube::is_mapping(tree, annotations)) return false;
  bool ignored = false;
  kube::each_entry(tree, annotations, [&](std::string_view key, yaml::NodeId, yaml::NodeId value) {
    if (key == "gpuspec.dev/ignore") ignored |= yaml::equals(tree, value, "true");
    if (!key.starts_with(prefix)) return;
    const std::string item(key.substr(prefix.size()));
    ignored |= names_rules(item) && means(item, rule);
  });
  return ignored;
}

}  // namespace

IgnoreComments::IgnoreComments(const text::Source& source, std::vector<Note>& notes) {
  const std::string_view bytes = source.bytes();
  for (std::size_t at = bytes.find(marker); at != std::string_view::npos;
       at = bytes.find(marker, at + marker.size())) {
    const std::size_t line = source.location(at).line;
    const std::string_view text = source.line(line);
    const std::size_t begin = bytes.rfind('\n', at) + 1;  // npos + 1 is 0
    const std::string_view before = bytes.substr(begin, at - begin);
    const std::size_t hash = before.find_last_not_of(" \t");
    if (hash == std::string_view::npos || before[hash] != '#') continue;
    Ignore ignore;
    ignore.line = line;
    std::string_view rest = text.substr(at + marker.size() - begin);
    if (rest.starts_with("-file")) {
      ignore.line = 0;
      rest.remove_prefix(5);
    } else if (before.substr(0, hash).find_first_not_of(" \t") == std::string_view::npos) {
      // Alone on its line: the next line that says something.
      for (++ignore.line;; ++ignore.line) {
        const std::string_view next = source.line(ignore.line);
        const std::size_t first = next.find_first_not_of(" \t");
        if (first == std::string_view::npos || next[first] != '#') break;
      }
    }
    while (!rest.empty()) {
      while (!rest.empty() && is_separator(rest[0])) rest.remove_prefix(1);
      const std::size_t end = std::find_if(rest.begin(), rest.end(), is_separator) - rest.begin();
      std::string word(rest.substr(0, end));
      rest.remove_prefix(end);
      while (word.ends_with(':') || word.ends_with('\r')) word.pop_back();
      if (word.empty()) continue;
      if (!names_rules(word)) {
        if (looks_like_code(word)) notes.push_back({at, "no rule is called " + word, false});
        if (!looks_like_code(word)) break;  // a reason
        continue;
      }
      ignore.items.push_back(std::move(word));
    }
    if (ignore.items.empty()) ignore.items.push_back("ALL");
    ignores_.push_back(std::move(ignore));
  }
}

bool IgnoreComments::ignores(const Rule& rule, std::size_t line) const {
  return std::any_of(ignores_.begin(), ignores_.end(), [&](const Ignore& ignore) {
    return (ignore.line == 0 || ignore.line == line) &&
           std::any_of(ignore.items.begin(), ignore.items.end(),
                       [&](const std::string& item) { return means(item, rule); });
  });
}

bool ignored_by_annotation(const yaml::Tree& tree, const kube::Object* object, const kube::Pod* pod,
                           const Rule& rule) {
  if (object && says_so(tree, object->annotations, rule)) return true;
  if (!pod || pod->template_metadata == yaml::no_node) return false;
  return says_so(tree, yaml::get(tree, pod->template_metadata, "annotations"), rule);
}

}  // namespace gpuspec::lint
