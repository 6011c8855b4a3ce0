#include <algorithm>
#include <set>

#include "core/accelerator/devices.h"
#include "core/accelerator/platforms.h"
#include "core/lint/rules/rules.h"

namespace gpuspec::lint::rules {
namespace {

constexpr std::string_view device_label = "cloud.google.com/gke-tpu-accelerator";
constexpr std::string_view topology_label = "cloud.google.com/gke-tpu-topology";

const RequirementView* find(const std::vector<const RequirementView*>& requirements,
                            std::string_view key) {
  for (const RequirementView* requirement : requirements)
    if (requirement->key == key && requirement->op == "In" && requirement->values.size() == 1)
      return requirement;
  return nullptr;
}

/// The numbers of chips that machines with this TPU have.
std::set<long long> chips_per_machine(const accelerator::Device& device) {
  std::set<long long> counts;
  for (const accelerator::InstanceType& type : accelerator::instance_types())
    if (type.device == device.name) counts.insert(type.count);
  return counts;
}

std::string list(const std::set<long long>& numbers) {
  std::string text;
  for (long long number : numbers) text += (text.empty() ? "" : ", ") + std::to_string(number);
  return text;
}

/// The node of `parallelism` of the Job around the pod template; no_node when it is none.
yaml::NodeId parallelism(const PodView& pod) {
  constexpr std::string_view end = ".template.spec";
  if (!pod.pod.path.ends_with(end)) return yaml::no_node;
  const std::string job = pod.pod.path.substr(0, pod.pod.path.size() - end.size());
  const bool is_job = pod.object.object.group == "batch" || pod.object.object.kind == "JobSet";
  return is_job ? yaml::get(pod.tree, pod.node_at(job), "parallelism") : yaml::no_node;
}

void check(const PodView& pod, Report& report) {
  const auto ask = std::find_if(pod.asks.begin(), pod.asks.end(),
                                [](const AskView& a) { return a.resource == "google.com/tpu"; });
  if (ask == pod.asks.end() || ask->count == 0) return;
  for (const auto& alternative : pod.alternatives()) {
    const RequirementView* topology = find(alternative, topology_label);
    const RequirementView* label = find(alternative, device_label);
    if (!topology) continue;
    const std::string& shape = topology->values[0];
    const accelerator::Device* device =
        label ? accelerator::find_device(label->values[0]) : nullptr;
    const long long chips = accelerator::topology_chips(shape);
    const Problem at_topology{.node = topology->value_nodes[0], .field = topology->path};
    const auto say = [&](Problem problem, std::string message) {
      problem.message = std::move(message);
      report.add(std::move(problem));
    };
    if (chips == 0) {
      say(at_topology, "\"" + shape + "\" is no topology: 2x4 for two dimensions, 2x2x1 for three");
      return;
    }
    const int dimensions = 1 + static_cast<int>(std::count(shape.begin(), shape.end(), 'x'));
    if (device && device->dimensions != 0 && device->dimensions != dimensions) {
      say(at_topology, std::string(device->name) + " has topologies of " +
                           std::to_string(device->dimensions) + " dimensions, not " + shape);
      return;
    }
    const std::set<long long> counts = device ? chips_per_machine(*device) : std::set<long long>();
    const Problem at_ask{.node = ask->node, .field = ask->field, .container = ask->container};
    if (!counts.empty() && !counts.contains(ask->count)) {
      say(at_ask, "a machine with " + std::string(device->name) + " has " + list(counts) +
                      " chips, and a pod must ask for all of them, not for " +
                      std::to_string(ask->count));
      return;
    }
    if (ask->count > chips || chips % ask->count != 0) {
      say(at_ask, "asks for " + std::to_string(ask->count) + " chips of a slice " + shape +
                      ", which has " + std::to_string(chips));
      return;
    }
    const long long hosts = chips / ask->count;
    const yaml::NodeId node = parallelism(pod);
    if (hosts < 2 || node == yaml::no_node) return;
    const auto pods = kube::Quantity::parse(yaml::scalar_text(pod.tree, node));
    if (!pods || pods->value() % hosts == 0) return;
    say({.node = node, .field = "parallelism"},
        "a slice " + shape + " has " + std::to_string(hosts) + " machines with " +
            std::to_string(ask->count) + " chips, and the Job runs " + pods->str() +
            " pods: the slice starts only when every machine has one");
    return;
  }
}

}  // namespace

constinit const Rule tpu_topology{
    .code = "GPU504",
    .name = "tpu-topology",
    .severity = Severity::warning,
    .summary = "TPU topology, chips and number of pods do not fit together",
    .why =
        R"(A TPU slice has a shape (2x4: eight chips) and is made of machines with a fixed number of
chips each. A pod must ask for all chips of its machine, there must be one pod for every machine of
the slice, and the shape must be one that the TPU has: two numbers for v5e and v6e, three for v4, v5p
and 7x. When one of these does not fit, GKE makes no such node pool or some workers of the slice are
missing, and the others wait for them until they time out.)",
    .remedy = "chips of the topology = google.com/tpu of a pod × number of pods.",
    .source = "GKE, TPUs in GKE, topologies and machine types; xpk system characteristics",
    .example = {.bad = R"(apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  completions: 2
  parallelism: 2
  completionMode: Indexed
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
        cloud.google.com/gke-tpu-topology: 4x4
      containers:
      - name: train
        image: us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:jax0.5.2-rev1
        resources:
          requests:
            memory: 64Gi
          limits:
            google.com/tpu: 4
)",
                .good = R"(apiVersion: batch/v1
kind: Job
metadata:
  name: train
spec:
  completions: 4
  parallelism: 4
  completionMode: Indexed
  template:
    spec:
      restartPolicy: Never
      nodeSelector:
        cloud.google.com/gke-tpu-accelerator: tpu-v5-lite-podslice
        cloud.google.com/gke-tpu-topology: 4x4
      containers:
      - name: train
        image: us-docker.pkg.dev/cloud-tpu-images/jax-ai-image/tpu:jax0.5.2-rev1
        resources:
          requests:
            memory: 64Gi
          limits:
            google.com/tpu: 4
)"},
    .pod = check,
};

}  // namespace gpuspec::lint::rules
