#include "core/lint/node_labels.h"

#include <array>

#include "core/accelerator/platforms.h"

namespace gpuspec::lint {
namespace {

struct Prefix {
  std::string_view prefix;
  std::string_view cloud;
};

// k8s.amazonaws.com/accelerator is not here: nothing sets it but people, on any cloud.
constexpr std::array<Prefix, 9> clouds = {{{"cloud.google.com/", "gcp"},
                                           {"karpenter.k8s.gcp/", "gcp"},
                                           {"karpenter.k8s.aws/", "aws"},
                                           {"eks.amazonaws.com/", "aws"},
                                           {"kubernetes.azure.com/", "azure"},
                                           {"karpenter.azure.com/", "azure"},
                                           {"oci.oraclecloud.com/", "oci"},
                                           {"doks.digitalocean.com/", "digitalocean"},
                                           {"cloud.digitalocean.com/", "digitalocean"}}};

}  // namespace

std::string_view label_kind(std::string_view key) {
  if (key == "nvidia.com/gpu.accelerator") return "model";  // Flyte's guide
  if (key == "nvidia.com/gpu.partition-size") return "partition";
  const accelerator::NodeLabel* label = accelerator::find_node_label(key);
  return label ? label->kind : std::string_view();
}

std::string_view label_cloud(std::string_view key) {
  for (const Prefix& entry : clouds)
    if (key.starts_with(entry.prefix)) return entry.cloud;
  return {};
}

std::string_view platform_cloud(std::string_view platform) {
  if (platform == "gke" || platform == "tpu") return "gcp";
  if (platform == "eks" || platform == "eks-auto" || platform == "karpenter") return "aws";
  if (platform == "aks") return "azure";
  if (platform == "oke") return "oci";
  if (platform == "doks") return "digitalocean";
  return {};
}

bool chooses_accelerator(std::string_view key) {
  const std::string_view kind = label_kind(key);
  return kind == "model" || kind == "partition" || kind == "presence" || kind == "count" ||
         kind == "memory" || kind == "sharing" || kind == "topology" || kind == "manufacturer";
}

}  // namespace gpuspec::lint
