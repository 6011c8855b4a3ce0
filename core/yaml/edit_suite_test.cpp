#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>

#include "core/testing.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"
#include "core/yaml/testing/meaning.h"
#include "core/yaml/testing/random.h"

// Every kind of change at every node of documents that others wrote: the YAML test suite, which has
// the strangest spellings there are, and real manifests.
namespace gpuspec::yaml {
namespace {

namespace fs = std::filesystem;

const Why why{"test", ""};

fs::path shared(const char* name) {
  const char* root = std::getenv("GPUSPEC_SHARED");
  return fs::path(root ? root : GPUSPEC_SOURCE_DIR "/../shared") / name;
}

std::vector<fs::path> files_below(const fs::path& dir) {
  std::vector<fs::path> files;
  for (const auto& entry : fs::recursive_directory_iterator(dir))
    if (entry.is_regular_file() &&
        (entry.path().extension() == ".yaml" || entry.path().extension() == ".json"))
      files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  return files;
}

std::string read_file(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// What happened to the changes, over all documents.
struct Tally {
  std::size_t changes = 0;
  std::size_t witnessed = 0;
  std::map<std::string, std::size_t> refused;  ///< by message
  std::vector<std::string> failed;
};

using Work = std::function<void(Changes&)>;

void attempt(const Tree& tree, bool witness, const std::string& what, const Work& work,
             Tally& tally) {
  ++tally.changes;
  const std::string before(tree.text);
  std::string after;
  std::string problem;
  try {
    Changes changes(tree);
    work(changes);
    after = apply(before, tree.base, edits_for(changes));
    problem = prove(changes, after);
    if (problem.empty() && witness) {
      ++tally.witnessed;
      if (!testing::same(testing::witness(after), testing::meaning(after)))
        problem = "yaml-cpp reads it otherwise";
    }
  } catch (const text::Error& error) {
    ++tally.refused[std::string(error.what()).substr(0, 24)];
    return;
  } catch (const YAML::Exception& error) {
    problem = std::string("yaml-cpp: ") + error.what();
  }
  if (!problem.empty())
    tally.failed.push_back(what + ": " + problem + "\n--- before\n" + before + "\n--- after\n" +
                           after + "\n---");
}

/// Whether yaml-cpp reads a document as we do.
bool agrees(const Tree& tree) {
  try {
    return testing::same(testing::witness(std::string(tree.text)), testing::meaning(tree, 0));
  } catch (const std::exception&) {
    return false;
  }
}

void change_node(const Tree& tree, NodeId node, NodeId key, NodeId parent, bool witness,
                 Tally& tally) {
  const Value value = Value::mapping({{"a", Value::sequence({Value::string("1")})}});
  const Place here{node, {}};
  const Type type = type_of(tree, node);
  const auto go = [&](const char* what, const Work& work) {
    attempt(tree, witness, what, work, tally);
  };
  if (type == Type::mapping) {
    go("add", [&](Changes& c) { c.set(here, "gpuspec", value, why); });
    go("add string", [&](Changes& c) { c.set(here, "A", Value::string("one\ntwo\n"), why); });
  }
  if (type == Type::sequence) go("append", [&](Changes& c) { c.append(here, value, why); });
  if (type == Type::null) {
    go("fill mapping", [&](Changes& c) { c.set(here, "gpuspec", value, why); });
    go("fill sequence", [&](Changes& c) { c.append(here, Value::string("no"), why); });
  }
  if (parent != no_node && key != no_node && tree[tree.resolve(key)].kind == Kind::scalar) {
    const std::string name = scalar_text(tree, tree.resolve(key));
    go("remove", [&](Changes& c) { c.remove({parent, {}}, name, why); });
    go("rename", [&](Changes& c) { c.rename({parent, {}}, name, "gpu: spec", why); });
    go("replace", [&](Changes& c) { c.set({parent, {}}, name, Value::string("other"), why); });
    go("replace all", [&](Changes& c) { c.set({parent, {}}, name, value, why); });
    go("remove and add", [&](Changes& c) {
      c.remove({parent, {}}, name, why);
      c.set({parent, {}}, "gpuspec", value, why);
    });
  }
}

/// All nodes with their keys and parents; `chance`: so many of a hundred.
void change_nodes(const Tree& tree, testing::Random& random, std::size_t chance, Tally& tally) {
  const bool witness = agrees(tree);
  change_node(tree, 0, no_node, no_node, witness, tally);
  for (NodeId parent = 0; parent < tree.nodes.size(); ++parent) {
    const bool mapping = tree[parent].kind == Kind::mapping;
    if (!mapping && tree[parent].kind != Kind::sequence) continue;
    for (NodeId child = first_child(tree, parent); child != no_node;) {
      const NodeId value = mapping ? value_of(tree, child) : child;
      // yaml-cpp loses its way in empty keys of flow mappings.
      const bool lost = mapping && (tree[child].flags & empty);
      if (random.chance(chance))
        change_node(tree, value, mapping ? child : no_node, parent, witness && !lost, tally);
      child = next_sibling(tree, parent, value);
    }
  }
}

void change_stream(const std::string& text, testing::Random& random, std::size_t chance,
                   Tally& tally) {
  for (const Segment& segment : split_documents(text)) {
    Tree tree;
    try {
      read_document(std::string_view(text).substr(segment.begin, segment.end - segment.begin),
                    segment.begin, tree);
    } catch (const text::Error&) {
      continue;
    }
    if (tree.has_content) change_nodes(tree, random, chance, tally);
  }
}

void report(const char* name, const Tally& tally) {
  std::size_t refused = 0;
  for (const auto& [message, count] : tally.refused) refused += count;
  std::cout << name << ": " << tally.changes << " changes, " << refused << " refused, "
            << tally.witnessed << " witnessed\n";
  for (const auto& [message, count] : tally.refused)
    std::cout << "  " << count << " " << message << "\n";
  for (std::size_t i = 0; i < std::min<std::size_t>(tally.failed.size(), 8); ++i)
    UNSCOPED_INFO(tally.failed[i]);
  CHECK(tally.failed.size() == 0);
  CHECK(tally.changes > 1000);
}

std::string unmask(std::string text) {
  const auto replace_all = [&text](std::string_view from, std::string_view to) {
    for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
      text.replace(at, from.size(), to);
  };
  replace_all("␣", " ");
  for (const char* tab : {"————»", "———»", "——»", "—»", "»"}) replace_all(tab, "\t");
  replace_all("⇔", "\xEF\xBB\xBF");
  replace_all("↵", "");
  replace_all("←", "\r");
  replace_all("∎\n", "");
  return text;
}

}  // namespace

TEST_CASE("Every change of every node of the YAML test suite is proved or refused",
          "[edit][suite]") {
  const fs::path dir = shared("yaml-test-suite/src");
  if (!fs::exists(dir)) {
    std::cout << "skipped: edits of the YAML test suite: no shared data\n";
    return;
  }
  Tally tally;
  testing::Random random(1);
  for (const fs::path& file : files_below(dir)) {
    const std::string bytes = read_file(file);
    Tree suite;
    read_document(bytes, 0, suite);
    for (const NodeId item : items(suite, 0)) {
      const auto yaml = get_text(suite, item, "yaml");
      if (yaml && get(suite, item, "fail") == no_node)
        change_stream(unmask(*yaml), random, 100, tally);
    }
  }
  report("yaml-test-suite", tally);
}

TEST_CASE("Changes of real manifests are proved", "[edit][corpus]") {
  const fs::path dir = shared("corpus");
  if (!fs::exists(dir)) {
    std::cout << "skipped: edits of the corpus: no shared data\n";
    return;
  }
  Tally tally;
  testing::Random random(1);
  for (const fs::path& file : files_below(dir)) change_stream(read_file(file), random, 2, tally);
  report("corpus", tally);
}

}  // namespace gpuspec::yaml
