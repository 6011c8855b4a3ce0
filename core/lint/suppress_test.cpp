#include "core/lint/suppress.h"

#include "core/lint/testing.h"

using namespace gpuspec;
using lint::brief;
using lint::pod;

namespace {

/// The pod without toleration, the comment after its GPU limit.
std::string with_comment(const std::string& comment) {
  std::string text = pod("");
  text.insert(text.find("nvidia.com/gpu: 1") + 17, comment);
  return text;
}

lint::Result result_of(const std::string& text) {
  return lint::lint(lint::source_of(text), lint::all_settings());
}

}  // namespace

TEST_CASE("a comment ignores what it names, on its line") {
  CHECK(brief(pod("")) == "GPU101@12");
  CHECK(brief(with_comment("  # gpuspec: ignore GPU101")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore GPU101: our policy adds it")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore missing-toleration")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore GPU1")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore GPU401, GPU101 later")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore")).empty());
  CHECK(brief(with_comment("  # gpuspec: ignore GPU401")) == "GPU101@12");
  CHECK(result_of(with_comment("  # gpuspec: ignore GPU101")).suppressed == 1);
}

TEST_CASE("a comment of its own holds for the next line, and for no other") {
  std::string text = pod("");
  text.insert(text.find("        nvidia.com/gpu"), "        # gpuspec: ignore GPU101\n");
  CHECK(brief(text).empty());
  text = pod("");
  text.insert(text.find("        nvidia.com/gpu"),
              "        # gpuspec: ignore GPU101\n        # because\n");
  CHECK(brief(text).empty());
  text = pod("");
  text.insert(text.find("        memory"), "        # gpuspec: ignore GPU101\n");
  CHECK(brief(text) == "GPU101@13");
}

TEST_CASE("a file can be ignored, by code or altogether") {
  CHECK(brief("# gpuspec: ignore-file GPU101\n" + pod("")).empty());
  CHECK(brief("# gpuspec: ignore-file\n" + pod("")).empty());
  CHECK(brief("# gpuspec: ignore-file GPU4\n" + pod("")) == "GPU101@13");
}

TEST_CASE("only comments ignore, and codes that no rule has are noted") {
  const std::string text = pod("  nodeSelector:\n    note: \"gpuspec: ignore GPU101\"\n");
  CHECK(brief(text).find("GPU101") != std::string::npos);
  const lint::Result result = result_of(with_comment("  # gpuspec: ignore GPU999"));
  REQUIRE(result.notes.size() == 1);
  CHECK(result.notes[0].text == "no rule is called GPU999");
}

TEST_CASE("annotations ignore rules for the object or the pod") {
  CHECK(brief(pod("", "  annotations:\n    ignore-check.gpuspec.dev/GPU101: policy\n")).empty());
  CHECK(brief(pod("", "  annotations:\n    gpuspec.dev/ignore: \"true\"\n")).empty());
  CHECK(brief(pod("", "  annotations:\n    gpuspec.dev/ignore: \"false\"\n")) == "GPU101@14");
  const std::string job =
      "apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: j\nspec:\n  template:\n    metadata:\n"
      "      annotations:\n        ignore-check.gpuspec.dev/missing-toleration: policy\n    spec:\n"
      "      containers:\n      - name: c\n        image: a:1\n        resources:\n"
      "          limits: {memory: 1Gi, nvidia.com/gpu: 1}\n";
  CHECK(brief(job).empty());
}
