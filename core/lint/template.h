#pragma once

#include <string_view>

#include "core/yaml/tree.h"

namespace gpuspec::lint {

/// Whether a document is a Helm (or Jinja) template, which becomes YAML only when it is rendered.
/// `tree`: it could be read as YAML all the same; then only what cannot be meant otherwise counts,
/// as Argo, Tekton and KServe write {{…}} into values of their own. Null: it could not.
bool is_template(std::string_view document, const yaml::Tree* tree);

/// Whether a text that could not be read was meant to be a Kubernetes object: a line begins with
/// `apiVersion:` or `kind:`.
bool looks_like_object(std::string_view document);

}  // namespace gpuspec::lint
