#include "core/profile/native.h"

#include <array>
#include <map>
#include <set>

#include "core/accelerator/platforms.h"
#include "core/profile/builtin.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

/// A profile of the file, read far enough to know what it extends.
struct Raw {
  std::string name;
  std::string description;
  bool on_request = false;
  const Node* spec = nullptr;
  const Node* extends = nullptr;
};

class File {
 public:
  File(const text::Source& source, const std::vector<Node>& documents) : source_(source) {
    for (const Node& document : documents) read_document(document);
  }

  std::vector<Profile> profiles() {
    std::vector<Profile> out;
    for (const Raw& raw : raws_) out.push_back(build(raw));
    return out;
  }

 private:
  void read_document(const Node& document) {
    const Cursor cursor(source_, document, "");
    Map map = cursor.map();
    const auto version = map.take("apiVersion");
    const auto kind = map.take("kind");
    const auto metadata = map.take("metadata");
    const auto spec = map.take("spec");
    map.finish();
    constexpr std::array<std::string_view, 1> versions = {native_api_version};
    constexpr std::array<std::string_view, 1> kinds = {native_kind};
    if (!version)
      throw cursor.error("apiVersion is missing", "apiVersion: " + std::string(native_api_version));
    version->one_of(versions);
    if (!kind) throw cursor.error("kind is missing", "kind: " + std::string(native_kind));
    kind->one_of(kinds);
    if (!metadata) throw cursor.error("metadata is missing", "metadata: {name: my-profile}");
    if (!spec) throw cursor.error("spec is missing", "an empty one is spec: {}");
    Raw raw;
    const Cursor name = read_metadata(*metadata, raw);
    if (!spec->node().is_mapping()) throw spec->unexpected("a mapping");
    raw.spec = &spec->node();
    raw.extends = spec->node().find("extends");
    if (const Node* on_request = spec->node().find("onRequest")) {
      raw.on_request = spec->at(*on_request, "onRequest").boolean();
    }
    for (const Raw& other : raws_) {
      if (other.name == raw.name) {
        throw name.error("there is another profile named \"" + raw.name + "\" in this file",
                         "give each profile a name of its own");
      }
    }
    raws_.push_back(raw);
  }

  static Cursor read_metadata(const Cursor& metadata, Raw& raw) {
    Map map = metadata.map();
    const auto name = map.take("name");
    const auto annotations = map.take("annotations");
    map.take("namespace");
    map.take("labels");
    map.take("creationTimestamp");
    map.finish();
    if (!name) throw metadata.error("name is missing", "metadata: {name: my-profile}");
    raw.name = name->string();
    if (annotations) {
      if (!annotations->node().is_mapping()) throw annotations->unexpected("a mapping");
      for (const Member& member : annotations->node().members) {
        if (!member.value.is_string()) annotations->at(member.value, member.key).string();
        if (member.key == "gpuspec.dev/description") raw.description = member.value.text;
      }
    }
    return *name;
  }

  /// The profile with everything it extends. Built each time: files are small.
  Profile build(const Raw& raw) {
    Profile profile;
    if (raw.extends) profile = base_of(raw);
    building_.insert(raw.name);
    profile.name = raw.name;
    profile.source = source_.name();
    profile.description = raw.description;
    profile.on_request = raw.on_request;
    Map spec = Cursor(source_, *raw.spec, "spec").map();
    spec.take("extends");
    spec.take("onRequest");
    read_spec(spec, profile);
    building_.erase(raw.name);
    return profile;
  }

  Profile base_of(const Raw& raw) {
    const Cursor extends(source_, *raw.extends, "spec.extends");
    const std::string name = extends.string();
    const auto* platform = accelerator::find_platform(name);
    for (const Raw& other : raws_) {
      if (other.name != name) continue;
      if (&other == &raw && platform) break;  // a profile named gke may extend the built-in gke
      if (&other == &raw || building_.count(name)) {
        throw extends.error("\"" + raw.name + "\" extends itself" +
                                (name == raw.name ? "" : ", by way of \"" + name + '"'),
                            "one of the profiles must stand by itself, or extend a built-in one");
      }
      building_.insert(raw.name);
      Profile base = build(other);
      building_.erase(raw.name);
      return base;
    }
    if (platform) return platform_profile(*platform);
    std::vector<std::string_view> known = builtin_names();
    for (const Raw& other : raws_) known.push_back(other.name);
    const auto near = text::closest(name, known);
    throw extends.error("there is no profile \"" + name + "\" to extend",
                        near.empty()
                            ? "a profile of this file or a built-in one (gpuspec profile list)"
                            : "did you mean \"" + std::string(near) + "\"?");
  }

  const text::Source& source_;
  std::vector<Raw> raws_;
  std::set<std::string> building_;
};

}  // namespace

bool is_native(const Node& document) {
  const Node* kind = document.find("kind");
  const Node* version = document.find("apiVersion");
  return (kind && kind->text == native_kind) ||
         (version && version->text.starts_with("gpuspec.dev/"));
}

std::vector<Profile> read_native(const text::Source& source, const std::vector<Node>& documents) {
  return File(source, documents).profiles();
}

}  // namespace gpuspec::profile
