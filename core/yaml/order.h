#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace gpuspec::yaml {

/// How the keys of a mapping are ordered.
enum class Order {
  none,
  natural,  ///< as kubectl prints YAML
  bytes,    ///< as kubectl prints JSON
};

/// The order of kubectl's YAML (go-yaml v2): letters by code point, other characters before
/// letters, digits by the number they make, a prefix first.
bool natural_less(std::string_view a, std::string_view b);

bool comes_before(Order order, std::string_view a, std::string_view b);

/// The order that these keys are in. One key alone is in no order: that says nothing.
Order order_of(const std::vector<std::string>& keys);

}  // namespace gpuspec::yaml
