#include "core/lint/lint.h"

#include "core/lint/testing.h"

using namespace gpuspec;
using lint::brief;
using lint::pod;
using lint::toleration;

TEST_CASE("rules are selected by code, beginning of code, and name") {
  const auto codes = [](const std::vector<std::string>& select,
                        const std::vector<std::string>& ignore) {
    std::string text;
    for (const lint::Rule* rule : lint::select_rules(select, ignore))
      text += std::string(rule->code) + " ";
    return text;
  };
  CHECK(codes({"GPU101"}, {}) == "GPU101 ");
  CHECK(codes({"missing-toleration", "gpu102"}, {}) == "GPU101 GPU102 ");
  CHECK(codes({"GPU10"}, {"GPU103"}) == "GPU101 GPU102 GPU104 GPU105 GPU106 ");
  CHECK(lint::select_rules({}, {}).size() == lint::select_rules({"ALL"}, {}).size());
  CHECK_THROWS_WITH(lint::select_rules({"GPU999"}, {}), ContainsSubstring("GPU999"));
  CHECK_THROWS_WITH(lint::select_rules({}, {"missing-tolerations"}),
                    ContainsSubstring("missing-toleration"));
}

TEST_CASE("a severity of the user's wins") {
  lint::Settings settings = lint::all_settings();
  settings.severities["GPU101"] = lint::Severity::error;
  const lint::Result result = lint::lint(lint::source_of(pod("")), settings);
  REQUIRE(result.findings.size() == 1);
  CHECK(result.findings[0].severity == lint::Severity::error);
}

TEST_CASE("what is no Kubernetes object is skipped with a note") {
  const auto note = [](const std::string& text) {
    const lint::Result result = lint::lint(lint::source_of(text), lint::all_settings());
    CHECK(result.findings.empty());
    CHECK_FALSE(result.unreadable);
    return result.notes.empty() ? std::string() : result.notes[0].text;
  };
  CHECK(note("a: 1\n") == "skipped: no Kubernetes object");
  CHECK(note("- b\n") == "skipped: no Kubernetes object");
  CHECK(note("just: [broken\n") == "skipped: no Kubernetes object");
  CHECK(note("").empty());
  CHECK(note("# only a comment\n---\n").empty());
  const std::string template_note = "skipped: a template; render it first";
  CHECK(note("apiVersion: v1\nkind: Pod\n{{- if .Values.gpu }}\nspec: {}\n{{- end }}\n") ==
        template_note);
  CHECK(note("apiVersion: v1\nkind: Pod\nspec:\n  nodeName: {{ $node }}\n") == template_note);
  CHECK(note("apiVersion: v1\nkind: Pod\nspec:\n  nodeName: \"{{ .Values.node }}\"\n") ==
        template_note);
}

TEST_CASE("Argo's own braces are no template") {
  const lint::Result result = lint::lint(
      lint::source_of(
          "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata:\n"
          "  generateName: w-\nspec:\n  entrypoint: main\n  templates:\n"
          "  - name: main\n    container:\n      image: \"a:{{inputs.parameters.tag}}\"\n"
          "      resources:\n        limits: {memory: 1Gi, nvidia.com/gpu: 1}\n"),
      lint::all_settings());
  CHECK(brief(result.findings) == "GPU101@12");
}

TEST_CASE("a broken document does not hide the others") {
  const lint::Result result =
      lint::lint(lint::source_of("apiVersion: v1\nkind: Pod\nmetadata: [\n---\n" + pod("")),
                 lint::all_settings());
  CHECK(result.unreadable);
  CHECK(brief(result.findings) == "GPU901@3 GPU101@16");
}

TEST_CASE("findings have their place") {
  const lint::Result result = lint::lint(lint::source_of(pod("")), lint::all_settings());
  REQUIRE(result.findings.size() == 1);
  const lint::Finding& finding = result.findings[0];
  CHECK(finding.from.line == 12);
  CHECK(finding.from.column == 9);
  CHECK(finding.to.column == 23);
  CHECK(finding.line == "        nvidia.com/gpu: 1");
  CHECK(finding.object == "Pod/p");
  CHECK(finding.container == "c");
  CHECK(finding.field == "spec.containers[0].resources.limits[nvidia.com/gpu]");
  REQUIRE(finding.edits.size() == 1);
}

TEST_CASE("a fingerprint survives what is put before") {
  const auto print = [](const std::string& text) {
    return lint::lint(lint::source_of(text), lint::all_settings()).findings.at(0).fingerprint();
  };
  const std::string first = print(pod(""));
  CHECK(first.size() == 16);
  CHECK(print("# a comment\n" + pod("")) == first);
  std::string second = pod("");
  second.insert(second.find("  - name: c"), "  - name: a\n    image: b:1\n");
  CHECK(print(second) == first);
  std::string renamed = pod("");
  renamed.replace(renamed.find("name: c"), 7, "name: d");
  CHECK(print(renamed) != first);
}

TEST_CASE("fixing goes on until nothing is left, and touches nothing else") {
  // Two fixes in one document, with comments and odd spacing around them.
  const std::string before =
      "apiVersion: v1  # one\nkind: Pod\nmetadata: {name:   p}\nspec:\n  containers:\n"
      "  - name: c\n    image: a:1   # pinned\n    resources:\n      limits:\n"
      "        memory: 1Gi\n        gpu: 1   # the GPU\n\n  nodeSelector:\n    present: true\n";
  const lint::Fixed fixed = lint::fix(lint::source_of(before), lint::all_settings());
  CHECK(fixed.text ==
        "apiVersion: v1  # one\nkind: Pod\nmetadata: {name:   p}\nspec:\n  containers:\n"
        "  - name: c\n    image: a:1   # pinned\n    resources:\n      limits:\n"
        "        memory: 1Gi\n        nvidia.com/gpu: 1   # the GPU\n\n  nodeSelector:\n"
        "    present: \"true\"\n"
        "  tolerations:\n  - key: nvidia.com/gpu\n    operator: Exists\n    effect: NoSchedule\n");
  CHECK(brief(fixed.fixed) == "GPU007@11 GPU203@14 GPU101@11");
  CHECK(fixed.left.findings.empty());
  CHECK(fixed.edits.size() == 2);
}

TEST_CASE("nothing to mend changes nothing") {
  const lint::Fixed fixed = lint::fix(lint::source_of(pod(toleration)), lint::all_settings());
  CHECK(fixed.edits.empty());
  CHECK(fixed.text.empty());
}

TEST_CASE("every document of a stream and every item of a List is looked at") {
  std::string list = "apiVersion: v1\nkind: List\nitems:\n";
  for (const char* name : {"a", "b"})
    list +=
        std::string("- apiVersion: v1\n  kind: Pod\n  metadata: {name: ") + name +
        "}\n  spec:\n    containers:\n    - name: c\n      image: a:1\n      resources: {limits: "
        "{memory: 1Gi, nvidia.com/gpu: 1}}\n";
  CHECK(brief(list) == "GPU101@11 GPU101@19");
  CHECK(brief(pod("") + "---\n" + pod("")) == "GPU101@12 GPU904@17 GPU101@25");
}

TEST_CASE("anchors and aliases are read through") {
  const std::string text =
      "apiVersion: v1\nkind: Pod\nmetadata: {name: p}\nspec:\n  containers:\n"
      "  - name: a\n    image: a:1\n    resources: &r\n      limits: {memory: 1Gi, gpu: 1}\n"
      "  - name: b\n    image: a:1\n    resources: *r\n" +
      toleration;
  const lint::Fixed fixed = lint::fix(lint::source_of(text), lint::all_settings());
  CHECK(brief(fixed.left.findings) == "GPU010@15");
}

TEST_CASE("tolerations of a workflow hold for its templates, and are not hidden by a fix") {
  const std::string workflow =
      "apiVersion: argoproj.io/v1alpha1\nkind: Workflow\nmetadata:\n  generateName: w-\nspec:\n"
      "  entrypoint: a\n  tolerations:\n  - {key: KEY, operator: Exists}\n  templates:\n"
      "  - name: a\n    container: {image: \"a:1\", resources: {limits: {memory: 1Gi, "
      "nvidia.com/gpu: 1}}}\n"
      "  - name: b\n    container: {image: \"a:1\", resources: {limits: {memory: 1Gi, "
      "nvidia.com/gpu: 1}}}\n";
  const auto with_key = [&](const std::string& key) {
    std::string text = workflow;
    return text.replace(text.find("KEY"), 3, key);
  };
  CHECK(brief(with_key("nvidia.com/gpu")).empty());
  const lint::Result result = lint::lint(lint::source_of(with_key("team")), lint::all_settings());
  CHECK(brief(result.findings) == "GPU101@11 GPU101@13");
  for (const lint::Finding& finding : result.findings) CHECK(finding.edits.empty());
  // What is wrong with the workflow's own list is said once.
  CHECK(brief(with_key("\"\"").replace(with_key("\"\"").find("Exists"), 6, "Equal")) ==
        "GPU104@8 GPU101@11 GPU101@13");
}

TEST_CASE("taints that the user names are what pods are held against") {
  lint::Settings settings = lint::all_settings();
  settings.taints = {{"team", "ml", "NoSchedule"}};
  const lint::Fixed fixed = lint::fix(lint::source_of(pod(toleration)), settings);
  CHECK(brief(fixed.fixed) == "GPU101@12");
  CHECK_THAT(fixed.text, ContainsSubstring("- key: team\n"));
  CHECK(fixed.left.findings.empty());
  settings.taints = {{"nvidia.com/gpu", "x", "NoSchedule"}};
  CHECK(lint::lint(lint::source_of(pod(toleration)), settings).findings.empty());
}

TEST_CASE("misplaced resources and fields above the pod spec") {
  const auto deployment = [](const std::string& spec, const std::string& tmpl) {
    return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: d}\nspec:\n" + spec +
           "  selector: {matchLabels: {a: b}}\n  template:\n    metadata: {labels: {a: b}}\n" +
           tmpl + "    spec:\n      containers: [{name: c, image: \"a:1\"}]\n";
  };
  CHECK(brief(deployment("", "")).empty());
  CHECK(brief(deployment("  tolerations: []\n", "")) == "GPU006@5");
  CHECK(brief(deployment("", "    nodeSelector: {a: b}\n")) == "GPU006@8");
  CHECK(brief(deployment("  resources: {limits: {nvidia.com/gpu: 1}}\n", "")) == "GPU005@5");
  CHECK(brief(deployment("", "    limits: {nvidia.com/gpu: 1}\n")) == "GPU005@8");
}
