#include "core/yaml/order.h"

#include <algorithm>

namespace gpuspec::yaml {
namespace {

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Letters of ASCII; what is beyond ASCII counts as letters, too, which is right for all scripts
/// that people name keys in.
bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || static_cast<unsigned char>(c) >= 0x80;
}

std::size_t digits_end(std::string_view text, std::size_t at) {
  while (at < text.size() && is_digit(text[at])) ++at;
  return at;
}

/// Compares two runs of digits as numbers of any length: negative, zero, positive.
int compare_numbers(std::string_view a, std::string_view b) {
  a.remove_prefix(std::min(a.find_first_not_of('0'), a.size()));
  b.remove_prefix(std::min(b.find_first_not_of('0'), b.size()));
  if (a.size() != b.size()) return a.size() < b.size() ? -1 : 1;
  return a.compare(b);
}

}  // namespace

bool natural_less(std::string_view a, std::string_view b) {
  const std::size_t shorter = std::min(a.size(), b.size());
  std::size_t at = 0;
  while (at < shorter && a[at] == b[at]) ++at;
  if (at == shorter) return a.size() < b.size();
  const bool after_digit = at > 0 && is_digit(a[at - 1]);
  const bool letter_a = is_letter(a[at]);
  const bool letter_b = is_letter(b[at]);
  if (letter_a && letter_b)
    return static_cast<unsigned char>(a[at]) < static_cast<unsigned char>(b[at]);
  // A number that goes on is larger than one that ends at a letter.
  if (letter_a || letter_b) return after_digit ? letter_a : letter_b;
  const std::size_t end_a = digits_end(a, at);
  const std::size_t end_b = digits_end(b, at);
  std::size_t start = at;
  while (start > 0 && is_digit(a[start - 1])) --start;
  const int order = compare_numbers(a.substr(start, end_a - start), b.substr(start, end_b - start));
  if (order != 0) return order < 0;
  if (end_a != end_b) return end_a < end_b;
  return static_cast<unsigned char>(a[at]) < static_cast<unsigned char>(b[at]);
}

bool comes_before(Order order, std::string_view a, std::string_view b) {
  return order == Order::natural ? natural_less(a, b) : a < b;
}

Order order_of(const std::vector<std::string>& keys) {
  if (keys.size() < 2) return Order::none;
  for (const Order order : {Order::natural, Order::bytes}) {
    const auto not_before = [order](const std::string& a, const std::string& b) {
      return !comes_before(order, a, b);
    };
    if (std::adjacent_find(keys.begin(), keys.end(), not_before) == keys.end()) return order;
  }
  return Order::none;
}

}  // namespace gpuspec::yaml
