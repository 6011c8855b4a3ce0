#include "core/lint/mend.h"

#include <optional>
#include <utility>
#include <vector>

namespace gpuspec::lint {

void mend_by_toleration(const PodView& pod, const kube::Toleration& toleration,
                        const std::string& rule, Problem& problem) {
  const std::optional<yaml::Place> place = pod.toleration_place();
  if (!place) return;
  problem.fix = "tolerate " + toleration.key +
                (toleration.value.empty() ? "" : "=" + toleration.value) + ":" + toleration.effect;
  problem.apply = [place = *place, toleration, rule](yaml::Changes& changes) {
    std::vector<std::pair<std::string, yaml::Value>> fields = {
        {"key", yaml::Value::string(toleration.key)},
        {"operator", yaml::Value::string(toleration.op)}};
    if (!toleration.value.empty())
      fields.emplace_back("value", yaml::Value::string(toleration.value));
    if (!toleration.effect.empty())
      fields.emplace_back("effect", yaml::Value::string(toleration.effect));
    changes.append(place, yaml::Value::mapping(std::move(fields)),
                   {rule, "tolerate the taint of the nodes"});
  };
}

}  // namespace gpuspec::lint
