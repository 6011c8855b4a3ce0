#pragma once

#include <utility>
#include <vector>

#include "core/kube/pod.h"
#include "core/lint/finding.h"

namespace gpuspec::lint {

/// Where rules put what they find. The driver says whose turn it is and what is looked at.
class Report {
 public:
  struct Item {
    const Rule* rule;
    const kube::Object* object;  ///< null: the document
    const kube::Pod* pod;        ///< null: the object as a whole
    Problem problem;
  };

  void look_at(const Rule& rule, const kube::Object* object, const kube::Pod* pod) {
    rule_ = &rule;
    object_ = object;
    pod_ = pod;
  }
  void add(Problem problem) { items_.push_back({rule_, object_, pod_, std::move(problem)}); }

  const std::vector<Item>& items() const { return items_; }

 private:
  const Rule* rule_ = nullptr;
  const kube::Object* object_ = nullptr;
  const kube::Pod* pod_ = nullptr;
  std::vector<Item> items_;
};

}  // namespace gpuspec::lint
