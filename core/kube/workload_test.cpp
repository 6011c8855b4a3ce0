#include "core/kube/workload.h"

#include <fstream>
#include <string>

#include "core/testing.h"
#include "core/text/error.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

using namespace gpuspec;

namespace {

/// A document with its objects.
struct Read {
  std::string text;
  yaml::Tree tree;
  kube::Objects found;

  explicit Read(std::string source, const std::vector<kube::UserKind>* extra = nullptr)
      : text(std::move(source)) {
    yaml::read_document(text, 0, tree);
    found = kube::find_objects(tree, nullptr, extra);
  }
};

std::string paths_of(const kube::Objects& found) {
  std::string out;
  for (const kube::Object& object : found.objects) {
    out += object.kind + "/" + object.name + "@" + object.path;
    for (const kube::Pod& pod : object.pods) {
      out += " " + pod.path + (pod.never_accelerated ? "!" : "") + "(";
      for (const kube::Container& container : pod.containers) out += container.name + ",";
      out += ")";
    }
    out += "\n";
  }
  return out;
}

std::string error_of(const std::string& source) {
  try {
    Read read(source);
  } catch (const text::Error& error) {
    return std::to_string(error.offset()) + ": " + error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a Deployment has one pod, init containers first") {
  const Read read(R"(
apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: ns, labels: {app: x}}
spec:
  template:
    metadata: {labels: {a: b}}
    spec:
      containers:
      - name: main
      initContainers:
      - name: setup
      - {name: proxy, restartPolicy: Always}
)");
  REQUIRE(read.found.objects.size() == 1);
  const kube::Object& object = read.found.objects[0];
  CHECK(object.group == "apps");
  CHECK(object.version == "v1");
  CHECK(object.name_space == "ns");
  CHECK(kube::read_labels(read.tree, object.labels) == kube::Labels{{"app", "x"}});
  REQUIRE(object.pods.size() == 1);
  const kube::Pod& pod = object.pods[0];
  CHECK(pod.path == "spec.template.spec");
  REQUIRE(pod.containers.size() == 3);
  CHECK(pod.containers[0].name == "setup");
  CHECK(pod.containers[0].init);
  CHECK_FALSE(pod.containers[0].sidecar);
  CHECK(pod.containers[1].sidecar);
  CHECK(pod.containers[2].path == "spec.template.spec.containers[0]");
  CHECK_FALSE(pod.containers[2].init);
  const yaml::Place place = *pod.tolerations;
  CHECK(place.node == pod.spec);
  CHECK(place.keys == std::vector<std::string>{"tolerations"});
  CHECK((*pod.node_selector_terms).keys.size() == 4);
  CHECK(pod.template_metadata != yaml::no_node);
  CHECK(pod.runtime_class_key == "runtimeClassName");
}

TEST_CASE("Lists and typed lists are followed") {
  CHECK(paths_of(Read(R"({"apiVersion": "v1", "kind": "List", "items": [
    {"apiVersion": "v1", "kind": "ConfigMap", "metadata": {"name": "c"}},
    {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "p"}, "spec": {"containers": [{"name": "m"}]}}]})")
                     .found) == "ConfigMap/c@items[0]\nPod/p@items[1] spec(m,)\n");
  CHECK(paths_of(Read("apiVersion: apps/v1\nkind: DeploymentList\nitems:\n- metadata: {name: d}\n"
                      "  spec: {template: {spec: {containers: [{name: m}]}}}\n")
                     .found) == "Deployment/d@items[0] spec.template.spec(m,)\n");
}

TEST_CASE("items read without their list take its kind") {
  const std::string text = "- metadata: {name: p}\n  spec: {containers: [{name: m}]}\n";
  yaml::Tree tree;
  yaml::read_document(text, 0, tree);
  const kube::ListContext list{"v1", "PodList"};
  CHECK(paths_of(kube::find_objects(tree, &list)) == "Pod/p@items[0] spec(m,)\n");
}

TEST_CASE("kinds of the same name in other groups are other kinds") {
  CHECK(paths_of(Read("apiVersion: v1\nkind: Service\nspec: {template: {spec: {containers: [{}]}}}")
                     .found) == "Service/@\n");
  CHECK(paths_of(Read("apiVersion: serving.knative.dev/v1\nkind: Service\n"
                      "spec: {template: {spec: {containers: [{}]}}}")
                     .found) == "Service/@ spec.template.spec(,)\n");
  CHECK(paths_of(Read("apiVersion: batch.volcano.sh/v1alpha1\nkind: Job\n"
                      "spec: {tasks: [{name: w, template: {spec: {containers: [{name: m}]}}}]}")
                     .found) == "Job/@ spec.tasks[0].template.spec(m,)\n");
}

TEST_CASE("versions of a kind may keep their pods in different places") {
  CHECK(paths_of(Read("apiVersion: kubeflow.org/v1alpha1\nkind: MPIJob\n"
                      "spec: {gpus: 4, template: {spec: {containers: [{name: m}]}}}")
                     .found) == "MPIJob/@ spec.template.spec(m,)\n");
  // A version that is not listed is taken for the first one.
  CHECK(paths_of(Read("apiVersion: ray.io/v2\nkind: RayCluster\n"
                      "spec: {workerGroupSpecs: [{template: {spec: {containers: [{name: m}]}}}]}")
                     .found) == "RayCluster/@ spec.workerGroupSpecs[0].template.spec(m,)\n");
}

TEST_CASE("groups that work without accelerators are marked") {
  const std::string worker = "{template: {spec: {containers: [{name: w}]}}}";
  CHECK(paths_of(Read("apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nspec: {mpiReplicaSpecs: "
                      "{Launcher: " +
                      worker + ", Worker: " + worker + "}}")
                     .found) ==
        "MPIJob/@ spec.mpiReplicaSpecs.Launcher.template.spec!(w,) "
        "spec.mpiReplicaSpecs.Worker.template.spec(w,)\n");
  CHECK(paths_of(Read("apiVersion: kubeflow.org/v2beta1\nkind: MPIJob\nspec: {runLauncherAsWorker: "
                      "true, mpiReplicaSpecs: {Launcher: " +
                      worker + ", Worker: " + worker + "}}")
                     .found) ==
        "MPIJob/@ spec.mpiReplicaSpecs.Launcher.template.spec(w,) "
        "spec.mpiReplicaSpecs.Worker.template.spec(w,)\n");
  // A head without workers does the work itself; a submitter never does.
  CHECK(
      paths_of(Read("apiVersion: ray.io/v1\nkind: RayJob\nspec: {rayClusterSpec: {headGroupSpec: " +
                    worker + "}, submitterPodTemplate: {spec: {containers: [{name: s}]}}}")
                   .found) ==
      "RayJob/@ spec.rayClusterSpec.headGroupSpec.template.spec(w,) "
      "spec.submitterPodTemplate.spec!(s,)\n");
  CHECK(paths_of(Read("apiVersion: jobset.x-k8s.io/v1alpha2\nkind: JobSet\nspec: {replicatedJobs: "
                      "[{name: launcher, template: {spec: " +
                      worker + "}}, {name: workers, template: {spec: " + worker + "}}]}")
                     .found) ==
        "JobSet/@ spec.replicatedJobs[0].template.spec.template.spec!(w,) "
        "spec.replicatedJobs[1].template.spec.template.spec(w,)\n");
}

TEST_CASE("wrappers hold whole objects") {
  CHECK(paths_of(Read("apiVersion: work.open-cluster-management.io/v1\nkind: ManifestWork\n"
                      "metadata: {name: mw}\nspec: {workload: {manifests: [{apiVersion: v1, kind: "
                      "Pod, metadata: {name: p}, spec: {containers: [{name: m}]}}]}}")
                     .found) == "ManifestWork/mw@\nPod/p@spec.workload.manifests[0] spec(m,)\n");
  CHECK(paths_of(Read("apiVersion: kubeflow.org/v1beta1\nkind: Experiment\nmetadata: {name: e}\n"
                      "spec: {trialTemplate: {trialSpec: {apiVersion: batch/v1, kind: Job, spec: "
                      "{template: {spec: {containers: [{name: m}]}}}}}}")
                     .found) ==
        "Experiment/e@\nJob/e@spec.trialTemplate.trialSpec spec.template.spec(m,)\n");
}

TEST_CASE("kinds with accelerator fields of their own") {
  const Read spark(
      "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nspec:\n"
      "  driver: {cores: 1}\n  executor: {gpu: {name: nvidia.com/gpu, quantity: 2}}\n");
  REQUIRE(spark.found.objects[0].pods.size() == 2);
  CHECK(spark.found.objects[0].pods[0].asks.empty());
  CHECK(spark.found.objects[0].pods[0].never_accelerated);
  const kube::Pod& executor = spark.found.objects[0].pods[1];
  REQUIRE(executor.asks.size() == 1);
  CHECK(executor.asks[0].resource == "nvidia.com/gpu");
  CHECK_FALSE(executor.containers[0].resources);
  CHECK((*executor.gpu_count).keys == std::vector<std::string>{"gpu", "quantity"});

  const Read dynamo(
      "apiVersion: nvidia.com/v1alpha1\nkind: DynamoGraphDeployment\nspec:\n  services:\n"
      "    Frontend: {componentType: frontend}\n"
      "    Worker: {componentType: worker, resources: {limits: {gpu: \"1\", custom: "
      "{rdma/ib: \"1\"}}}}\n");
  const std::vector<kube::Pod>& services = dynamo.found.objects[0].pods;
  REQUIRE(services.size() == 2);
  CHECK(services[0].never_accelerated);
  REQUIRE(services[1].asks.size() == 2);
  CHECK(services[1].asks[0].resource == "nvidia.com/gpu");
  CHECK(services[1].asks[1].resource == "rdma/ib");
  CHECK(services[1].gpu_quoted);

  const Read nim("apiVersion: apps.nvidia.com/v1alpha1\nkind: NIMService\nspec: {replicas: 1}\n");
  CHECK(nim.found.objects[0].pods[0].asks.size() == 1);

  const Read vm(
      "apiVersion: kubevirt.io/v1\nkind: VirtualMachine\nspec: {template: {spec: {domain: "
      "{devices: "
      "{gpus: [{deviceName: nvidia.com/GA102GL_A10, name: g}]}}}}}\n");
  REQUIRE(vm.found.objects[0].pods[0].asks.size() == 1);
  CHECK(vm.found.objects[0].pods[0].asks[0].resource == "nvidia.com/GA102GL_A10");
  CHECK(vm.found.objects[0].pods[0].asks[0].certain);

  const Read slurm(
      "apiVersion: slurm.nebius.ai/v1alpha1\nkind: NodeSet\nspec: {gpu: {enabled: false}}\n");
  CHECK(slurm.found.objects[0].pods[0].asks.empty());
}

TEST_CASE("Argo templates hide what the workflow says") {
  const Read read(R"(
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {generateName: w-}
spec:
  tolerations: [{key: a, operator: Exists}]
  templates:
  - name: flow
    steps: []
  - name: own
    tolerations: []
    container: {image: x}
  - name: train
    script: {image: x, source: "true"}
    resource: {manifest: "kind: Pod"}
)");
  const kube::Object& object = read.found.objects[0];
  CHECK(object.name == "w-");
  REQUIRE(object.pods.size() == 2);  // steps make no pod
  CHECK(object.pods[0].inherited_tolerations == yaml::no_node);
  REQUIRE(object.pods[1].inherited_tolerations != yaml::no_node);
  CHECK(read.tree.raw(object.pods[1].inherited_tolerations) == "[{key: a, operator: Exists}]");
  CHECK(object.pods[1].containers[0].path == "spec.templates[2].script");
  REQUIRE(read.found.notes.size() == 1);
  CHECK(read.found.notes[0].text ==
        "Workflow/w-: spec.templates[2].resource.manifest holds a manifest or patch as text, "
        "which is not edited");
}

TEST_CASE("templateDefaults hide the workflow's fields and are merged with a template's") {
  const Read read(
      "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nspec:\n  nodeSelector: {a: b}\n"
      "  templateDefaults: {nodeSelector: {c: d}}\n  templates: [{name: t, container: {}}]\n");
  REQUIRE(read.found.objects[0].pods.size() == 1);
  CHECK(read.found.objects[0].pods[0].inherited_node_selector == yaml::no_node);
}

TEST_CASE("a TrainJob's pod fields are in the override for its trainer") {
  const std::string head =
      "apiVersion: trainer.kubeflow.org/v1alpha1\nkind: TrainJob\nspec:\n"
      "  trainer: {resourcesPerNode: {limits: {nvidia.com/gpu: 1}}}\n";
  const Read plain(head);
  CHECK_FALSE(plain.found.objects[0].pods[0].tolerations);
  const Read read(head +
                  "  podTemplateOverrides:\n  - targetJobs: [{name: model-initializer}]\n"
                  "  - targetJobs: [{name: node}]\n    spec: {nodeSelector: {a: b}}\n");
  const kube::Pod& pod = read.found.objects[0].pods[0];
  REQUIRE(pod.tolerations);
  CHECK(pod.tolerations.get(read.tree) == yaml::no_node);
  CHECK(read.tree.raw(pod.node_selector.get(read.tree)) == "{a: b}");
  CHECK((*pod.containers[0].resources).keys == std::vector<std::string>{"resourcesPerNode"});
}

TEST_CASE("a Ray group is known to its pod") {
  const Read read(
      "apiVersion: ray.io/v1\nkind: RayCluster\nspec:\n  workerGroupSpecs:\n"
      "  - rayStartParams: {num-gpus: \"1\"}\n    template: {spec: {containers: [{name: w}]}}\n");
  const kube::Pod& pod = read.found.objects[0].pods[0];
  REQUIRE(pod.ray_group);
  CHECK(yaml::get(read.tree, pod.ray_group.get(read.tree), {"rayStartParams", "num-gpus"}) !=
        yaml::no_node);
}

TEST_CASE("a pod behind an alias or a merge key is edited where it is used") {
  const Read read(R"(
apiVersion: v1
kind: List
items:
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: a}
  spec: {template: &t {spec: {containers: [{name: m}]}}}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: b}
  spec: {template: *t}
- apiVersion: apps/v1
  kind: Deployment
  metadata: {name: c}
  spec: {template: {<<: *t, metadata: {labels: {}}}}
)");
  REQUIRE(read.found.objects.size() == 3);
  const auto place = [&](int index) { return *read.found.objects[index].pods[0].tolerations; };
  CHECK(place(0).keys == std::vector<std::string>{"tolerations"});
  CHECK(place(1).keys == std::vector<std::string>{"template", "spec", "tolerations"});
  CHECK(place(2).keys == std::vector<std::string>{"spec", "tolerations"});
  const kube::Container& container = read.found.objects[1].pods[0].containers[0];
  CHECK((*container.env).keys ==
        std::vector<std::string>{"template", "spec", "containers", "[0]", "env"});
  CHECK(container.name == "m");
}

TEST_CASE("wrong shapes are refused by name") {
  CHECK(error_of("apiVersion: v1\nkind: Pod\nspec: {containers: {name: m}}\n") ==
        "44: spec.containers: expected a list, found a mapping");
  CHECK(error_of("apiVersion: apps/v1\nkind: Deployment\nspec: {template: x}\n") ==
        "54: spec.template: expected a mapping, found a string");
  CHECK(error_of("apiVersion: v1\nkind: Pod\nspec: {containers: [m]}\n") ==
        "45: spec.containers[0]: expected a mapping, found a string");
  CHECK(error_of("apiVersion: v1\nkind: Pod\nmetadata:\n  name: x\n  spec: {containers: []}\n") ==
        "47: metadata.spec: metadata has no field spec");
  CHECK(error_of("apiVersion: v1\nkind: Pod\nspec: {}\napiVersion: v1\nkind: Pod\nspec: {}\n") ==
        "34: apiVersion is there twice in one object: is a `---` missing?");
}

TEST_CASE("what is absent or null is no pod") {
  CHECK(
      paths_of(Read("apiVersion: v1\nkind: ReplicationController\nspec: {replicas: 1}\n").found) ==
      "ReplicationController/@\n");
  CHECK(paths_of(Read("apiVersion: apps/v1\nkind: Deployment\nspec: {template: ~}\n").found) ==
        "Deployment/@\n");
  CHECK(paths_of(Read("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n").found) ==
        "Pod/@ spec()\n");
  CHECK(Read("just: data\n").found.objects.empty());
  CHECK(Read("- a\n- b\n").found.objects.empty());
}

TEST_CASE("unknown kinds with something like a pod spec are named") {
  const Read read(
      "apiVersion: example.org/v1\nkind: Farm\nmetadata: {name: f}\nspec:\n  groups:\n"
      "  - template: {spec: {containers: [{name: m}]}}\n");
  CHECK(read.found.objects[0].pods.empty());
  REQUIRE(read.found.notes.size() == 1);
  CHECK(read.found.notes[0].text ==
        "Farm/f: this kind is not known; what looks like a pod spec at "
        "spec.groups[0].template.spec is left alone");
  const std::vector<kube::UserKind> extra = {
      {"example.org", "Farm", {"spec.groups[*].template.spec"}}};
  CHECK(kube::check(extra[0]).empty());
  const Read known(read.text, &extra);
  CHECK(paths_of(known.found) == "Farm/f@ spec.groups[0].template.spec(m,)\n");
  CHECK(known.found.notes.empty());
  CHECK(Read("apiVersion: v1\nkind: Deployment\nspec: {template: {spec: {containers: [{}]}}}")
            .found.notes[0]
            .text ==
        "Deployment: this kind is not known (in group apps it is); what looks like a "
        "pod spec at spec.template.spec is left alone");
}

TEST_CASE("a user's kind is checked") {
  CHECK(kube::check({"g", "", {"spec"}}) == "a workload needs a kind");
  CHECK(kube::check({"g", "K", {}}) == "K: paths is empty");
  CHECK(kube::check({"g", "K", {"a..b"}}) == "K: a..b is no path");
  CHECK(kube::check({"g", "K", {"a[*"}}) == "K: a[* is no path");
  CHECK(kube::check({"g", "K", {"^.a"}}).find("is no path") != std::string::npos);
  CHECK(kube::check({"g", "K", {"spec"}, "podspec"}) == "K: unknown shape podspec");
}

TEST_CASE("live objects say what of them is frozen") {
  const auto frozen = [](const std::string& text) { return Read(text).found.objects[0].frozen; };
  CHECK(frozen("apiVersion: v1\nkind: Pod\nmetadata: {uid: a-b}\nspec: {}\n") == kube::Frozen::pod);
  CHECK(frozen("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {}\nstatus: {}\n") ==
        kube::Frozen::nothing);
  CHECK(frozen("apiVersion: batch/v1\nkind: Job\nmetadata: {uid: a}\nspec: {}\n") ==
        kube::Frozen::job_template);
  CHECK(frozen("apiVersion: batch/v1\nkind: Job\nmetadata: {uid: a}\nspec: {suspend: true}\n") ==
        kube::Frozen::nothing);
  CHECK(frozen("apiVersion: apps/v1\nkind: Deployment\nmetadata: {uid: a}\n") ==
        kube::Frozen::nothing);
}

TEST_CASE("duplicate keys on the way to a pod are refused on request") {
  const auto refused = [](const std::string& text) {
    const Read read(text);
    try {
      kube::refuse_duplicate_keys(read.tree, read.found.objects[0], read.found.objects[0].pods[0]);
    } catch (const text::Error& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  CHECK(refused("apiVersion: v1\nkind: Pod\nspec: {a: {x: 1, x: 2}, containers: []}\n") == "");
  CHECK(refused("apiVersion: v1\nkind: Pod\nspec: {a: 1, containers: [], a: 2}\n") ==
        "spec: the key a is there twice in one mapping");
  CHECK(refused("apiVersion: v1\nkind: Pod\nspec: {containers: []}\nspec: {containers: []}\n") ==
        "the key spec is there twice in one mapping");
  CHECK(refused("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n  - resources: {limits: {}, "
                "limits: {}}\n") ==
        "spec.containers[0].resources: the key limits is there twice in one mapping");
}

TEST_CASE("aliases that multiply are stopped") {
  std::string text =
      "apiVersion: v1\nkind: List\nitems:\n- &a0 {apiVersion: v1, kind: List, items: []}\n";
  for (int i = 1; i < 40; ++i) {
    const std::string last = "*a" + std::to_string(i - 1);
    text += "- &a" + std::to_string(i) + " {apiVersion: v1, kind: List, items: [" + last + " , " +
            last + " ]}\n";
  }
  CHECK(error_of(text).find("the aliases of this document expand to too many objects") !=
        std::string::npos);
}
