#pragma once

#include <optional>
#include <string>
#include <vector>

namespace gpuspec::kube {

/// core/v1 Toleration. An empty operator means Equal.
struct Toleration {
  std::string key;
  std::string op;  ///< Exists, Equal, Lt, Gt or empty
  std::string value;
  std::string effect;  ///< NoSchedule, PreferNoSchedule, NoExecute; empty: all
  std::optional<long long> seconds;

  bool operator==(const Toleration&) const = default;
};

/// core/v1 Taint.
struct Taint {
  std::string key;
  std::string value;
  std::string effect;
};

/// Kubernetes' isSuperset: every taint that `b` tolerates, `a` tolerates too
/// (pkg/util/tolerations). With `normalise`, an empty operator is read as Equal first, as gpuspec
/// does everywhere; without, it is Kubernetes' function to the letter.
bool covers(const Toleration& a, const Toleration& b, bool normalise = true);

/// Kubernetes' MergeTolerations: first, then second, without those that another one covers.
std::vector<Toleration> merge_tolerations(const std::vector<Toleration>& first,
                                          const std::vector<Toleration>& second);

/// Kubernetes' VerifyAgainstWhitelist.
bool verify_against_whitelist(const std::vector<Toleration>& tolerations,
                              const std::vector<Toleration>& whitelist);

/// Whether the toleration tolerates the taint (api/core/v1 ToleratesTaint). `comparison_operators`
/// is the feature gate TaintTolerationComparisonOperators.
bool tolerates(const Toleration& toleration, const Taint& taint, bool comparison_operators = false);

/// `KEY[=VALUE][:EFFECT]` as kubectl taint writes it; without value the operator is Exists. Throws
/// std::invalid_argument with the reason.
Toleration parse_toleration(const std::string& text);

}  // namespace gpuspec::kube
