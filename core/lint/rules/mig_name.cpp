#include <algorithm>

#include "core/accelerator/devices.h"
#include "core/lint/node_labels.h"
#include "core/lint/rules/rules.h"
#include "core/text/concat.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::string_view prefix = "nvidia.com/mig-";

/// What a misspelled MIG resource was meant to be; empty when that cannot be told.
std::string meant(std::string_view name) {
  std::string profile(name.substr(std::string_view("nvidia.com/mig").size()));
  if (profile.starts_with('-')) profile.erase(0, 1);
  for (char& c : profile) {
    if (c == '+') c = '.';
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  std::string_view bare = profile;
  if (bare.ends_with(".shared")) bare.remove_suffix(7);
  return accelerator::is_mig_profile(bare) ? std::string(prefix) + profile : std::string();
}

void check(const PodView& pod, Report& report) {
  for (const ContainerView& container : pod.containers) {
    for (const auto& [list, entries] :
         {std::pair{"limits", &container.limits}, std::pair{"requests", &container.requests}}) {
      for (const ResourceEntry& entry : *entries) {
        const std::string& name = entry.key;
        if (!name.starts_with("nvidia.com/mig") || name == "nvidia.com/mig.shared") continue;
        const std::string_view profile = accelerator::mig_profile_of_resource(name);
        const bool good =
            !profile.empty() && accelerator::is_mig_profile(profile) && name.find('+') == name.npos;
        if (good) continue;
        const std::string instead = meant(name);
        Problem problem{
            .node = entry.key_node,
            .field = container.path() + ".resources." + list + "[" + name + "]",
            .message = name + " is not how a MIG partition is called as a resource" +
                       (instead.empty() ? ": nvidia.com/mig-1g.5gb, nvidia.com/mig-1g.5gb.me"
                                        : ": it is " + instead),
            .container = container.at->name,
        };
        if (!instead.empty() && instead != name) {
          problem.fix = "call it " + instead;
          problem.apply = [place = *container.at->resources / list, name,
                           instead](yaml::Changes& changes) {
            changes.rename(place, name, instead, {"mig-name", "the name of the MIG resource"});
          };
        }
        report.add(std::move(problem));
      }
    }
  }
  // Labels: + is not allowed there either, a dot stands for it.
  for (const RequirementView* requirement : pod.requirements()) {
    if (label_kind(requirement->key) != "partition") continue;
    for (std::size_t i = 0; i < requirement->values.size(); ++i) {
      const std::string& value = requirement->values[i];
      if (value.find('+') == value.npos || !accelerator::is_mig_profile(value)) continue;
      const std::string instead = accelerator::partition_label_value(value);
      report.add({
          .node = requirement->value_nodes[i],
          .field = requirement->path,
          .message =
              text::concat({value, " cannot be a label value: nodes are labelled ", instead}),
          .fix = "write " + instead,
          .apply =
              [r = *requirement, i, instead](yaml::Changes& changes) {
                const yaml::Why why{"mig-name", "as nodes are labelled"};
                if (r.selector)
                  changes.set(r.place, r.key, yaml::Value::string(instead), why);
                else
                  changes.set(r.place / "values", "[" + std::to_string(i) + "]",
                              yaml::Value::string(instead), why);
              },
      });
    }
  }
}

}  // namespace

constinit const Rule mig_name{
    .code = "GPU302",
    .name = "mig-name",
    .severity = Severity::error,
    .summary = "A MIG partition that is misspelled as a resource name or label value",
    .why =
        R"(NVIDIA's tools write a profile with media extensions 1g.5gb+me. A plus sign is allowed
neither in resource names nor in label values, so the device plugin and the labels write a dot:
nvidia.com/mig-1g.5gb.me. The API server refuses the plus; other slips (a missing dash as in
nvidia.com/mig1g.5gb, capital letters, gb left out) it accepts, and then no node has that resource.)",
    .remedy =
        "nvidia.com/mig- and the profile in lower case: [Nc.]Ng.MMgb, then .me, .me.all, .gfx or "
        "-me "
        "where it has them.",
    .source =
        "NVIDIA k8s-device-plugin, resource naming of MIG strategy mixed; AKS multi-instance GPU "
        "page (the name with the missing dash)",
    .fixable = true,
    .example = {.bad = R"(apiVersion: v1
kind: Pod
metadata:
  name: transcode
spec:
  containers:
  - name: transcode
    image: nvcr.io/nvidia/cuda:12.6.3-runtime-ubuntu24.04
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/mig-1g.5gb+me: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)",
                .good = R"(apiVersion: v1
kind: Pod
metadata:
  name: transcode
spec:
  containers:
  - name: transcode
    image: nvcr.io/nvidia/cuda:12.6.3-runtime-ubuntu24.04
    resources:
      requests:
        memory: 8Gi
      limits:
        nvidia.com/mig-1g.5gb.me: 1
  tolerations:
  - key: nvidia.com/gpu
    operator: Exists
    effect: NoSchedule
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
