// The profiles in testdata/profiles: the good ones load, the broken ones say what and where, the
// JSON Schema agrees with the program about both, and printing a profile loses nothing.

#include <algorithm>
#include <set>

#include <nlohmann/json.hpp>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <yaml-cpp/yaml.h>

#include "core/profile/native.h"
#include "core/profile/node.h"
#include "core/profile/print.h"
#include "core/profile/testing.h"

namespace gpuspec::profile {
namespace {

using nlohmann::json;

json to_json(const Node& node) {
  switch (node.type) {
    case yaml::Type::mapping: {
      json out = json::object();
      for (const Member& member : node.members) out[member.key] = to_json(member.value);
      return out;
    }
    case yaml::Type::sequence: {
      json out = json::array();
      for (const Node& item : node.items) out.push_back(to_json(item));
      return out;
    }
    case yaml::Type::string:
      return node.text;
    case yaml::Type::null:
      return nullptr;
    default:
      return json::parse(node.text);
  }
}

/// What a broken file says about itself in its first three lines.
struct Expectation {
  std::string place;
  std::string text;
  std::string hint;
  std::string schema;
};

Expectation expectation_of(const std::string& text) {
  std::istringstream in(text);
  std::string error, hint, schema;
  std::getline(in, error);
  std::getline(in, hint);
  std::getline(in, schema);
  const std::string prefix = "# error: ";
  REQUIRE(error.starts_with(prefix));
  const auto end_of_place = error.find(": ", prefix.size());
  return {error.substr(prefix.size(), end_of_place - prefix.size()), error.substr(end_of_place + 2),
          hint.substr(std::string("# hint: ").size()),
          schema.substr(std::string("# schema: ").size())};
}

class Checker {
 public:
  Checker() {
    document_ = json::parse(read_text(GPUSPEC_SOURCE_DIR "/schemas/profile.schema.json"));
    valijson::SchemaParser parser(valijson::SchemaParser::kDraft7);
    parser.populateSchema(valijson::adapters::NlohmannJsonAdapter(document_), schema_);
  }

  bool accepts(const std::string& text) const {
    const auto source = text::Source::from_string("test.yaml", text);
    for (const Node& node : read_documents(source)) {
      const json document = to_json(node);
      valijson::Validator validator;
      valijson::ValidationResults results;
      if (validator.validate(schema_, valijson::adapters::NlohmannJsonAdapter(document), &results))
        continue;
      valijson::ValidationResults::Error error;
      while (results.popError(error)) {
        std::string place;
        for (const std::string& key : error.context) place += key;
        UNSCOPED_INFO(place << ": " << error.description);
      }
      return false;
    }
    return true;
  }

 private:
  json document_;
  valijson::Schema schema_;
};

/// yaml-cpp's reading of a document, with merge keys applied, as text without types.
json witness(const YAML::Node& node) {
  if (node.IsMap()) {
    json out = json::object();
    for (const auto& pair : node) {
      if (pair.first.Scalar() == "<<") {
        for (const auto& merged : pair.second)
          out.emplace(merged.first.Scalar(), witness(merged.second));
      }
    }
    for (const auto& pair : node) {
      if (pair.first.Scalar() != "<<") out[pair.first.Scalar()] = witness(pair.second);
    }
    return out;
  }
  if (node.IsSequence()) {
    json out = json::array();
    for (const auto& item : node) out.push_back(witness(item));
    return out;
  }
  return node.IsNull() ? json() : json(node.Scalar());
}

json texts(const Node& node) {
  if (node.is_mapping()) {
    json out = json::object();
    for (const Member& member : node.members) out[member.key] = texts(member.value);
    return out;
  }
  if (node.is_sequence()) {
    json out = json::array();
    for (const Node& item : node.items) out.push_back(texts(item));
    return out;
  }
  return node.is_null() ? json() : json(node.text);
}

}  // namespace

TEST_CASE("good profiles load, and the schema accepts them") {
  const Checker checker;
  for (const auto& file : files_in("good")) {
    INFO(file.filename().string());
    const std::string text = read_text(file);
    Warnings warnings;
    CHECK(check_profiles({file.string()}, warnings) > 0);
    CHECK(checker.accepts(text));
  }
}

TEST_CASE("broken profiles say what is wrong, where, and how to mend it") {
  const auto files = files_in("broken");
  CHECK(files.size() >= 30);
  for (const auto& file : files) {
    INFO(file.filename().string());
    const Expectation expected = expectation_of(read_text(file));
    try {
      Warnings warnings;
      check_profiles({file.string()}, warnings);
      FAIL_CHECK("it is accepted");
    } catch (const Error& error) {
      const Place& place = error.place();
      CHECK(std::to_string(place.line) + ':' + std::to_string(place.column) == expected.place);
      CHECK(std::string(error.what()) == expected.text);
      CHECK((error.hint().empty() ? "-" : error.hint()) == expected.hint);
    }
  }
}

TEST_CASE("the schema refuses what the program refuses") {
  const Checker checker;
  for (const auto& file : files_in("broken")) {
    const std::string text = read_text(file);
    const std::string says = expectation_of(text).schema;
    INFO(file.filename().string());
    // `none`: another dialect, or not even YAML. `accepts`: what no schema can say (another
    // document's name, the tables).
    if (says == "none") continue;
    CHECK(checker.accepts(text) == (says == "accepts"));
  }
}

TEST_CASE("printing a profile and reading it again loses nothing") {
  for (const auto& file : files_in("good")) {
    INFO(file.filename().string());
    for (const Profile& profile : read_profiles({file.string()}).profiles) {
      const std::string printed = print_native(profile);
      INFO(printed);
      const ProfileSet again = read_profiles({"printed.yaml", printed});
      REQUIRE(again.profiles.size() == 1);
      CHECK(print_native(again.profiles.front()) == printed);
    }
  }
}

TEST_CASE("yaml-cpp reads the same from profiles") {
  for (const auto& file : files_in("good")) {
    INFO(file.filename().string());
    const std::string text = read_text(file);
    const auto source = text::Source::from_string("test.yaml", text);
    const auto documents = read_documents(source);
    const auto others = YAML::LoadAll(text);
    REQUIRE(documents.size() == others.size());
    for (std::size_t i = 0; i < documents.size(); ++i)
      CHECK(texts(documents[i]) == witness(others[i]));
  }
}

TEST_CASE("every field of a pod and a container that the schema lists is known, and the reverse") {
  const json schema = json::parse(read_text(GPUSPEC_SOURCE_DIR "/schemas/profile.schema.json"));
  const json& definitions = schema["definitions"];
  for (const auto& [name, any] : definitions["podFields"]["properties"].items()) {
    CHECK(is_pod_field(name));
  }
  for (const auto& [name, any] : definitions["containerFields"]["properties"].items()) {
    CHECK(is_container_field(name));
  }
  CHECK_FALSE(is_pod_field("image"));
  CHECK_FALSE(is_container_field("tolerations"));
}

}  // namespace gpuspec::profile
