#include "core/profile/load.h"

#include "core/profile/testing.h"

namespace gpuspec::profile {
namespace {

std::string value(const std::optional<std::string>& text) {
  return text.value_or("(unset)");
}

Profile with_flags(const std::string& platform, const std::string& accelerator,
                   const std::string& partition = "") {
  LoadRequest request;
  if (!platform.empty()) request.platform = platform;
  request.flags.accelerator = accelerator;
  if (!partition.empty()) request.flags.partition = partition;
  return load_one(request);
}

}  // namespace

TEST_CASE("with no flag there is one profile that says nothing") {
  const Profile profile = load_one({});
  CHECK_FALSE(profile.accelerator);
  CHECK_FALSE(profile.resource);
  CHECK(profile.tolerations.empty());
  CHECK(profile.node_selector.empty());
  CHECK(profile.required.empty());
}

TEST_CASE("a device becomes the label value of the platform, with its label and resource") {
  const Profile gke = with_flags("gke", "a100");
  CHECK(value(gke.accelerator) == "nvidia-tesla-a100");
  CHECK(value(gke.device_label) == "cloud.google.com/gke-accelerator");
  CHECK(value(gke.partition_label) == "cloud.google.com/gke-gpu-partition-size");
  CHECK(value(gke.resource) == "nvidia.com/gpu");
  CHECK(value(with_flags("karpenter", "nvidia-tesla-a100").accelerator) == "a100");
  const Profile tpu = with_flags("gke", "v5e", "2x4");
  CHECK(value(tpu.accelerator) == "tpu-v5-lite-podslice");
  CHECK(value(tpu.device_label) == "cloud.google.com/gke-tpu-accelerator");
  CHECK(value(tpu.partition_label) == "cloud.google.com/gke-tpu-topology");
  CHECK(value(tpu.resource) == "google.com/tpu");
  const Profile amd = with_flags("doks", "mi300x");
  CHECK(value(amd.resource) == "amd.com/gpu");
  CHECK(value(with_flags("", "nvidia-tesla-v100").device_label) == "k8s.amazonaws.com/accelerator");
}

TEST_CASE("the resource chooses among a platform's labels, too") {
  LoadRequest request;
  request.platform = "gke";
  request.flags.resource = "google.com/tpu";
  CHECK(value(load_one(request).device_label) == "cloud.google.com/gke-tpu-accelerator");
}

TEST_CASE("namesakes are told apart by further labels") {
  const Profile profile = with_flags("karpenter", "a100-80gb");
  CHECK(value(profile.accelerator) == "a100");
  REQUIRE(profile.device_required.size() == 1);
  CHECK(profile.device_required.front() ==
        kube::NodeSelectorRequirement{"karpenter.k8s.aws/instance-gpu-memory", "In", {"81920"}});
  CHECK(with_flags("karpenter", "a100").device_required.empty());
}

TEST_CASE("where several values mean a device, any of them will do") {
  const Profile profile = with_flags("oke", "a10");
  CHECK_FALSE(profile.accelerator);
  REQUIRE(profile.device_required.size() == 1);
  CHECK(profile.device_required.front().values ==
        std::vector<std::string>{"VM.GPU.A10.1", "VM.GPU.A10.2", "BM.GPU.A10.4"});
  CHECK(value(with_flags("oke", "BM.GPU.A10.4").accelerator) == "BM.GPU.A10.4");
  LoadRequest request;
  request.platform = "oke";
  request.flags.accelerator = "a10";
  request.flags.selector_style = SelectorStyle::node_selector;
  CHECK_THAT(error_of(request), ContainsSubstring("several machine types"));
}

TEST_CASE("devices on arm64 machines bring the toleration for those") {
  CHECK(with_flags("gke", "gb200").device_also_tolerated.size() == 1);
  CHECK(with_flags("gke", "h100").device_also_tolerated.empty());
}

TEST_CASE("packet: the model as it is written, behind its prefix") {
  CHECK(value(with_flags("packet", "V100").accelerator) == "nvidia-v100");
  CHECK(value(with_flags("packet", "tesla-p4").accelerator) == "nvidia-tesla-p4");
  const Profile profile = with_flags("packet", "nvidia-tesla-v100");
  CHECK(value(profile.accelerator) == "nvidia-tesla-v100");
  CHECK(value(profile.device_label) == "accelerator");
  CHECK(profile.selector_style == SelectorStyle::node_selector);
}

TEST_CASE("a value that no table knows is used as given, with a word about it") {
  LoadRequest request;
  request.platform = "gke";
  request.flags.accelerator = "nvidia-tesla-a10o";
  const Loaded loaded = load(request);
  CHECK(value(loaded.profiles.front().accelerator) == "nvidia-tesla-a10o");
  CHECK(warns(loaded.warnings, "did you mean \"nvidia-tesla-a100\"?"));
  request.flags.accelerator = "l40s";
  CHECK(warns(load(request).warnings, "the table of gke has no L40S"));
  request.flags.accelerator = "nvidia-l4";
  CHECK(load(request).warnings.empty());
}

TEST_CASE("labels that operators choose keep values that look like such labels") {
  LoadRequest request;
  request.flags.accelerator = "nvidia-tesla-h100";
  const Loaded loaded = load(request);
  CHECK(value(loaded.profiles.front().accelerator) == "nvidia-tesla-h100");
  CHECK(warns(loaded.warnings, "nvidia-h100"));
}

TEST_CASE("a label of one's own: the values are one's own, friendly names still work") {
  LoadRequest request;
  request.flags.device_label = "example.com/gpu-model";
  request.flags.accelerator = "NVIDIA-A100-SXM4-40GB";
  CHECK(value(load_one(request).accelerator) == "NVIDIA-A100-SXM4-40GB");
  request.flags.accelerator = "a100";
  CHECK(value(load_one(request).accelerator) == "nvidia-tesla-a100");
  SECTION("a label that belongs to a platform brings that platform's words") {
    request.flags.device_label = "nvidia.com/gpu.product";
    CHECK(value(load_one(request).accelerator) == "NVIDIA-A100-SXM4-40GB");
  }
}

TEST_CASE("a MIG size that the device does not have") {
  LoadRequest request;
  request.platform = "gke";
  request.flags.accelerator = "a100";
  request.flags.partition = "2g.20gb";
  CHECK_THAT(error_of(request), ContainsSubstring("--partition: A100-40GB has no \"2g.20gb\"") &&
                                    ContainsSubstring("1g.5gb, 1g.5gb.me"));
  SECTION("is a warning where the table is not sure") {
    request.flags.accelerator = "gb300";
    request.flags.partition = "1g.31gb";
    CHECK(warns(load(request).warnings, "the tables know no \"1g.31gb\" of GB300"));
  }
  SECTION("is a warning where the hardware has it and the platform may not") {
    request.flags.partition = "4g.20gb";
    CHECK(warns(load(request).warnings, "gke may not offer \"4g.20gb\""));
  }
  SECTION("goes unseen for a device that is not known") {
    request.flags.accelerator = "my-gpu";
    CHECK(error_of(request).empty());
  }
}

TEST_CASE("+ in a MIG size is a dot in a label") {
  CHECK(value(with_flags("gke", "a100", "1g.5gb+me").partition) == "1g.5gb.me");
}

TEST_CASE("MIG by product, and by resource") {
  const Profile single = with_flags("gfd", "a100", "2g.10gb");
  CHECK(value(single.accelerator) == "NVIDIA-A100-SXM4-40GB-MIG-2g.10gb");
  CHECK_FALSE(single.partition);
  LoadRequest request;
  request.platform = "gfd";
  request.flags.partition = "2g.10gb";
  CHECK_THAT(error_of(request), ContainsSubstring("nvidia.com/mig-2g.10gb"));
  request.flags.partition.reset();
  request.flags.resource = "nvidia.com/mig-2g.10gb";
  request.flags.accelerator = "a100";
  const Profile mixed = load_one(request);
  CHECK(value(mixed.resource) == "nvidia.com/mig-2g.10gb");
  CHECK(value(mixed.accelerator) == "NVIDIA-A100-SXM4-40GB");
  request.flags.resource = "nvidia.com/mig-2g.20gb";
  CHECK_THAT(error_of(request), ContainsSubstring("A100-40GB has no \"2g.20gb\""));
  request.platform = "gke";
  request.flags.resource = "nvidia.com/mig-2g.10gb";
  CHECK(warns(load(request).warnings, "ask for --partition 2g.10gb instead"));
}

TEST_CASE("spot nodes") {
  LoadRequest request;
  request.platform = "aks";
  request.interruptible = true;
  const Profile profile = load_one(request);
  REQUIRE(profile.tolerations.size() == 1);
  CHECK(profile.tolerations.front().key == "kubernetes.azure.com/scalesetpriority");
  request.platform = "eks";
  CHECK(warns(load(request).warnings, "--interruptible"));
}

TEST_CASE("unknown names are refused with a suggestion") {
  LoadRequest request;
  request.platform = "gek";
  CHECK_THAT(error_of(request), ContainsSubstring("did you mean gke?"));
  request.platform.reset();
  request.profiles = {{"kerpenter"}};
  CHECK_THAT(error_of(request), ContainsSubstring("did you mean karpenter?"));
  request.profiles = {{"no/such/file.yaml"}};
  CHECK_THAT(error_of(request), ContainsSubstring("no such file"));
  request.profiles = {{GPUSPEC_SOURCE_DIR "/testdata/profiles/good/several.yaml:poll"}};
  CHECK_THAT(error_of(request), ContainsSubstring("did you mean pool?"));
}

TEST_CASE("a file's profiles apply in order; a name picks one") {
  const std::string file = GPUSPEC_SOURCE_DIR "/testdata/profiles/good/several.yaml";
  LoadRequest request;
  request.profiles = {{file}};
  const Loaded all = load(request);
  REQUIRE(all.profiles.size() == 2);  // the third one is on request
  CHECK(all.profiles[0].name == "pool");
  CHECK(all.profiles[1].name == "train");
  CHECK(all.profiles[1].node_selector == Pairs{{"pool", "gpu"}});
  CHECK(value(all.profiles[1].accelerator) == "nvidia-tesla-a100");
  request.profiles = {{file + ":gke"}};
  CHECK(load_one(request).name == "gke");
  request.profiles = {{file + ":pool"}, {"aks"}};
  CHECK(load(request).profiles.size() == 2);
}

TEST_CASE("flags win over profiles; lists and mappings are added to") {
  LoadRequest request = request_for(
      native("  gpus: 1\n  accelerator: a100\n  partition: 1g.5gb\n  runtimeClassName: a\n"
             "  tolerations: [{key: a, operator: Exists}]\n  nodeSelector: {a: \"1\", b: \"2\"}\n"
             "  env: {A: \"1\"}\n  select: {kinds: [Job], containers: [x]}\n"
             "  resources: {limits: {memory: 1Gi, cpu: 1}}\n"));
  request.flags.gpus = 4;
  request.flags.runtime_class = "b";
  request.flags.tolerations = {{"b", "Exists", "", "", {}}};
  request.flags.node_selector = {{"b", "3"}, {"c", "4"}};
  request.flags.env = {{"A", "2"}};
  request.flags.select.kinds = {"Pod"};
  request.flags.limits = {{"memory", std::nullopt}};
  const Profile profile = load_one(request);
  CHECK(profile.gpus == 4);
  CHECK(value(profile.runtime_class) == "b");
  CHECK(profile.tolerations.size() == 2);
  CHECK(profile.node_selector == Pairs{{"a", "1"}, {"b", "3"}, {"c", "4"}});
  CHECK(profile.env == Pairs{{"A", "2"}});
  CHECK(profile.select.kinds == std::vector<std::string>{"Pod"});
  CHECK(profile.select.containers == std::vector<std::string>{"x"});
  CHECK(profile.limits.at("memory") == std::nullopt);
  CHECK(profile.limits.at("cpu") == "1");
  CHECK(value(profile.partition) == "1g.5gb");
  SECTION("another device does not inherit the partition") {
    request.flags.accelerator = "t4";
    CHECK_FALSE(load_one(request).partition);
  }
}

TEST_CASE("--platform gives words to a profile that has none of its own") {
  LoadRequest request = request_for(native("  accelerator: a100\n  labels: {partition: p}\n"));
  CHECK(value(load_one(request).accelerator) == "nvidia-tesla-a100");
  request.platform = "karpenter";
  const Profile profile = load_one(request);
  CHECK(value(profile.accelerator) == "a100");
  CHECK(value(profile.device_label) == "karpenter.k8s.aws/instance-gpu-name");
  CHECK(value(profile.partition_label) == "p");
}

TEST_CASE("extends: values win, mappings merge, lists replace") {
  const std::string text =
      native(
          "  tolerations: [{key: a, operator: Exists}]\n  nodeSelector: {a: \"1\", b: \"2\"}\n  "
          "gpus: 1\n"
          "  resourceTolerations: {nvidia.com/gpu: [{key: x, operator: Exists}]}\n",
          "base") +
      "---\n" +
      native(
          "  extends: base\n  tolerations: [{key: b, operator: Exists}]\n  nodeSelector: {b: null, "
          "c: \"3\"}\n"
          "  resourceTolerations: {amd.com/gpu: []}\n",
          "child");
  const Profile child = load_one(request_for(text, "child"));
  CHECK(child.gpus == 1);
  REQUIRE(child.tolerations.size() == 1);
  CHECK(child.tolerations.front().key == "b");
  CHECK(child.node_selector == Pairs{{"a", "1"}, {"c", "3"}});
  CHECK(child.node_selector_removed == std::vector<std::string>{"b"});
  CHECK(child.resource_tolerations.size() == 2);
}

TEST_CASE("a profile's own device names and classes") {
  const std::string spec =
      "  devices: {big: example-a100, small: example-t4}\n  labels: {device: example.com/gpu}\n"
      "  deviceClasses:\n    GOOGLE_TPU: {resource: google.com/tpu, labels: {device: "
      "example.com/tpu}}\n";
  LoadRequest request = request_for(native(spec));
  request.flags.accelerator = "Big";
  CHECK(value(load_one(request).accelerator) == "example-a100");
  request.flags.accelerator = "v5e";
  const Profile tpu = load_one(request);
  CHECK(value(tpu.device_label) == "example.com/tpu");
  CHECK(value(tpu.resource) == "google.com/tpu");
}

TEST_CASE("a manifest chooses for itself, but not against a flag") {
  const std::string file = GPUSPEC_SOURCE_DIR "/testdata/profiles/good/several.yaml";
  LoadRequest request;
  request.profiles = {{file + ":pool"}};
  const Loaded loaded = load(request);
  const Profile& base = loaded.profiles.front();
  Warnings warnings;
  CHECK(value(choose(loaded, base, "", "t4", "", warnings).accelerator) == "nvidia-tesla-t4");
  CHECK(choose(loaded, base, "", "t4", "", warnings).node_selector == Pairs{{"pool", "gpu"}});
  CHECK(value(choose(loaded, base, "gke", "a100", "1g.5gb", warnings).partition_label) ==
        "cloud.google.com/gke-gpu-partition-size");
  CHECK(value(choose(loaded, base, "karpenter", "a100", "", warnings).accelerator) == "a100");
  CHECK_THROWS_AS(choose(loaded, base, "nowhere", "", "", warnings), Error);
  CHECK_THROWS_AS(choose(loaded, base, "", "t4", "1g.5gb", warnings), Error);
  request.flags.accelerator = "a100";
  const Loaded by_flag = load(request);
  CHECK(value(choose(by_flag, by_flag.profiles.front(), "", "t4", "", warnings).accelerator) ==
        "nvidia-tesla-a100");
}

TEST_CASE("an alias bomb and deep nesting end with an error") {
  std::string bomb = "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n";
  for (int i = 1; i < 10; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before;
    for (int k = 0; k < 9; ++k) bomb += ", " + before;
    bomb += "]\n";
  }
  CHECK_THAT(error_of(request_for(bomb)), ContainsSubstring("more values than a profile can have"));
  CHECK_THAT(error_of(request_for("a: " + std::string(500, '[') + std::string(500, ']') + "\n")),
             ContainsSubstring("nested too deep"));
}

TEST_CASE("choices need a profile that has options") {
  LoadRequest request;
  request.choices = {{"image", "pytorch"}};
  CHECK_THAT(error_of(request), ContainsSubstring("--choice"));
}

}  // namespace gpuspec::profile
