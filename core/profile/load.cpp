#include "core/profile/load.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <system_error>

#include "core/accelerator/platforms.h"
#include "core/profile/builtin.h"
#include "core/profile/flyte.h"
#include "core/profile/jupyterhub.h"
#include "core/profile/native.h"
#include "core/profile/resolve.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

namespace fs = std::filesystem;

bool is_file(const std::string& path) {
  std::error_code error;
  const auto status = fs::status(path, error);
  return !error && fs::exists(status) && !fs::is_directory(status);
}

bool looks_like_path(const std::string& text) {
  return text.find('/') != std::string::npos || text.ends_with(".yaml") || text.ends_with(".yml") ||
         text.ends_with(".json");
}

/// Where a profile is: a file (and the name of one of its profiles), or a built-in one.
struct Location {
  std::string file;
  std::string name;
};

Location locate(const ProfileSpec& spec) {
  if (spec.text) return {spec.spec, spec.name};
  if (is_file(spec.spec)) return {spec.spec, ""};
  for (auto colon = spec.spec.find(':'); colon != std::string::npos;
       colon = spec.spec.find(':', colon + 1)) {
    const std::string file = spec.spec.substr(0, colon);
    if (is_file(file)) return {file, spec.spec.substr(colon + 1)};
  }
  if (accelerator::find_platform(spec.spec)) return {"", spec.spec};
  const auto colon = spec.spec.rfind(':');
  const std::string file = spec.spec.substr(0, colon);
  if (looks_like_path(file))
    throw Error(Place{}, "the profile " + file + " cannot be read: there is no such file");
  const auto known = builtin_names();
  const auto near = text::closest(spec.spec, known);
  throw Error(Place{}, "there is no profile \"" + spec.spec + '"',
              near.empty() ? "a file, or one of those that gpuspec profile list prints"
                           : "did you mean " + std::string(near) + "?");
}

text::Source open(const ProfileSpec& spec, const std::string& file) {
  if (spec.text) return text::Source::from_string(spec.spec, *spec.text);
  try {
    return text::Source::open(file);
  } catch (const std::system_error& error) {
    throw Error(Place{}, "the profile " + file + " cannot be read: " + error.code().message());
  }
}

void add_native(ProfileSet& set, const text::Source& source, const std::vector<Node>& documents,
                const std::string& name) {
  set.profiles = read_native(source, documents);
  bool any = false;
  for (const Profile& profile : set.profiles) {
    set.applies.push_back(name.empty() ? !profile.on_request : profile.name == name);
    any = any || set.applies.back();
  }
  if (any) return;
  if (name.empty()) {
    // They are for manifests that name one; saying nothing would look like a success.
    set.warnings.push_back({{source.name(), 0, 0, ""},
                            "every profile of this file applies on request only",
                            "name one: FILE:NAME"});
    return;
  }
  std::vector<std::string_view> names;
  std::string all;
  for (const Profile& profile : set.profiles) {
    names.push_back(profile.name);
    all += (all.empty() ? "" : ", ") + profile.name;
  }
  const auto near = text::closest(name, names);
  throw Error(Place{}, source.name() + " has no profile \"" + name + '"',
              near.empty() ? "it has " + all : "did you mean " + std::string(near) + "?");
}

void add_jupyterhub(ProfileSet& set, const text::Source& source, const std::vector<Node>& documents,
                    const std::string& name, const Pairs& choices) {
  set.profiles = read_jupyterhub(source, documents, name, choices, set.warnings);
  set.names = jupyterhub_names(source, documents);
  for (const Profile& profile : set.profiles) {
    set.applies.push_back(name.empty() ? !profile.on_request
                                       : profile.name == name || profile.description == name);
  }
}

/// The words of a platform asked for by flag, where the profile has none of its own.
void use_platform(Profile& profile, const std::string& name) {
  const Profile words = platform_profile(*accelerator::find_platform(name));
  profile.vocabulary.platform = name;
  if (!profile.selector_style) profile.selector_style = words.selector_style;
  if (!profile.device_tolerations) profile.device_tolerations = words.device_tolerations;
  for (const auto& entry : words.resource_tolerations) {
    const bool there =
        std::any_of(profile.resource_tolerations.begin(), profile.resource_tolerations.end(),
                    [&](const auto& other) { return other.first == entry.first; });
    if (!there) profile.resource_tolerations.push_back(entry);
  }
  if (profile.interruptible.tolerations.empty()) {
    profile.interruptible.tolerations = words.interruptible.tolerations;
  }
}

class Loader {
 public:
  explicit Loader(const LoadRequest& request) : request_(request) {}

  Loaded load() {
    check_platform();
    loaded_.request = request_;
    for (const ProfileSpec& spec : request_.profiles) add(spec);
    if (request_.profiles.empty()) {
      use(platform_profile(*accelerator::find_platform(request_.platform.value_or("flyte"))), true);
    }
    if (!request_.choices.empty() && !any_options_) {
      throw Error(Place{}, "--choice: no profile here has options",
                  "choices belong to profile_options of a JupyterHub profile list");
    }
    return std::move(loaded_);
  }

 private:
  void check_platform() const {
    if (!request_.platform || accelerator::find_platform(*request_.platform)) return;
    const auto known = builtin_names();
    const auto near = text::closest(*request_.platform, known);
    throw Error(Place{}, "--platform: there is no platform \"" + *request_.platform + '"',
                near.empty() ? "gpuspec profile list prints them"
                             : "did you mean " + std::string(near) + "?");
  }

  void add(const ProfileSpec& spec) {
    ProfileSet set = read_profiles(spec, request_.choices, request_.platform);
    any_options_ = any_options_ || set.dialect == Dialect::jupyterhub;
    loaded_.warnings.insert(loaded_.warnings.end(), set.warnings.begin(), set.warnings.end());
    for (std::size_t i = 0; i < set.profiles.size(); ++i) {
      use(std::move(set.profiles[i]), set.applies[i]);
    }
  }

  void use(Profile profile, bool applies) {
    Vocabulary& words = profile.vocabulary;
    if (request_.platform) {
      use_platform(profile, *request_.platform);
    } else if (words.platform.empty() && !words.verbatim) {
      words.platform = "flyte";
    }
    if (request_.device_class) {
      words.device_class = *request_.device_class;
      words.class_by_flag = true;
    }
    profile.origin = static_cast<int>(loaded_.choosable.size());
    loaded_.choosable.push_back(profile);
    if (!applies) return;
    overlay(profile, request_.flags);
    resolve(profile, request_.flags, request_.interruptible, loaded_.warnings);
    loaded_.workloads.insert(loaded_.workloads.end(), profile.workloads.begin(),
                             profile.workloads.end());
    loaded_.profiles.push_back(std::move(profile));
  }

  const LoadRequest& request_;
  Loaded loaded_;
  bool any_options_ = false;
};

/// The profile that an annotation names.
Profile named(const Loaded& loaded, const std::string& name) {
  for (const Profile& profile : loaded.choosable) {
    if (profile.name == name || (!name.empty() && profile.description == name)) return profile;
  }
  if (const auto* platform = accelerator::find_platform(name)) return platform_profile(*platform);
  std::vector<std::string_view> known = builtin_names();
  for (const Profile& profile : loaded.choosable) known.push_back(profile.name);
  const auto near = text::closest(name, known);
  throw Error(Place{}, "gpuspec.dev/profile: there is no profile \"" + name + '"',
              near.empty() ? "name one of the files given with --profile, or a built-in one"
                           : "did you mean " + std::string(near) + "?");
}

}  // namespace

std::string_view word(Dialect dialect) {
  switch (dialect) {
    case Dialect::builtin:
      return "built-in";
    case Dialect::native:
      return "native";
    case Dialect::flyte:
      return "Flyte";
    case Dialect::jupyterhub:
      return "JupyterHub";
  }
  return "";
}

ProfileSet read_profiles(const ProfileSpec& spec, const Pairs& choices,
                         const std::optional<std::string>& platform) {
  const Location location = locate(spec);
  ProfileSet set;
  set.file = location.file;
  if (location.file.empty()) {
    set.dialect = Dialect::builtin;
    set.profiles = {platform_profile(*accelerator::find_platform(location.name))};
    set.applies = {true};
    return set;
  }
  const text::Source source = open(spec, location.file);
  const auto documents = read_documents(source);
  if (std::any_of(documents.begin(), documents.end(), is_native)) {
    add_native(set, source, documents, location.name);
  } else if (is_flyte(documents)) {
    if (!location.name.empty()) {
      throw Error(Place{},
                  location.file + " is a Flyte configuration, which has no profile \"" +
                      location.name + '"',
                  "leave out the name; a device class is chosen with --device-class");
    }
    set.dialect = Dialect::flyte;
    set.profiles = {read_flyte(source, documents, platform, set.warnings)};
    set.applies = {true};
  } else if (is_jupyterhub(documents)) {
    set.dialect = Dialect::jupyterhub;
    add_jupyterhub(set, source, documents, location.name, choices);
  } else {
    throw Error(source, documents.empty() ? 0 : documents.front().offset,
                documents.empty() ? "the profile is empty" : "this is no profile",
                "expected kind: GpuProfile, a plugins.k8s section of Flyte, or a profileList of "
                "JupyterHub");
  }
  return set;
}

std::size_t check_profiles(const ProfileSpec& spec, Warnings& warnings) {
  ProfileSet set = read_profiles(spec);
  if (set.dialect == Dialect::jupyterhub) {
    // One at a time: what is wrong with the others is kept quiet when one is named.
    for (const std::string& name : set.names) {
      ProfileSet one = read_profiles({set.file + ':' + name, std::nullopt});
      warnings.insert(warnings.end(), one.warnings.begin(), one.warnings.end());
    }
    return set.names.size();
  }
  warnings.insert(warnings.end(), set.warnings.begin(), set.warnings.end());
  for (Profile& profile : set.profiles) {
    if (profile.vocabulary.platform.empty() && !profile.vocabulary.verbatim) {
      profile.vocabulary.platform = "flyte";
    }
    resolve(profile, {}, false, warnings);
  }
  return set.profiles.size();
}

Loaded load(const LoadRequest& request) {
  return Loader(request).load();
}

Profile choose(const Loaded& loaded, const Profile& base, const std::string& profile,
               const std::string& accelerator, const std::string& partition, Warnings& warnings) {
  const auto origin = static_cast<std::size_t>(base.origin);
  Profile chosen = !profile.empty() || origin >= loaded.choosable.size() ? named(loaded, profile)
                                                                         : loaded.choosable[origin];
  Profile wish;
  if (!accelerator.empty()) wish.accelerator = accelerator;
  if (!partition.empty()) wish.partition = partition;
  overlay(chosen, wish);
  chosen.device_by_flag = false;
  overlay(chosen, loaded.request.flags);
  resolve(chosen, loaded.request.flags, loaded.request.interruptible, warnings);
  return chosen;
}

}  // namespace gpuspec::profile
