#include "core/lint/template.h"

#include <algorithm>
#include <array>

namespace gpuspec::lint {
namespace {

std::string_view line_before(std::string_view text, std::size_t at) {
  const std::size_t newline = text.rfind('\n', at);
  const std::size_t begin = newline == std::string_view::npos ? 0 : newline + 1;
  std::string_view line = text.substr(begin, at - begin);
  while (line.ends_with(' ') || line.ends_with('\t')) line.remove_suffix(1);
  return line;
}

/// Names that only Helm gives to templates.
bool is_helm_action(std::string_view action) {
  constexpr std::array<std::string_view, 7> names = {
      ".Values", ".Release", ".Chart", ".Capabilities", ".Files", "include \"", "template \""};
  return std::any_of(names.begin(), names.end(), [&](std::string_view name) {
    return action.find(name) != std::string_view::npos;
  });
}

}  // namespace

bool is_template(std::string_view document, const yaml::Tree* tree) {
  if (!tree && document.find("{%") != std::string_view::npos) return true;
  std::size_t at = document.find("{{");
  if (at == std::string_view::npos) return false;
  for (; at != std::string_view::npos; at = document.find("{{", at + 2)) {
    const std::string_view before = line_before(document, at);
    const std::size_t first = before.find_first_not_of(" \t");
    if (first != std::string_view::npos && before[first] == '#') continue;
    if (!tree) return true;
    const std::size_t end = document.find("}}", at);
    if (end != std::string_view::npos && is_helm_action(document.substr(at, end - at))) return true;
  }
  // A whole value without quotes: YAML takes it for a mapping in a mapping.
  return tree && std::any_of(tree->nodes.begin(), tree->nodes.end(), [&](const yaml::Node& node) {
           return node.kind == yaml::Kind::mapping && node.style == yaml::Style::flow &&
                  tree->text.substr(node.begin, 2) == "{{";
         });
}

bool looks_like_object(std::string_view document) {
  while (!document.empty()) {
    const std::size_t end = std::min(document.find('\n'), document.size());
    std::string_view line = document.substr(0, end);
    while (line.starts_with(' ') || line.starts_with('{') || line.starts_with('"'))
      line.remove_prefix(1);
    if (line.starts_with("apiVersion:") || line.starts_with("kind:") ||
        line.starts_with("apiVersion\":") || line.starts_with("kind\":"))
      return true;
    document.remove_prefix(std::min(end + 1, document.size()));
  }
  return false;
}

}  // namespace gpuspec::lint
