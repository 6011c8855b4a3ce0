#include "cli/verify.h"

#include <algorithm>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "cli/witness.h"

namespace gpuspec::cli {
namespace {

using Kind = Witness::Kind;

/// A key of a mapping, or an index of a sequence.
struct Step {
  std::string key;
  std::size_t index = 0;
  bool is_index = false;
};
using Steps = std::vector<Step>;

/// Where a record leads: its field as steps. Keys may have dots in them, so the way is looked for
/// in a tree that has the field. Fills `steps` and returns true when it is found.
bool find_way(const Witness& from, std::string_view field, Steps& steps) {
  if (field.empty()) return true;
  if (field.starts_with('.')) field.remove_prefix(1);
  if (field.starts_with('[')) {
    const std::size_t end = field.find(']');
    const std::size_t index = std::stoul(std::string(field.substr(1, end - 1)));
    if (index >= from.items.size()) return false;
    steps.push_back({{}, index, true});
    if (find_way(from.items[index], field.substr(end + 1), steps)) return true;
    steps.pop_back();
    return false;
  }
  for (const auto& [key, value] : from.entries) {
    if (!field.starts_with(key)) continue;
    const std::string_view rest = field.substr(key.size());
    if (!rest.empty() && rest[0] != '.' && rest[0] != '[') continue;
    steps.push_back({key});
    if (find_way(value, rest, steps)) return true;
    steps.pop_back();
  }
  return false;
}

/// The steps to the innermost mapping that begins at or before the offset: the object of a record.
bool find_object(const Witness& from, std::size_t offset, std::size_t& best, Steps& at,
                 Steps& found) {
  if (from.begin > offset) return false;
  bool any = false;
  if (from.kind == Kind::mapping && from.begin >= best) {
    best = from.begin;
    found = at;
    any = true;
  }
  for (const auto& [key, value] : from.entries) {
    at.push_back({key});
    any = find_object(value, offset, best, at, found) || any;
    at.pop_back();
  }
  for (std::size_t i = 0; i < from.items.size(); ++i) {
    at.push_back({{}, i, true});
    any = find_object(from.items[i], offset, best, at, found) || any;
    at.pop_back();
  }
  return any;
}

/// The node that steps lead to; nullptr when it is not there.
Witness* follow(Witness& from, const Steps& steps) {
  Witness* at = &from;
  for (const Step& step : steps) {
    if (step.is_index) {
      if (step.index >= at->items.size()) return nullptr;
      at = &at->items[step.index];
    } else {
      at = at->find(step.key);
      if (at == nullptr) return nullptr;
    }
  }
  return at;
}

/// The same, with what is missing made on the way.
Witness& make_way(Witness& from, const Steps& steps) {
  Witness* at = &from;
  for (const Step& step : steps) {
    if (step.is_index) {
      if (step.index >= at->items.size()) throw std::runtime_error("a list has too few items");
      at = &at->items[step.index];
      continue;
    }
    if (at->kind != Kind::mapping) *at = {.kind = Kind::mapping};
    Witness* next = at->find(step.key);
    if (next == nullptr) {
      at->entries.push_back({step.key, {}});
      next = &at->entries.back().value;
    }
    at = next;
  }
  return *at;
}

void erase(Witness& mapping, const std::string& key) {
  std::erase_if(mapping.entries, [&](const auto& entry) { return entry.key == key; });
}

/// Removes an entry, and parents that it leaves empty where the output has none either.
void remove(Witness& expected, Witness& output, Steps steps) {
  while (!steps.empty() && !steps.back().is_index) {
    const std::string key = steps.back().key;
    steps.pop_back();
    Witness* parent = follow(expected, steps);
    if (parent == nullptr) return;
    erase(*parent, key);
    if (!parent->entries.empty() || follow(output, steps) != nullptr) return;
  }
}

/// Makes the change of a record to what is expected of its object.
void apply(const rewrite::Record& record, Witness& expected, Witness& output) {
  Steps steps;
  if (record.op == "remove") {
    if (find_way(expected, record.field, steps)) remove(expected, output, steps);
    return;
  }
  if (record.op == "rename") {
    if (!find_way(expected, record.field, steps)) throw std::runtime_error("is not there");
    const std::string from = steps.back().key;
    steps.pop_back();
    for (auto& [key, value] : follow(expected, steps)->entries) {
      if (key == from) key = witness_of_json(record.value).text;
    }
    return;
  }
  if (!find_way(output, record.field, steps)) throw std::runtime_error("is not in the output");
  Witness& place = make_way(expected, steps);
  Witness value = witness_of_json(record.value);
  if (record.op == "append") {
    if (place.kind != Kind::sequence) place = {.kind = Kind::sequence};
    place.items.push_back(std::move(value));
  } else {
    place = std::move(value);
  }
}

std::string edited(std::string_view bytes, const std::vector<yaml::Edit>& edits) {
  std::string out;
  std::size_t at = 0;
  for (const yaml::Edit& edit : edits) {
    out += bytes.substr(at, edit.begin - at);
    out += edit.text;
    at = edit.end;
  }
  return out.append(bytes.substr(at));
}

/// The object that a record is about, in the document that it stands in.
struct Target {
  std::size_t document = 0;
  Steps object;
};

Target target_of(const rewrite::Record& record, const std::vector<Witness>& input) {
  Target target;
  std::size_t best = 0;
  Steps at;
  for (std::size_t i = 0; i < input.size(); ++i) {
    if (find_object(input[i], record.object_offset, best, at, target.object)) target.document = i;
  }
  return target;
}

}  // namespace

std::string verify(const text::Source& source, const rewrite::Outcome& outcome) {
  if (outcome.edits.empty()) return {};
  std::vector<Witness> expected;
  try {
    expected = read_witness(source.bytes());
  } catch (const std::runtime_error& error) {
    throw NotVerifiable(error.what());
  }
  try {
    std::vector<Witness> output = read_witness(edited(source.bytes(), outcome.edits));
    if (expected.size() != output.size()) return "the number of documents differs";
    const std::vector<Witness> input = expected;
    for (const rewrite::Record& record : outcome.records) {
      const Target target = target_of(record, input);
      Witness* before = follow(expected[target.document], target.object);
      Witness* after = follow(output[target.document], target.object);
      if (before == nullptr || after == nullptr) return record.object + ": is gone";
      try {
        apply(record, *before, *after);
      } catch (const std::runtime_error& error) {
        return record.object + ": " + record.field + ": " + error.what();
      }
    }
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const std::string difference = first_difference(expected[i], output[i]);
      if (!difference.empty()) return "document " + std::to_string(i + 1) + ": " + difference;
    }
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return {};
}

}  // namespace gpuspec::cli
