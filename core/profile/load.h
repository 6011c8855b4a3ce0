#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "core/profile/error.h"
#include "core/profile/profile.h"

namespace gpuspec::profile {

/// A profile that is asked for.
struct ProfileSpec {
  /// `FILE`, `FILE:NAME` or the NAME of a built-in one, as --profile takes it. What exists as a
  /// file is a file; so is what looks like a path (a slash, or .yaml, .yml, .json at its end).
  std::string spec;
  /// The file's text when it is in memory already (a KRM functionConfig); `spec` names it in
  /// messages.
  std::optional<std::string> text = {};
  std::string name = {};  ///< with `text`: the profile of it that is meant; empty: all that apply
};

enum class Dialect { builtin, native, flyte, jupyterhub };
std::string_view word(Dialect dialect);

/// What a spec names, as it is written: extended and with choices made, but not resolved.
struct ProfileSet {
  Dialect dialect = Dialect::native;
  std::string file;               ///< empty: built-in
  std::vector<Profile> profiles;  ///< all of the file
  std::vector<bool> applies;      ///< which of them the spec means
  /// JupyterHub: the slugs of all profiles of the list, also of those that are not in `profiles`
  /// because they cannot be used.
  std::vector<std::string> names;
  Warnings warnings;
};

/// Reads what a spec names. `choices`: for the options of a JupyterHub profile. `platform`: whose
/// labels hold where a Flyte configuration names none. Throws Error (exit 2).
ProfileSet read_profiles(const ProfileSpec& spec, const Pairs& choices = {},
                         const std::optional<std::string>& platform = std::nullopt);

/// Reads and resolves every profile of a file, as rewriting with it would. Returns their number.
/// Throws Error (exit 2).
std::size_t check_profiles(const ProfileSpec& spec, Warnings& warnings);

/// What the command line says about profiles.
struct LoadRequest {
  std::vector<ProfileSpec> profiles;  ///< none: the platform's defaults
  std::optional<std::string> platform;
  Pairs choices;                            ///< --choice OPTION=CHOICE
  std::optional<std::string> device_class;  ///< --device-class
  bool interruptible = false;
  /// The other flags. They win over every profile: single values and selections replace,
  /// tolerations, nodeSelector, env, requests and limits are added (same key: the flag's value).
  /// `accelerator` and `partition` are as the user wrote them, aliases allowed.
  Profile flags;
};

/// Profiles ready for rewriting, in the order to apply them.
struct Loaded {
  std::vector<Profile> profiles;
  /// Everything a manifest may choose with the annotation gpuspec.dev/profile: the profiles of the
  /// files (also those on request); the built-in ones come by choose() on demand.
  std::vector<Profile> choosable;
  LoadRequest request;                    ///< for choose()
  std::vector<kube::UserKind> workloads;  ///< kinds that the profiles add
  Warnings warnings;
};

/// Reads, layers and resolves. Throws Error (exit 2).
Loaded load(const LoadRequest& request);

/// What a manifest's annotations gpuspec.dev/profile, /accelerator and /partition ask for (empty:
/// not there), made from a profile of `loaded`. Flags still win. Throws Error with the annotation's
/// problem.
Profile choose(const Loaded& loaded, const Profile& base, const std::string& profile,
               const std::string& accelerator, const std::string& partition, Warnings& warnings);

}  // namespace gpuspec::profile
