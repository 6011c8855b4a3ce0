#include "core/kube/quantity.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>

namespace gpuspec::kube {
namespace {

constexpr int nano_digits = 9;
/// Exponents past this one are read as this one: no cluster has 10^400 of anything, and the digits
/// must fit in memory.
constexpr long long max_exponent = 400;
constexpr std::string_view max_int64 = "9223372036854775807";

struct Suffix {
  std::string_view text;
  int base;
  int exponent;
};
constexpr std::array<Suffix, 16> suffixes = {{{"n", 10, -9},
                                              {"u", 10, -6},
                                              {"m", 10, -3},
                                              {"", 10, 0},
                                              {"k", 10, 3},
                                              {"M", 10, 6},
                                              {"G", 10, 9},
                                              {"T", 10, 12},
                                              {"P", 10, 15},
                                              {"E", 10, 18},
                                              {"Ki", 2, 10},
                                              {"Mi", 2, 20},
                                              {"Gi", 2, 30},
                                              {"Ti", 2, 40},
                                              {"Pi", 2, 50},
                                              {"Ei", 2, 60}}};

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

std::string_view take_digits(std::string_view& text) {
  std::size_t n = 0;
  while (n < text.size() && is_digit(text[n])) ++n;
  const std::string_view digits = text.substr(0, n);
  text.remove_prefix(n);
  return digits;
}

void strip_leading_zeros(std::string& digits) {
  digits.erase(0, std::min(digits.find_first_not_of('0'), digits.size()));
}

// Arithmetic on decimal digits without sign.

void multiply(std::string& digits, std::uint32_t factor) {
  std::uint64_t carry = 0;
  for (auto it = digits.rbegin(); it != digits.rend(); ++it) {
    carry += static_cast<std::uint64_t>(*it - '0') * factor;
    *it = static_cast<char>('0' + carry % 10);
    carry /= 10;
  }
  for (; carry != 0; carry /= 10)
    digits.insert(digits.begin(), static_cast<char>('0' + carry % 10));
}

/// Divides and returns the remainder.
std::uint32_t divide(std::string& digits, std::uint32_t divisor) {
  std::uint64_t rest = 0;
  for (char& digit : digits) {
    rest = rest * 10 + static_cast<std::uint64_t>(digit - '0');
    digit = static_cast<char>('0' + rest / divisor);
    rest %= divisor;
  }
  strip_leading_zeros(digits);
  return static_cast<std::uint32_t>(rest);
}

void increment(std::string& digits) {
  for (auto it = digits.rbegin(); it != digits.rend(); ++it) {
    if (*it != '9') {
      ++*it;
      return;
    }
    *it = '0';
  }
  digits.insert(digits.begin(), '1');
}

std::strong_ordering compare(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return a.size() <=> b.size();
  return a.compare(b) <=> 0;
}

std::string add(std::string_view a, std::string_view b) {
  std::string sum;
  int carry = 0;
  for (std::size_t i = 0; i < std::max(a.size(), b.size()) || carry != 0; ++i) {
    if (i < a.size()) carry += a[a.size() - 1 - i] - '0';
    if (i < b.size()) carry += b[b.size() - 1 - i] - '0';
    sum.push_back(static_cast<char>('0' + carry % 10));
    carry /= 10;
  }
  std::reverse(sum.begin(), sum.end());
  return sum;
}

/// a - b where a >= b.
std::string subtract(std::string_view a, std::string_view b) {
  std::string difference(a);
  int borrow = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    int digit = a[a.size() - 1 - i] - '0' - borrow;
    if (i < b.size()) digit -= b[b.size() - 1 - i] - '0';
    borrow = digit < 0 ? 1 : 0;
    difference[a.size() - 1 - i] = static_cast<char>('0' + digit + 10 * borrow);
  }
  strip_leading_zeros(difference);
  return difference;
}

/// Drops the last `count` digits, away from zero.
std::string round_up(std::string digits, std::size_t count) {
  if (count == 0) return digits;
  const std::size_t kept = digits.size() > count ? digits.size() - count : 0;
  const bool exact = digits.find_first_not_of('0', kept) == std::string::npos;
  digits.resize(kept);
  if (!exact) increment(digits);
  return digits;
}

long long to_integer(const std::string& digits, bool negative) {
  if (compare(digits, max_int64) >= 0)
    return negative ? -std::numeric_limits<long long>::max()
                    : std::numeric_limits<long long>::max();
  long long value = 0;
  std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return negative ? -value : value;
}

}  // namespace

std::optional<Quantity> Quantity::parse(std::string_view text) {
  if (text.empty()) return std::nullopt;
  Quantity quantity;
  if (text.front() == '-' || text.front() == '+') {
    quantity.negative_ = text.front() == '-';
    text.remove_prefix(1);
  }
  std::string digits(take_digits(text));
  long long exponent = 0;  // of ten
  if (text.starts_with('.')) {
    text.remove_prefix(1);
    const std::string_view fraction = take_digits(text);
    digits += fraction;
    exponent = -static_cast<long long>(fraction.size());
  }
  strip_leading_zeros(digits);

  int binary_exponent = 0;
  const auto* suffix = std::find_if(suffixes.begin(), suffixes.end(),
                                    [&](const Suffix& known) { return known.text == text; });
  if (suffix != suffixes.end()) {
    if (suffix->base == 2) {
      quantity.format_ = Format::binary;
      binary_exponent = suffix->exponent;
    } else {
      exponent += suffix->exponent;
    }
  } else if (text.size() > 1 && (text.front() == 'e' || text.front() == 'E')) {
    quantity.format_ = Format::exponent;
    text.remove_prefix(1);
    const bool minus = text.starts_with('-');
    if (minus || text.starts_with('+')) text.remove_prefix(1);
    const std::string_view power = take_digits(text);
    if (power.empty() || !text.empty()) return std::nullopt;
    long long value = 0;
    if (std::from_chars(power.data(), power.data() + power.size(), value).ec != std::errc())
      return std::nullopt;
    value = std::min(value, max_exponent + static_cast<long long>(digits.size()));
    exponent += minus ? -value : value;
  } else {
    return std::nullopt;
  }

  if (digits.empty()) {
    quantity.negative_ = false;
    return quantity;
  }
  for (int i = 0; i < binary_exponent / 10; ++i) multiply(digits, 1024);
  exponent += nano_digits;
  if (exponent >= 0) {
    digits.append(static_cast<std::size_t>(std::min(exponent, 2 * max_exponent)), '0');
  } else {
    digits = round_up(std::move(digits), static_cast<std::size_t>(-exponent));
  }
  const std::string cap = std::string(max_int64) + std::string(nano_digits, '0');
  if (quantity.format_ == Format::binary && compare(digits, cap) > 0) digits = cap;
  quantity.nanos_ = std::move(digits);
  return quantity;
}

long long Quantity::value() const {
  return to_integer(round_up(nanos_, 9), negative_);
}

long long Quantity::milli_value() const {
  return to_integer(round_up(nanos_, 6), negative_);
}

bool Quantity::is_integer() const {
  const std::string milli = round_up(nanos_, 6);
  return milli.empty() || milli.ends_with("000");
}

std::string Quantity::str() const {
  if (is_zero()) return "0";
  const std::string sign = negative_ ? "-" : "";
  if (format_ == Format::binary && compare(nanos_, "1024000000000") >= 0) {
    // Fractions of a byte are rounded up; factors of 1024 become the suffix.
    std::string units = round_up(nanos_, 9);
    std::size_t power = 0;
    for (; power < 6; ++power) {
      std::string quotient = units;
      if (divide(quotient, 1024) != 0) break;
      units = std::move(quotient);
    }
    return sign + units + (power == 0 ? "" : std::string(suffixes[9 + power].text));
  }
  std::string digits = nanos_;
  int exponent = -nano_digits;
  const int last = format_ == Format::exponent ? std::numeric_limits<int>::max() : 18;
  while (exponent < last && digits.size() > 3 && digits.ends_with("000")) {
    digits.resize(digits.size() - 3);
    exponent += 3;
  }
  if (format_ == Format::exponent)
    return sign + digits + (exponent == 0 ? "" : "e" + std::to_string(exponent));
  return sign + digits + std::string(suffixes[static_cast<std::size_t>(exponent / 3 + 3)].text);
}

Quantity& Quantity::operator+=(const Quantity& other) {
  if (negative_ == other.negative_) {
    nanos_ = add(nanos_, other.nanos_);
  } else if (compare(nanos_, other.nanos_) >= 0) {
    nanos_ = subtract(nanos_, other.nanos_);
  } else {
    nanos_ = subtract(other.nanos_, nanos_);
    negative_ = other.negative_;
  }
  if (nanos_.empty()) negative_ = false;
  return *this;
}

Quantity Quantity::operator-() const {
  Quantity result = *this;
  result.negative_ = !negative_ && !is_zero();
  return result;
}

std::strong_ordering Quantity::operator<=>(const Quantity& other) const {
  if (negative_ != other.negative_)
    return negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  return negative_ ? compare(other.nanos_, nanos_) : compare(nanos_, other.nanos_);
}

bool same_quantity(std::string_view a, std::string_view b) {
  if (a == b) return true;
  const auto left = Quantity::parse(a);
  const auto right = Quantity::parse(b);
  return left && right && *left == *right;
}

}  // namespace gpuspec::kube
