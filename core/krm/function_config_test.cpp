#include "core/krm/function_config.h"

#include <cstdlib>
#include <string>

#include "core/krm/kustomize_plugin.h"
#include "core/krm/resource_list.h"
#include "core/testing.h"
#include "core/text/error.h"
#include "core/text/source.h"

using namespace gpuspec;

namespace {

krm::FunctionConfig config_of(const std::string& function_config) {
  return krm::read_resource_list(text::Source::from_string("test",
                                                           "apiVersion: config.kubernetes.io/v1\n"
                                                           "kind: ResourceList\nitems: []\n" +
                                                               function_config))
      .config;
}

std::string refused(const std::string& function_config) {
  try {
    config_of(function_config);
  } catch (const text::Error& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("no functionConfig means no wishes") {
  for (const char* text : {"", "functionConfig:\n", "functionConfig: {}\n"}) {
    const krm::FunctionConfig config = config_of(text);
    CHECK(config.form == krm::FunctionConfig::Form::absent);
    CHECK(config.mode == krm::Mode::transform);
  }
  // `kustomize fn run` without arguments
  const krm::FunctionConfig empty = config_of("functionConfig: {kind: ConfigMap, data: {}}\n");
  CHECK(empty.form == krm::FunctionConfig::Form::data);
  CHECK(empty.data.empty());
}

TEST_CASE("the data of a ConfigMap are flags, but for the function's own") {
  const krm::FunctionConfig config = config_of(
      "functionConfig:\n  apiVersion: v1\n  kind: ConfigMap\n  metadata: {name: function-input}\n"
      "  data: {profile: a100, gpus: \"2\", mode: validate, failOnWarnings: \"true\"}\n");
  CHECK(config.form == krm::FunctionConfig::Form::data);
  CHECK(config.data ==
        std::vector<std::pair<std::string, std::string>>{{"profile", "a100"}, {"gpus", "2"}});
  CHECK(config.mode == krm::Mode::validate);
  CHECK(config.fail_on_warnings);
}

TEST_CASE("a GpuProfile goes to the loader on its own lines, without what is not its own") {
  const krm::FunctionConfig config = config_of(
      "functionConfig:\n"
      "  apiVersion: gpuspec.dev/v1alpha1\n"
      "  kind: GpuProfile\n"
      "  spec:\n"
      "    mode: validate\n"
      "    logFile: gpuspec.log\n"
      "    gpus: 1  # one\n"
      "  argsOneLiner: --gpus 2\n");
  CHECK(config.form == krm::FunctionConfig::Form::profile);
  CHECK(config.profile ==
        "\n\n\n\n"
        "  apiVersion: gpuspec.dev/v1alpha1\n"
        "  kind: GpuProfile\n"
        "  spec:\n"
        "    gpus: 1  # one\n");
  CHECK(config.mode == krm::Mode::validate);
  CHECK(config.log_file == "gpuspec.log");
}

TEST_CASE("a GpuProfile in flow style") {
  CHECK(
      config_of("functionConfig: {kind: GpuProfile, spec: {gpus: 1, mode: transform}}\n").profile ==
      std::string(3, '\n') + std::string(16, ' ') + "{kind: GpuProfile, spec: {gpus: 1}}\n");
}

TEST_CASE("what a functionConfig cannot be") {
  CHECK(refused("functionConfig: [1]\n") == "functionConfig is to be an object");
  CHECK(refused("functionConfig: {kind: GpuRules}\n") ==
        "functionConfig: this function does not know the kind \"GpuRules\"");
  CHECK(refused("functionConfig: {kind: GpuProfile, spec: {mode: check}}\n") ==
        "functionConfig: there is no mode \"check\"");
  CHECK(refused("functionConfig: {kind: ConfigMap, data: {failOnWarnings: \"yes\"}}\n") ==
        "functionConfig: failOnWarnings is true or false");
}

TEST_CASE("a ResourceList is known when it is seen") {
  const std::string head = "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n";
  CHECK(krm::is_resource_list(head + "items: []\n"));
  CHECK(
      krm::is_resource_list("{\"apiVersion\": \"config.kubernetes.io/v1beta1\", \"kind\": "
                            "\"ResourceList\"}"));
  CHECK_FALSE(krm::is_resource_list("apiVersion: v1\nkind: List\nitems: []\n"));
  CHECK_FALSE(krm::is_resource_list("apiVersion: v1\nkind: ConfigMap\ndata: {a: ResourceList}\n"));
  CHECK_FALSE(krm::is_resource_list(head + "---\n" + head));
  CHECK_FALSE(krm::is_resource_list(head + "items: [\n"));
  CHECK_FALSE(krm::is_resource_list(""));
  // Large, with its kind at the end.
  std::string large = "items:\n";
  for (int i = 0; i < 2000; ++i) large += "- {apiVersion: v1, kind: ConfigMap}\n";
  CHECK(krm::is_resource_list(large + "apiVersion: config.kubernetes.io/v1\nkind: ResourceList\n"));
}

TEST_CASE("a plugin call is one that kustomize made") {
  ::unsetenv("KUSTOMIZE_PLUGIN_CONFIG_ROOT");
  ::unsetenv("KUSTOMIZE_PLUGIN_CONFIG_STRING");
  CHECK_FALSE(krm::is_plugin_call("gpuspec", "/tmp/kust-plugin-config-1"));
  ::setenv("KUSTOMIZE_PLUGIN_CONFIG_ROOT", "/x", 1);
  CHECK(krm::is_plugin_call("gpuspec", "/tmp/kust-plugin-config-1"));
  CHECK(krm::is_plugin_call("GpuProfile", "/tmp/config"));
  CHECK_FALSE(krm::is_plugin_call("gpuspec", "pod.yaml"));
  ::unsetenv("KUSTOMIZE_PLUGIN_CONFIG_ROOT");
}
