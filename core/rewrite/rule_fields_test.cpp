#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using namespace gpuspec::profile;

namespace {

Profile bare() {
  Profile profile;
  profile.default_resource_tolerations = false;
  return profile;
}

}  // namespace

TEST_CASE("fields: set when absent, kept, replaced or refused otherwise") {
  Profile profile = bare();
  profile.runtime_class = "nvidia";
  profile.priority_class = "gpu";
  profile.scheduler = "volcano";
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        "  runtimeClassName: nvidia\n  priorityClassName: gpu\n  schedulerName: volcano\n");
  const std::string other = gpu_pod("  runtimeClassName: runc\n");
  CHECK_THAT(run(other, profile).text, ContainsSubstring("runtimeClassName: runc\n"));
  CHECK(run(other, profile).warns("runtimeClassName is runc; that is kept"));
  profile.conflict = Conflict::replace;
  CHECK_THAT(run(other, profile).text, ContainsSubstring("runtimeClassName: nvidia\n"));
  profile.conflict = Conflict::error;
  CHECK_THROWS_WITH(run(other, profile), ContainsSubstring("runtimeClassName is runc, but"));
}

TEST_CASE("fields: the image of the selected containers") {
  Profile profile = bare();
  profile.image = "a:2";
  profile.conflict = Conflict::replace;
  const std::string text =
      pod("    image: a:1\n    resources: {limits: {nvidia.com/gpu: 1}}\n"
          "  - name: other\n    image: b:1\n");
  const std::string result = run(text, profile).text;
  CHECK_THAT(result, ContainsSubstring("image: a:2\n"));
  CHECK_THAT(result, ContainsSubstring("image: b:1\n"));
}

TEST_CASE("fields: environment") {
  Profile profile = bare();
  profile.env = {{"A", "true"}, {"B", "1"}};
  const std::string text = pod(
      "    resources: {limits: {nvidia.com/gpu: 1}}\n    env:\n    - name: A\n      value: x\n");
  const Rewritten kept = run(text, profile);
  CHECK(added(kept, text) == "    - name: B\n      value: \"1\"\n");
  CHECK(kept.warns("A is \"x\"; that is kept, and A=true not set"));
  profile.conflict = Conflict::replace;
  CHECK_THAT(run(text, profile).text, ContainsSubstring("- name: A\n      value: \"true\"\n"));
  const std::string from = pod(
      "    resources: {limits: {nvidia.com/gpu: 1}}\n    env:\n    - name: A\n      valueFrom:\n"
      "        fieldRef:\n          fieldPath: metadata.name\n    - name: B\n      value: \"1\"\n");
  const std::string replaced = run(from, profile).text;
  CHECK_THAT(replaced, ContainsSubstring("value: \"true\"\n"));
  CHECK(replaced.find("valueFrom") == std::string::npos);
}

TEST_CASE("fields: shared memory") {
  Profile profile = bare();
  profile.shared_memory = "8Gi";
  const std::string text = gpu_pod();
  CHECK(added(run(text, profile), text) ==
        "    volumeMounts:\n    - name: dshm\n      mountPath: /dev/shm\n  volumes:\n"
        "  - name: dshm\n    emptyDir:\n      medium: Memory\n      sizeLimit: 8Gi\n");
  const std::string mounted =
      pod("    resources: {limits: {nvidia.com/gpu: 1}}\n    volumeMounts:\n"
          "    - name: x\n      mountPath: /dev/shm/\n");
  CHECK(run(mounted, profile).text == mounted);
}

TEST_CASE("fields: shared memory where the volume's name is in use") {
  Profile profile = bare();
  profile.shared_memory = "8Gi";
  const Rewritten taken =
      run(gpu_pod("  volumes:\n  - name: dshm\n    configMap: {name: c}\n"), profile);
  CHECK_THAT(taken.text, ContainsSubstring("  - name: dshm-1\n    emptyDir:\n"));
  CHECK_THAT(taken.text, ContainsSubstring("- name: dshm-1\n      mountPath: /dev/shm\n"));
  const std::string memory =
      "  volumes:\n  - name: dshm\n    emptyDir: {medium: Memory, sizeLimit: 2Gi}\n";
  const Rewritten kept = run(gpu_pod(memory), profile);
  CHECK_THAT(kept.text, ContainsSubstring(memory));
  CHECK_THAT(kept.text, ContainsSubstring("- name: dshm\n      mountPath: /dev/shm\n"));
  CHECK(kept.warns("the volume dshm has sizeLimit 2Gi"));
  profile.conflict = Conflict::replace;
  CHECK_THAT(run(gpu_pod(memory), profile).text,
             ContainsSubstring("emptyDir: {medium: Memory, sizeLimit: 8Gi}\n"));
}

TEST_CASE("fields: labels and annotations of the pod template") {
  Profile profile = bare();
  profile.template_labels = {{"team", "ml"}, {"size", "1"}};
  profile.template_annotations = {{"a", "b"}};
  const std::string text =
      "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: d\nspec:\n  template:\n"
      "    metadata:\n      labels:\n        app: d\n        team: x\n    spec:\n"
      "      containers:\n      - name: c\n        resources: {limits: {nvidia.com/gpu: 1}}\n";
  const Rewritten result = run(text, profile);
  CHECK_THAT(result.text,
             ContainsSubstring("      annotations:\n        a: b\n      labels:\n        app: d\n"
                               "        size: \"1\"\n        team: x\n    spec:\n"));
  CHECK(result.warns("label team is \"x\""));
}

TEST_CASE("fields: defaults and overrides of whole fields") {
  using gpuspec::yaml::Value;
  Profile profile;
  profile.pod_defaults = {{"hostIPC", Value::plain("true")},
                          {"dnsPolicy", Value::string("Default")}};
  profile.pod_fields = {{"tolerations", Value::sequence()}};
  profile.container_fields = {{"tty", Value::plain("true")}};
  const std::string text = gpu_pod("  dnsPolicy: ClusterFirst\n");
  const std::string result = run(text, profile).text;
  CHECK_THAT(result, ContainsSubstring("  hostIPC: true\n"));
  CHECK_THAT(result, ContainsSubstring("  dnsPolicy: ClusterFirst\n"));
  CHECK_THAT(result, ContainsSubstring("  tolerations: []\n"));
  CHECK_THAT(result, ContainsSubstring("    tty: true\n"));
}
