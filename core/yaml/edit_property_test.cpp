#include <cstdlib>
#include <iostream>

#include <nlohmann/json.hpp>

#include "core/testing.h"
#include "core/yaml/edit.h"
#include "core/yaml/reader.h"
#include "core/yaml/render.h"
#include "core/yaml/testing/meaning.h"
#include "core/yaml/testing/values.h"
#include "core/yaml/testing/writer.h"

// The guarantees of rewriting.md over documents of chance: R1 to R5 and R8 as far as they concern
// one document. Set GPUSPEC_SEED to see one document again.
namespace gpuspec::yaml {
namespace {

using testing::Document;
using testing::Form;
using testing::Random;
using testing::same;
using testing::Values;
using testing::Writer;

const Why why{"test", ""};

/// Where documents start in their source: offsets of edits count from there.
constexpr std::size_t base = 1000;

/// The place of a value inside another one, and changes to it, done to the value itself.
class Model {
 public:
  Model(Value value, Random& random) : value_(std::move(value)), r_(random) {}

  const Value& value() const { return value_; }

  /// Keys that lead to a mapping or sequence, sometimes to one that is not there yet.
  std::vector<std::string> path(Value::Kind kind, Values& values) {
    for (int attempt = 0; attempt < 20; ++attempt) {
      std::vector<std::string> keys;
      Value* at = &value_;
      while (!at->entries.empty() || !at->items.empty()) {
        if (at->kind == kind && r_.chance(30)) break;
        if (at->is_mapping()) {
          auto& [key, entry] = at->entries[r_.below(at->entries.size())];
          keys.push_back(key.text);
          at = &entry;
        } else {
          const std::size_t index = r_.below(at->items.size());
          keys.push_back("[" + std::to_string(index) + "]");
          at = &at->items[index];
        }
      }
      const bool nothing =
          (at->kind == Value::Kind::plain && at->text == "null") ||
          ((at->is_mapping() || at->is_sequence()) && at->entries.empty() && at->items.empty());
      if (at->kind != kind && !nothing) continue;
      if (kind == Value::Kind::mapping || nothing || at->is_mapping()) {
        for (std::size_t more = r_.chance(20) ? 1 + r_.below(2) : 0; more > 0; --more) {
          std::string key = values.key();
          if (at && at->find(key)) break;
          keys.push_back(key);
          at = nullptr;
        }
      }
      return keys;
    }
    return {};
  }

  Value* find(const std::vector<std::string>& keys) {
    Value* at = &value_;
    for (const std::string& key : keys) {
      if (!at) return nullptr;
      if (at->is_sequence() && key.front() == '[') {
        at = &at->items[static_cast<std::size_t>(std::atoi(key.c_str() + 1))];
      } else {
        at = at->is_mapping() ? at->find(key) : nullptr;
      }
    }
    return at;
  }

  Value& make(const std::vector<std::string>& keys, Value::Kind kind) {
    Value* at = &value_;
    for (const std::string& key : keys) {
      if (at->is_sequence() && key.front() == '[' && !at->items.empty()) {
        at = &at->items[static_cast<std::size_t>(std::atoi(key.c_str() + 1))];
        continue;
      }
      if (!at->is_mapping()) *at = Value::mapping();
      if (!at->find(key)) at->entries.emplace_back(Value::string(key), Value::plain("null"));
      at = at->find(key);
    }
    if (at->kind != kind) *at = kind == Value::Kind::mapping ? Value::mapping() : Value::sequence();
    return *at;
  }

 private:
  Value value_;
  Random& r_;
};

/// One run: a document, changes, and everything that must hold.
class Run {
 public:
  explicit Run(std::uint64_t seed) : r_(seed), values_(r_) {}

  /// Empty when all is well.
  std::string check() {
    Value start = values_.mapping(0);
    document_ = Writer(r_).write(start);
    const std::string& before = document_.text;
    Tree tree;
    try {
      read_document(before, base, tree);
    } catch (const text::Error& error) {
      return std::string("reader: ") + error.what();
    }
    if (!same(testing::meaning(tree, 0), start))
      return "the document does not mean what was written";
    Model model(start, r_);
    Changes changes(tree);
    std::vector<Edit> edits;
    try {
      for (std::size_t count = 1 + r_.below(4); count > 0; --count) ask(changes, model);
      edits = edits_for(changes);
    } catch (const text::Error& error) {
      return std::string("edit: ") + error.what();
    }
    after_ = apply(before, base, edits);
    if (const std::string difference = prove(changes, after_); !difference.empty())
      return "proof: " + difference;
    if (changes.none() && after_ != before) return "changed without a change";
    std::size_t at = base;
    for (const Edit& edit : edits) {
      if (edit.begin < at || edit.end < edit.begin || edit.end > base + before.size())
        return "edits out of order";
      at = edit.end + 1;
    }
    if (!same(testing::meaning(after_), model.value()))
      return "the result does not mean what was asked for";
    if (std::string problem = check_looks(); !problem.empty()) return problem;
    if (std::string problem = check_witness(start, model.value()); !problem.empty()) return problem;
    if (std::string problem = check_proof(changes, model.value()); !problem.empty()) return problem;
    return check_again();
  }

  const std::string& before() const { return document_.text; }
  const std::string& after() const { return after_; }
  /// What was asked for, for people.
  const std::string& log() const { return log_; }
  bool witnessed() const { return witnessed_; }

 private:
  void ask(Changes& changes, Model& model) {
    const std::size_t what = r_.below(100);
    if (what < 45) {
      const auto keys = model.path(Value::Kind::mapping, values_);
      const std::string key = values_.key();
      const Value value = r_.chance(70) ? values_.scalar() : values_.value(3);
      if (const Value* mapping = model.find(keys); mapping && mapping->find(key)) replaces_ = true;
      note("set", keys, key, value);
      changes.set(place(changes.tree(), keys), key, value, why);
      Value& mapping = model.make(keys, Value::Kind::mapping);
      if (Value* there = mapping.find(key))
        *there = value;
      else
        mapping.entries.emplace_back(Value::string(key), value);
      sets_.push_back({keys, key, value});
    } else if (what < 75) {
      const auto keys = model.path(Value::Kind::sequence, values_);
      const Value* there = model.find(keys);
      if (keys.empty() || (there && there->is_mapping() && !there->entries.empty())) return;
      const Value item = r_.chance(50) ? values_.scalar() : values_.mapping(3);
      note("append", keys, "", item);
      changes.append(place(changes.tree(), keys), item, why);
      model.make(keys, Value::Kind::sequence).items.push_back(item);
    } else {
      const auto keys = model.path(Value::Kind::mapping, values_);
      Value* mapping = model.find(keys);
      if (!mapping || mapping->entries.empty()) return;
      const std::size_t index = r_.below(mapping->entries.size());
      const std::string key = mapping->entries[index].first.text;
      if (r_.chance(50)) {
        note("remove", keys, key, Value());
        changes.remove(place(changes.tree(), keys), key, why);
        mapping->entries.erase(mapping->entries.begin() + static_cast<std::ptrdiff_t>(index));
        replaces_ = true;
      } else {
        const std::string to = values_.key();
        if (mapping->find(to)) return;
        note("rename", keys, key, Value::string(to));
        changes.rename(place(changes.tree(), keys), key, to, why);
        mapping->entries[index].first.text = to;
        renamed_ = true;
      }
    }
  }

  void note(const char* what, const std::vector<std::string>& keys, const std::string& key,
            const Value& value) {
    log_ += what;
    for (const std::string& k : keys) log_ += " / " + k;
    log_ += " . " + key + " = " + flow_value(value, "", Habits()) + "\n";
  }

  /// A place by nodes as far as it is there, or by keys only.
  Place place(const Tree& tree, const std::vector<std::string>& keys) {
    Place place{0, {}};
    // Nodes that were replaced, removed or renamed no longer lie on the way.
    const bool by_nodes = !renamed_ && !replaces_ && r_.chance(70);
    for (const std::string& key : keys) place = by_nodes ? below(tree, place, key) : place / key;
    return place;
  }

  /// R1, R3: what was there and has no reason to go is there; line ends and JSON stay.
  std::string check_looks() {
    if (!replaces_) {
      for (std::size_t i = 0; i < document_.comments; ++i) {
        const std::string comment = "#c" + std::to_string(i);
        std::size_t count = 0;
        for (std::size_t at = after_.find(comment); at != std::string::npos;
             at = after_.find(comment, at + 1)) {
          const char next =
              at + comment.size() < after_.size() ? after_[at + comment.size()] : '\n';
          if (next < '0' || next > '9') ++count;
        }
        if (count != 1)
          return "the comment " + comment + " is there " + std::to_string(count) + " times";
      }
    }
    const bool crlf = document_.newline == "\r\n";
    for (std::size_t i = 0; i < after_.size(); ++i)
      if (after_[i] == '\n' && ((i > 0 && after_[i - 1] == '\r') != crlf) &&
          document_.text.find('\n') != std::string::npos)
        return "another line end";
    if (document_.form == Form::json && !nlohmann::json::accept(after_)) return "no JSON any more";
    const bool ended = !before().empty() && before().back() == '\n';
    if (!replaces_ && (after_.back() == '\n') != ended) return "the final line break changed";
    return {};
  }

  /// R4 by yaml-cpp, where it reads the input right.
  std::string check_witness(const Value& start, const Value& wanted) {
    try {
      if (!same(testing::witness(before()), start)) return {};
    } catch (const YAML::Exception&) {
      return {};
    }
    try {
      if (!same(testing::witness(after_), wanted)) return "yaml-cpp reads another result";
    } catch (const YAML::Exception& error) {
      return std::string("yaml-cpp cannot read the result: ") + error.what();
    }
    witnessed_ = true;
    return {};
  }

  /// R8: the proof sees every other result.
  std::string check_proof(const Changes& changes, const Value& wanted) {
    std::string wrong = after_;
    const std::size_t at = r_.below(wrong.size());
    static const std::vector<std::string> others = {"",  " ",  "x",  "1", "\"",
                                                    "-", ": ", "\n", "#", "*a0"};
    wrong.replace(at, r_.below(3), r_.pick(others));
    if (!prove(changes, wrong).empty()) return {};
    try {
      if (same(testing::meaning(wrong), wanted)) return {};
    } catch (const text::Error&) {
    }
    return "the proof accepts another result:\n" + wrong;
  }

  /// R5: setting the same again changes nothing.
  std::string check_again() {
    if (renamed_ || replaces_) return {};
    Tree tree;
    read_document(after_, 0, tree);
    Changes changes(tree);
    std::map<std::string, bool> done;
    for (auto set = sets_.rbegin(); set != sets_.rend(); ++set) {
      std::string path;
      for (const std::string& key : set->keys) path += key + "\n";
      if (!done.emplace(path + set->key, true).second) continue;
      const Value* there = nullptr;
      const Value now = testing::meaning(tree, 0);
      Model model(now, r_);
      std::vector<std::string> keys = set->keys;
      keys.push_back(set->key);
      there = model.find(keys);
      if (!there || !same(*there, set->value)) continue;  // a later change went there
      changes.set(place(tree, set->keys), set->key, set->value, why);
    }
    return changes.none() ? "" : "asking again changes something";
  }

  struct Set {
    std::vector<std::string> keys;
    std::string key;
    Value value;
  };

  Random r_;
  Values values_;
  Document document_;
  std::string after_;
  std::string log_;
  std::vector<Set> sets_;
  bool replaces_ = false;
  bool renamed_ = false;
  bool witnessed_ = false;
};

}  // namespace

TEST_CASE("Edits keep what rewriting.md promises, over documents of chance", "[edit][property]") {
  const char* only = std::getenv("GPUSPEC_SEED");
  const char* many = std::getenv("GPUSPEC_RUNS");
  const std::uint64_t first = only ? std::strtoull(only, nullptr, 10) : 1;
  const std::uint64_t count = only ? 1 : many ? std::strtoull(many, nullptr, 10) : 12000;
  std::uint64_t witnessed = 0;
  int failures = 0;
  for (std::uint64_t seed = first; seed < first + count && failures < 5; ++seed) {
    Run run(seed);
    const std::string problem = run.check();
    witnessed += run.witnessed();
    if (problem.empty()) continue;
    ++failures;
    UNSCOPED_INFO("GPUSPEC_SEED=" << seed << ": " << problem << "\n"
                                  << run.log() << "--- before\n"
                                  << run.before() << "\n--- after\n"
                                  << run.after() << "\n---");
  }
  CHECK(failures == 0);
  CHECK((only || witnessed > count * 7 / 10));
}

}  // namespace gpuspec::yaml
