#pragma once

#include <compare>
#include <optional>
#include <string>
#include <string_view>

namespace gpuspec::kube {

/// A Kubernetes resource quantity (apimachinery resource.Quantity): `1`, `500m`, `16Gi`, `1e3`.
/// Exact, down to 10^-9; compared by value, whatever the spelling.
class Quantity {
 public:
  Quantity() = default;  ///< zero

  /// As ParseQuantity reads it: finer than nano is rounded away from zero, and a quantity with a
  /// binary suffix stops at 2^63-1. nullopt when the text is not a quantity.
  static std::optional<Quantity> parse(std::string_view text);

  bool is_zero() const { return nanos_.empty(); }
  bool is_negative() const { return negative_; }
  /// As the API server asks it of extended resources: whole after rounding up to a thousandth.
  bool is_integer() const;
  /// Whole units, rounded away from zero, at most 2^63-1.
  long long value() const;
  /// Thousandths, rounded away from zero, at most 2^63-1.
  long long milli_value() const;

  /// The canonical spelling in its own format: `2.0` is 2, `0.5Gi` is 512Mi, `1000m` is 1.
  std::string str() const;

  /// Sum and difference; the format stays that of the left side.
  Quantity& operator+=(const Quantity& other);
  Quantity operator-() const;

  std::strong_ordering operator<=>(const Quantity& other) const;
  bool operator==(const Quantity& other) const { return (*this <=> other) == 0; }

 private:
  enum class Format { decimal, binary, exponent };

  std::string nanos_;  ///< decimal digits, most significant first; empty: zero
  bool negative_ = false;
  Format format_ = Format::decimal;
};

/// True when both are quantities of the same value, or the same text.
bool same_quantity(std::string_view a, std::string_view b);

}  // namespace gpuspec::kube
