// How fast the reader is by itself, on manifests of the usual kinds.

#include <string>

#include <benchmark/benchmark.h>

#include "core/text/utf8.h"
#include "core/yaml/reader.h"
#include "core/yaml/segment.h"

namespace {

using gpuspec::yaml::Tree;

constexpr const char* block_item =
    "- apiVersion: v1\n"
    "  kind: Pod\n"
    "  metadata:\n"
    "    annotations:\n"
    "      prometheus.io/port: \"8080\"\n"
    "    labels:\n"
    "      app.kubernetes.io/name: server\n"
    "    name: server-6d4cf56db6-x7x9k\n"
    "  spec:\n"
    "    containers:\n"
    "    - args: [--listen=:8080, '--log-format=json']\n"
    "      image: registry.example.com/team/server:1.4.2 # pinned\n"
    "      name: server\n"
    "      resources:\n"
    "        limits:\n"
    "          memory: 512Mi\n"
    "          nvidia.com/gpu: \"1\"\n"
    "    tolerations:\n"
    "    - effect: NoExecute\n"
    "      key: node.kubernetes.io/not-ready\n"
    "      operator: Exists\n";

constexpr const char* json_item =
    R"({"apiVersion":"v1","kind":"Pod","metadata":{"labels":{"app":"server"},"name":"server"},)"
    R"("spec":{"containers":[{"image":"registry.example.com/server:1","name":"server",)"
    R"("resources":{"limits":{"memory":"512Mi","nvidia.com/gpu":"1"}}}]}})";

std::string block_list(int items) {
  std::string text;
  for (int i = 0; i < items; ++i) text += block_item;
  return text;
}

std::string json_list(int items) {
  std::string text = "[";
  for (int i = 0; i < items; ++i) text += std::string(i == 0 ? "" : ",\n") + json_item;
  return text + "]\n";
}

void read(benchmark::State& state, const std::string& text) {
  Tree tree;
  for (auto _ : state) {
    gpuspec::yaml::read_document(text, 0, tree);
    benchmark::DoNotOptimize(tree.nodes.data());
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}

void read_block(benchmark::State& state) {
  read(state, block_list(static_cast<int>(state.range(0))));
}
BENCHMARK(read_block)->Arg(1)->Arg(100)->Arg(10000);

void read_json(benchmark::State& state) {
  read(state, json_list(static_cast<int>(state.range(0))));
}
BENCHMARK(read_json)->Arg(1)->Arg(100)->Arg(10000);

void cut_documents(benchmark::State& state) {
  std::string text;
  for (int i = 0; i < 1000; ++i) text += "---\n" + std::string(block_item);
  for (auto _ : state) {
    gpuspec::yaml::Cutter cutter(true);
    std::size_t count = 0;
    while (cutter.next(text, 0, true)) ++count;
    benchmark::DoNotOptimize(count);
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(cut_documents);

void check_utf8(benchmark::State& state) {
  const std::string text = block_list(10000);
  for (auto _ : state) benchmark::DoNotOptimize(gpuspec::text::find_invalid_utf8(text));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * text.size()));
}
BENCHMARK(check_utf8);

}  // namespace
