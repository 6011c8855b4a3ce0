#include "core/rewrite/helm.h"

namespace gpuspec::rewrite {
namespace {

std::string_view trim_end(std::string_view line) {
  while (!line.empty() && std::string_view(" \t\r").find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  return line;
}

/// Whether the line says that what follows, further in, is text: `key: |`, `- >2-`.
bool opens_block_scalar(std::string_view line) {
  line = trim_end(line);
  while (!line.empty() &&
         std::string_view("+-0123456789").find(line.back()) != std::string_view::npos)
    line.remove_suffix(1);
  return line.ends_with(" |") || line.ends_with(" >");
}

/// Whether a line that starts at `begin` and is indented by `indent` is text of a block scalar.
bool in_block_scalar(std::string_view text, std::size_t begin, std::size_t indent) {
  while (begin > 0) {
    const std::size_t end = begin - 1;
    begin = end == 0 ? std::string_view::npos : text.rfind('\n', end - 1);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    const std::string_view line = trim_end(text.substr(begin, end - begin));
    const std::size_t first = line.find_first_not_of(' ');
    if (first == std::string_view::npos || first >= indent) continue;
    if (opens_block_scalar(line)) return true;
    indent = first;
  }
  return false;
}

}  // namespace

std::size_t find_template_action(std::string_view text) {
  for (std::size_t at = text.find("{{"); at != std::string_view::npos;
       at = text.find("{{", at + 2)) {
    std::size_t begin = text.rfind('\n', at);
    begin = begin == std::string_view::npos ? 0 : begin + 1;
    std::string_view before = text.substr(begin, at - begin);
    while (before.ends_with(' ') || before.ends_with('\t')) before.remove_suffix(1);
    const std::size_t first = before.find_first_not_of(" \t");
    if (first != std::string_view::npos && before[first] == '#') continue;
    const std::size_t indent = first == std::string_view::npos ? at - begin : first;
    if (in_block_scalar(text, begin, indent)) continue;
    // At the start of the line, or as a value or item.
    const bool apart = at > begin && (text[at - 1] == ' ' || text[at - 1] == '\t');
    if (before.empty() || (apart && (before.back() == ':' || before.back() == '-')) ||
        before.back() == ',' || before.back() == '[')
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
