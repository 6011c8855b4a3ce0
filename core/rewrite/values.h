#pragma once

#include <string>

#include "core/kube/selector.h"
#include "core/kube/toleration.h"
#include "core/rewrite/model.h"
#include "core/yaml/value.h"

// Kubernetes API types as YAML.
namespace gpuspec::rewrite {

yaml::Value value_of(const kube::Toleration& toleration);
yaml::Value value_of(const kube::NodeSelectorRequirement& requirement);
yaml::Value value_of(const kube::NodeSelectorTerm& term);
yaml::Value value_of(const kube::PreferredTerm& term);
yaml::Value value_of(const Term& term);

/// Compact JSON, for reports.
std::string to_json(const yaml::Value& value);

}  // namespace gpuspec::rewrite
