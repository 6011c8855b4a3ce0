#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "core/text/error.h"
#include "core/yaml/tree.h"

namespace gpuspec::rewrite {

/// Offset in the text of the first template action (`{{ … }}`) that stands where YAML has structure
/// or a whole value; npos when there is none. Actions in quotes, comments and the middle of values
/// (`image: repo:{{workflow.parameters.tag}}`) are text like any other.
std::size_t find_template_action(std::string_view text);

/// The same in a document that could be read: `name: {{ .Release.Name }}` is a mapping in a mapping
/// for YAML.
std::optional<std::size_t> find_template_action(const yaml::Tree& tree);

/// What is said about a Helm template. `offset`: in the source.
text::Error template_error(std::size_t offset);

}  // namespace gpuspec::rewrite
