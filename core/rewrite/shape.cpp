#include "core/rewrite/shape.h"

#include <string_view>

#include "core/accelerator/resources.h"
#include "core/kube/names.h"
#include "core/text/concat.h"
#include "core/text/error.h"
#include "core/yaml/lookup.h"

namespace gpuspec::rewrite {
namespace {

std::string_view word(yaml::Kind kind) {
  switch (kind) {
    case yaml::Kind::mapping:
      return "a mapping";
    case yaml::Kind::sequence:
      return "a list";
    default:
      return "a single value";
  }
}

bool is_mapping(const yaml::Tree& tree, yaml::NodeId node) {
  return tree[tree.resolve(node)].kind == yaml::Kind::mapping;
}

}  // namespace

void expect_kind(const yaml::Tree& tree, yaml::NodeId node, yaml::Kind kind,
                 const std::string& path) {
  if (node == yaml::no_node) return;
  const yaml::Node& found = tree[tree.resolve(node)];
  if (found.kind == kind) return;
  const yaml::Type type = yaml::type_of(tree, node);
  if (type == yaml::Type::null) return;
  std::string hint;
  if (kind == yaml::Kind::sequence && found.kind == yaml::Kind::mapping)
    hint = "a list item begins with `- `";
  throw text::Error(tree.base + tree[node].begin,
                    path + ": expected " + std::string(word(kind)) + ", found " +
                        std::string(yaml::describe(type)),
                    hint);
}

void refuse_misplaced(const yaml::Tree& tree, const kube::Container& container) {
  if (container.node == yaml::no_node || !container.resources ||
      container.resources.keys() != "resources" || container.resources.base() != container.node)
    return;
  for (yaml::NodeId key = yaml::first_child(tree, container.node); key != yaml::no_node;
       key = yaml::next_sibling(tree, container.node, yaml::value_of(tree, key))) {
    const std::string_view name = tree.raw(key);
    const yaml::NodeId value = yaml::value_of(tree, key);
    if (name == "resources" && is_mapping(tree, value)) {
      const yaml::NodeId resources = tree.resolve(value);
      for (yaml::NodeId below = yaml::first_child(tree, resources); below != yaml::no_node;
           below = yaml::next_sibling(tree, resources, yaml::value_of(tree, below))) {
        const std::string resource(tree.raw(below));
        if (resource == "limits" || resource == "requests")
          expect_kind(tree, yaml::value_of(tree, below), yaml::Kind::mapping,
                      container.path + ".resources." + resource);
        if (!accelerator::is_accelerator_resource(resource)) continue;
        throw text::Error(
            tree.base + tree[below].begin,
            text::concat({container.path, ".resources.", resource,
                          ": found a resource directly under resources, expected it in ",
                          container.path, ".resources.limits"}),
            "write `limits:` under `resources:` and move " + resource + " into it");
      }
    } else if ((name == "limits" || name == "requests") && is_mapping(tree, value)) {
      const std::string list(name);
      throw text::Error(
          tree.base + tree[key].begin,
          text::concat({container.path, ".", list, ": found ", list, " beside resources, expected ",
                        container.path, ".resources.", list}),
          "move `" + list + ":` under `resources:`, two columns further in");
    }
  }
}

}  // namespace gpuspec::rewrite
