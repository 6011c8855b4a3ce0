#include <cstdlib>
#include <filesystem>
#include <memory>
#include <string>

#include <CLI/App.hpp>
#include <CLI/Config.hpp>
#include <CLI/Formatter.hpp>

#include "cli/command.h"
#include "cli/console.h"
#include "cli/output.h"
#include "core/krm/kustomize_plugin.h"

namespace gpuspec::cli {
namespace {

namespace fs = std::filesystem;

struct Options {
  CLI::App* install = nullptr;
  CLI::App* example = nullptr;
  std::string home;
  bool force = false;
  bool function = false;
  std::string directory;
};

/// The plugin home that kustomize uses: the first one that exists, else the first one it would.
std::string plugin_home(const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const std::vector<krm::PluginHome> homes = krm::plugin_homes();
  for (const krm::PluginHome& home : homes) {
    if (home.exists) return home.path;
  }
  if (homes.empty())
    throw UsageError("neither HOME nor KUSTOMIZE_PLUGIN_HOME is set", "use --home");
  return homes.front().path;
}

int install(const Options& options) {
  const fs::path program = fs::read_symlink("/proc/self/exe");
  const fs::path link = krm::plugin_path(fs::absolute(plugin_home(options.home)).string());
  std::error_code ignored;
  const bool is_link = fs::is_symlink(link, ignored);
  if (is_link && fs::read_symlink(link) == program) {
    print(link.string() + " is installed already\n");
    return exit_done;
  }
  if (!is_link && fs::exists(link, ignored) && !options.force) {
    throw UsageError(link.string() + " is a file of its own", "--force replaces it");
  }
  fs::create_directories(link.parent_path());
  fs::remove(link);
  fs::create_symlink(program, link);
  print(link.string() + " -> " + program.string() +
        "\nUse it with: kubectl kustomize --enable-alpha-plugins DIR\n");
  return exit_done;
}

struct File {
  const char* name;
  std::string text;
};

const char* const pod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "metadata:\n"
    "  name: train\n"
    "spec:\n"
    "  containers:\n"
    "  - name: train\n"
    "    image: pytorch/pytorch:2.6.0-cuda12.4-cudnn9-runtime\n"
    "    resources:\n"
    "      limits:\n"
    "        nvidia.com/gpu: 1\n";

std::vector<File> example_files(bool function) {
  const std::string annotation =
      "  annotations:\n"
      "    config.kubernetes.io/function: |\n"
      "      exec: {path: gpuspec}\n";
  const std::string run = function ? "# kustomize build --enable-alpha-plugins --enable-exec .\n"
                                     "# needs gpuspec on PATH\n"
                                   : "# kubectl kustomize --enable-alpha-plugins .\n"
                                     "# needs `gpuspec kustomize install` once\n";
  return {
      {"kustomization.yaml", run + "resources:\n"
                                   "- train.yaml\n"
                                   "transformers:\n"
                                   "- gpu.yaml\n"},
      {"gpu.yaml", std::string("apiVersion: gpuspec.dev/v1alpha1\n"
                               "kind: GpuProfile\n"
                               "metadata:\n"
                               "  name: gpu\n") +
                       (function ? annotation : "") +
                       "spec:\n"
                       "  extends: gke\n"
                       "  accelerator: nvidia-tesla-t4\n"},
      {"train.yaml", pod},
  };
}

int example(const Options& options) {
  std::string out;
  for (const File& file : example_files(options.function)) {
    if (options.directory.empty()) {
      out += (out.empty() ? "" : "---\n") + ("# " + std::string(file.name) + '\n') + file.text;
      continue;
    }
    fs::create_directories(options.directory);
    const fs::path path = fs::path(options.directory) / file.name;
    if (fs::exists(path) && !options.force) {
      throw UsageError(path.string() + " is there already", "--force replaces it");
    }
    write_file(path.string(), file.text);
    out += path.string() + '\n';
  }
  print(out);
  return exit_done;
}

}  // namespace

Run add_kustomize_command(CLI::App& app, Common& common) {
  auto options = std::make_shared<Options>();
  CLI::App* command = app.add_subcommand("kustomize", "Work as a kustomize plugin");
  command->require_subcommand(1);

  options->install = command->add_subcommand(
      "install", "Put a link to this program where kubectl kustomize looks for plugins");
  options->install
      ->add_option("--home", options->home,
                   "the plugin home, instead of the one that kustomize finds")
      ->type_name("DIR")
      ->take_last();
  options->install->add_flag("--force", options->force, "replace a file that is in the way");
  add_common_options(*options->install, common);

  options->example = command->add_subcommand("example", "A kustomization that works");
  options->example->add_flag("--function", options->function,
                             "with a KRM function, instead of the plugin that kubectl can run");
  options->example->add_flag("--force", options->force, "replace files");
  options->example
      ->add_option("directory", options->directory, "write it there, instead of printing it")
      ->type_name("DIR");
  add_common_options(*options->example, common);

  return [options] { return options->install->parsed() ? install(*options) : example(*options); };
}

}  // namespace gpuspec::cli
