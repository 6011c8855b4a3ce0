#include "core/rewrite/rewrite.h"

#include <algorithm>

#include "core/profile/error.h"
#include "core/rewrite/testing.h"

using namespace gpuspec::rewrite;
using namespace gpuspec::profile;

namespace {

const std::string toleration =
    "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n";

std::string named(const std::string& name, const std::string& extra = "") {
  return "apiVersion: v1\nkind: Pod\nmetadata:\n  name: " + name + "\n" + extra +
         "spec:\n  containers:\n  - name: c\n    resources:\n      limits:\n"
         "        nvidia.com/gpu: 1\n";
}

bool touches(const std::string& text, const Profile& profile) {
  return run(text, profile).text != text;
}

/// A list of pods, every tenth with a GPU.
std::string large_list(int pods, const std::string& kind, bool item_kinds) {
  std::string text = "apiVersion: v1\nitems:\n";
  for (int i = 0; i < pods; ++i) {
    text += item_kinds ? "- apiVersion: v1\n  kind: Pod\n  metadata:\n" : "- metadata:\n";
    text += "    name: p" + std::to_string(i) + "\n  spec:\n    containers:\n    - name: c\n";
    text += "      image: registry.example.com/a/rather/long/name/of/an/image:1.2.3\n";
    if (i % 10 == 0) text += "      resources:\n        limits:\n          nvidia.com/gpu: 1\n";
  }
  return text + "kind: " + kind + "\nmetadata: {}\n";
}

}  // namespace

TEST_CASE("rewrite: documents of a stream, other YAML untouched") {
  const std::string text =
      "# values\na: &x [1]\nb: *x\n---\n" + named("one") + "---\n---\n" + named("two") + "...\n";
  const Rewritten result = run(text);
  CHECK(result.text == "# values\na: &x [1]\nb: *x\n---\n" + named("one") + toleration +
                           "---\n---\n" + named("two") + toleration + "...\n");
  CHECK(result.outcome.documents == 3);
  CHECK(result.outcome.objects == 2);
  CHECK(result.outcome.pods == 2);
}

TEST_CASE("rewrite: one thread or many, in parts or whole: the same bytes") {
  for (const bool item_kinds : {true, false}) {
    const std::string text =
        named("first") + "---\n" + large_list(12000, item_kinds ? "List" : "PodList", item_kinds);
    REQUIRE(text.size() > (1 << 20));
    Settings settings;
    const Rewritten one = run(text, settings);
    settings.jobs = 4;
    const Rewritten many = run(text, settings);
    CHECK(one.text == many.text);
    CHECK(one.outcome.pods == 1201);
    CHECK(one.outcome.objects == 12001);
    CHECK(one.outcome.documents == 2);
    REQUIRE(one.outcome.records.size() == 1201);
    CHECK(one.outcome.records[1].object == "Pod/p0");
    CHECK(std::is_sorted(many.outcome.records.begin(), many.outcome.records.end(),
                         [](const Record& a, const Record& b) { return a.offset < b.offset; }));
  }
}

TEST_CASE("rewrite: a large list whose parts cannot be read by themselves") {
  std::string text = large_list(12000, "List", true);
  // An anchor in the first item, an alias in the last.
  text.replace(text.find("    containers:\n"), 16, "    containers: &c\n");
  const std::size_t last = text.rfind("    containers:\n");
  text = text.substr(0, last) + "    containers: *c\nkind: List\n";
  const Rewritten result = run(text);
  CHECK(result.outcome.pods == 1201);
  CHECK(result.outcome.documents == 1);
}

TEST_CASE("rewrite: an error in a large list is found where it is") {
  std::string text = large_list(12000, "List", true);
  const std::size_t place = text.rfind("image: registry");
  text.insert(place, "\t");
  CHECK_THROWS_AS(run(text), gpuspec::text::Error);
}

TEST_CASE("rewrite: select") {
  const std::string text = named("train-1", "  namespace: ml\n  labels: {app: train, tier: a}\n");
  const auto with = [](auto set) {
    Profile profile;
    set(profile.select);
    return profile;
  };
  CHECK(touches(text, with([](Select& s) { s.kinds = {"Deployment", "pod"}; })));
  CHECK_FALSE(touches(text, with([](Select& s) { s.kinds = {"Deployment"}; })));
  CHECK(touches(text, with([](Select& s) { s.names = {"train-*"}; })));
  CHECK_FALSE(touches(text, with([](Select& s) { s.names = {"train"}; })));
  CHECK(touches(text, with([](Select& s) { s.namespaces = {"ml"}; })));
  CHECK_FALSE(touches(text, with([](Select& s) { s.namespaces = {"default"}; })));
  CHECK(touches(named("x"), with([](Select& s) { s.namespaces = {"default"}; })));
  CHECK(touches(text, with([](Select& s) { s.label_selector = "app=train,tier in (a,b)"; })));
  CHECK_FALSE(touches(text, with([](Select& s) { s.label_selector = "!app"; })));
  CHECK_THROWS_AS(run(text, with([](Select& s) { s.label_selector = "a in"; })),
                  gpuspec::profile::Error);
}

TEST_CASE("rewrite: annotations of a manifest") {
  const auto annotated = [](const std::string& annotation) {
    return named("p", "  annotations:\n    " + annotation + "\n");
  };
  const std::string ignored = annotated("gpuspec.dev/ignore: \"true\"");
  CHECK(run(ignored).text == ignored);
  CHECK_THAT(run(annotated("gpuspec.dev/accelerator: nvidia-l4")).text,
             ContainsSubstring("- nvidia-l4\n"));
  CHECK_THAT(run(annotated("gpuspec.dev/partition: 1g.5gb")).text,
             ContainsSubstring("value: 1g.5gb\n"));
  CHECK_THROWS_WITH(run(annotated("gpuspec.dev/profile: none")),
                    ContainsSubstring("no profile is called none"));
}

TEST_CASE("rewrite: profiles one after the other see each other") {
  Profile first;
  first.node_selector = {{"pool", "a"}};
  first.env = {{"A", "1"}};
  first.tolerations = {{"", "Exists", "", "", {}}};
  Profile second;
  second.node_selector = {{"pool", "b"}};
  second.env = {{"A", "2"}};
  second.tolerations = {{"k", "Exists", "", "", {}}};
  second.conflict = Conflict::replace;
  Settings settings;
  settings.profiles = {first, second};
  // With `replace` on one side only, a second run would set pool to b at once: the first profile
  // keeps what it finds. So the result is stable.
  const Rewritten result = run(named("p"), settings);
  CHECK_THAT(result.text, ContainsSubstring("pool: b\n"));
  CHECK_THAT(result.text, ContainsSubstring("value: \"2\"\n"));
  CHECK(result.text.find("key: k\n") == std::string::npos);
}

TEST_CASE("rewrite: a profile that gives an accelerator makes the next ones apply") {
  Profile first;
  first.gpus = 1;
  Profile second;
  second.runtime_class = "nvidia";
  Settings settings;
  settings.profiles = {first, second};
  CHECK_THAT(run(pod("    image: x\n"), settings).text, ContainsSubstring("runtimeClassName"));
}

TEST_CASE("rewrite: accelerators go to groups that may have one") {
  const std::string ray =
      "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata:\n  name: r\nspec:\n"
      "  headGroupSpec:\n    template:\n      spec:\n        containers:\n        - name: head\n"
      "  workerGroupSpecs:\n  - template:\n      spec:\n        containers:\n"
      "        - name: worker\n";
  Profile profile;
  profile.gpus = 1;
  const std::string result = run(ray, profile).text;
  CHECK(result.find("nvidia.com/gpu") > result.find("workerGroupSpecs"));
}

TEST_CASE("rewrite: Helm templates are named as such") {
  for (const char* text :
       {"apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}\n",
        "{{- if .Values.x }}\napiVersion: v1\nkind: Pod\n{{- end }}\n",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"{{ include \"n\" . }}-x\"\n",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  labels:\n    {{- include \"l\" . | nindent 4 }}\n"
        "spec: {}\n"}) {
    CHECK_THROWS_WITH(run(text), ContainsSubstring("this is a Helm template"));
  }
  const std::string argo =
      "apiVersion: v1\nkind: Pod\nmetadata:\n  name: \"{{workflow.name}}\"  # {{ x }}\n"
      "  annotations:\n    a: |\n      {{ x }}\n    b: a{{ y }}\n";
  CHECK(run(argo).text == argo);
  CHECK_THROWS_WITH(run(argo + "x: [\n"), !ContainsSubstring("Helm"));
  const std::string other = "a: {{ b: c }: d}\n";
  CHECK(run(other).text == other);
}

TEST_CASE("rewrite: shapes that are wrong") {
  const auto refused = [](const std::string& text, const std::string& part) {
    CHECK_THROWS_WITH(run(text), ContainsSubstring(part));
  };
  refused(gpu_pod("  tolerations:\n    key: x\n"),
          "spec.tolerations: expected a list, found a mapping");
  refused(gpu_pod("  tolerations: [x]\n"), "spec.tolerations[0]: expected a mapping");
  refused(gpu_pod("  nodeSelector: [a]\n"), "spec.nodeSelector: expected a mapping");
  refused(gpu_pod("  affinity: x\n"), "spec.affinity: expected a mapping");
  refused(gpu_pod("  nodeSelector:\n    a: b\n    a: c\n"), "a");
  refused("apiVersion: v1\nkind: Pod\nspec:\n  containers:\n    name: x\n", "spec.containers");
  refused("apiVersion: v1\nkind: Pod\nmetadata:\n  generateName: w\n  spec:\n    containers: []\n",
          "metadata.spec");
  refused("apiVersion: v1\nkind: Pod\nmetadata:\n  name: a\napiVersion: v1\nkind: Pod\n", "---");
}

TEST_CASE("rewrite: live objects whose spec may not change") {
  Profile profile;
  profile.accelerator = "v100";
  const std::string live = named("p", "  uid: 1234\n");
  CHECK(run(live).silent());
  CHECK(run(live, profile).warns("is live, and the API server will refuse"));
  CHECK(run(named("p"), profile).silent());
}

TEST_CASE("rewrite: JSON stays JSON") {
  const std::string text =
      "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"c\","
      "\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1\"}}}]}}";
  CHECK(run(text).text ==
        "{\"apiVersion\":\"v1\",\"kind\":\"Pod\",\"spec\":{\"containers\":[{\"name\":\"c\","
        "\"resources\":{\"limits\":{\"nvidia.com/gpu\":\"1\"}}}],\"tolerations\":[{\"key\":"
        "\"nvidia.com/gpu\",\"operator\":\"Exists\",\"effect\":\"NoSchedule\"}]}}");
}
