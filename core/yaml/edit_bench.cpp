// How fast changes become edits, and how fast they are proved.

#include <string>

#include <benchmark/benchmark.h>

#include "core/yaml/change.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace {

using namespace gpuspec::yaml;

constexpr const char* pod =
    "apiVersion: v1\n"
    "kind: Pod\n"
    "metadata:\n"
    "  name: train # nightly\n"
    "spec:\n"
    "  containers:\n"
    "    - name: train\n"
    "      image: \"pytorch:2.6\"\n"
    "      resources:\n"
    "        limits: {nvidia.com/gpu: 1}\n"
    "  volumes:\n"
    "    - name: data\n"
    "      emptyDir: {}\n";

/// The toleration, and the affinity with all its parents.
void ask(Changes& changes, const Tree& tree) {
  const Why why{"bench", "for the bench"};
  const Place spec{get(tree, 0, "spec"), {}};
  changes.append(spec / "tolerations",
                 Value::mapping({{"key", Value::string("nvidia.com/gpu")},
                                 {"operator", Value::string("Exists")},
                                 {"effect", Value::string("NoSchedule")}}),
                 why);
  changes.append(spec / "affinity" / "nodeAffinity" /
                     "requiredDuringSchedulingIgnoredDuringExecution" / "nodeSelectorTerms",
                 Value::mapping({{"matchExpressions", Value::sequence()}}), why);
}

void make_edits(benchmark::State& state) {
  const std::string text = pod;
  Tree tree;
  read_document(text, 0, tree);
  for (auto _ : state) {
    Changes changes(tree);
    ask(changes, tree);
    benchmark::DoNotOptimize(edits_for(changes));
  }
}
BENCHMARK(make_edits);

void prove_edits(benchmark::State& state) {
  const std::string text = pod;
  Tree tree;
  read_document(text, 0, tree);
  Changes changes(tree);
  ask(changes, tree);
  const std::string edited = apply(text, 0, edits_for(changes));
  for (auto _ : state) benchmark::DoNotOptimize(prove(changes, edited));
  state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations() * edited.size()));
}
BENCHMARK(prove_edits);

}  // namespace
