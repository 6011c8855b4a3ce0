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
  std::optional<std::string> text;
};

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

/// Reads, layers and resolves. Throws Error (exit 2), std::system_error when a file cannot be read.
Loaded load(const LoadRequest& request);

/// What a manifest's annotations gpuspec.dev/profile, /accelerator and /partition ask for (empty:
/// not there), made from a profile of `loaded`. Flags still win. Throws Error with the annotation's
/// problem.
Profile choose(const Loaded& loaded, const Profile& base, const std::string& profile,
               const std::string& accelerator, const std::string& partition, Warnings& warnings);

}  // namespace gpuspec::profile
