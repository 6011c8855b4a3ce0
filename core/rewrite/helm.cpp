#include "core/rewrite/helm.h"

namespace gpuspec::rewrite {

std::size_t find_template_action(std::string_view text) {
  for (std::size_t at = text.find("{{"); at != std::string_view::npos;
       at = text.find("{{", at + 2)) {
    std::size_t begin = text.rfind('\n', at);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    std::string_view before = text.substr(begin, at - begin);
    while (before.ends_with(' ') || before.ends_with('\t')) before.remove_suffix(1);
    const std::size_t first = before.find_first_not_of(" \t");
    if (first != std::string_view::npos && before[first] == '#') continue;
    // At the start of the line, or as a value or item.
    if (before.empty() || before.back() == ':' || before.back() == '-' || before.back() == ',' ||
        before.back() == '[')
      return at;
  }
  return std::string_view::npos;
}

std::optional<std::size_t> find_template_action(const yaml::Tree& tree) {
  if (tree.text.find("{{") == std::string_view::npos) return std::nullopt;
  for (yaml::NodeId id = 0; id < tree.nodes.size(); ++id) {
    const yaml::Node& node = tree[id];
    if (node.kind == yaml::Kind::mapping && node.style == yaml::Style::flow &&
        tree.text.substr(node.begin, 2) == "{{")
      return node.begin;
  }
  return std::nullopt;
}

text::Error template_error(std::size_t offset) {
  return {offset, "this is a Helm template, which makes YAML but is none",
          "render it first: helm template RELEASE CHART | gpuspec"};
}

}  // namespace gpuspec::rewrite
