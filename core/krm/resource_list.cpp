#include "core/krm/resource_list.h"

#include <algorithm>

#include "core/text/error.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace gpuspec::krm {
namespace {

constexpr const char* expected =
    "a KRM function gets one ResourceList (config.kubernetes.io/v1) on standard input";

bool has_kind(const yaml::Tree& tree) {
  return yaml::get_text(tree, 0, "kind").value_or("") == "ResourceList" &&
         yaml::get_text(tree, 0, "apiVersion").value_or("").starts_with("config.kubernetes.io/");
}

}  // namespace

bool is_resource_list(std::string_view input) {
  constexpr std::size_t edge = 4096;
  constexpr std::string_view kind = "ResourceList";
  const bool named = input.substr(0, edge).find(kind) != std::string_view::npos ||
                     (input.size() > edge &&
                      input.substr(input.size() - std::min(edge, input.size())).find(kind) !=
                          std::string_view::npos);
  if (!named) return false;
  try {
    yaml::Tree tree;
    std::size_t documents = 0;
    bool found = false;
    for (const yaml::Segment& segment : yaml::split_documents(input)) {
      yaml::read_document(input.substr(segment.begin, segment.end - segment.begin), segment.begin,
                          tree);
      if (!tree.has_content) continue;
      found = has_kind(tree);
      if (++documents > 1 || !found) return false;
    }
    return found;
  } catch (const text::Error&) {
    return false;
  }
}

ResourceList read_resource_list(const text::Source& source) {
  ResourceList list;
  bool found = false;
  for (const yaml::Segment& segment : yaml::split_documents(source.bytes())) {
    const std::string_view text = source.bytes().substr(segment.begin, segment.end - segment.begin);
    yaml::Tree tree;
    yaml::read_document(text, segment.begin, tree);
    if (!tree.has_content) continue;
    if (found || !has_kind(tree)) {
      throw text::Error(tree.base + tree[0].begin, found ? "a second document" : "no ResourceList",
                        expected);
    }
    found = true;
    list.tree = std::move(tree);
  }
  if (!found) throw text::Error(0, "no ResourceList: the input is empty", expected);
  list.items = yaml::get(list.tree, 0, "items");
  list.results = yaml::get(list.tree, 0, "results");
  list.config = read_function_config(list.tree, yaml::get(list.tree, 0, "functionConfig"));
  return list;
}

}  // namespace gpuspec::krm
