#include "core/kube/quantity.h"

#include "core/kube/shared_cases.h"
#include "core/testing.h"

using namespace gpuspec::kube;

namespace {

Quantity q(std::string_view text) {
  const auto quantity = Quantity::parse(text);
  REQUIRE(quantity);
  return *quantity;
}

/// The value as a decimal text without suffix, from a fraction `a/b` whose b divides 10^9 units.
std::string decimal(const std::string& fraction) {
  const std::size_t slash = fraction.find('/');
  if (slash == std::string::npos) return fraction;
  const long long below = std::stoll(fraction.substr(slash + 1));
  REQUIRE(1'000'000'000 % below == 0);
  const long long above = std::stoll(fraction.substr(0, slash));
  std::string rest = std::to_string(above % below * (1'000'000'000 / below));
  rest.insert(0, 9 - rest.size(), '0');
  return std::to_string(above / below) + '.' + rest;
}

}  // namespace

TEST_CASE("quantity: compared by value") {
  CHECK(same_quantity("1", "1000m"));
  CHECK(same_quantity("16Gi", "16384Mi"));
  CHECK(same_quantity("1e3", "1k"));
  CHECK(same_quantity("0.5", "500m"));
  CHECK(same_quantity("-0", "0"));
  CHECK_FALSE(same_quantity("1G", "1Gi"));
  CHECK_FALSE(same_quantity("x", "1"));
  CHECK(same_quantity("x", "x"));
  CHECK(q("100m") < q("1"));
  CHECK(q("-1") < q("-500m"));
  CHECK(q("-1") < q("0"));
  CHECK(q("1n") > q("0"));
}

TEST_CASE("quantity: rounding and caps") {
  CHECK(q("0.1n") == q("1n"));
  CHECK(q("-0.1n") == q("-1n"));
  CHECK(q("1e-400") == q("1n"));
  CHECK(q("100Ei") == q("9223372036854775807"));
  CHECK(q("100E") > q("9223372036854775807"));
  CHECK(q("1e100") > q("1e99"));
  CHECK(q("1.5").value() == 2);
  CHECK(q("1.5m").milli_value() == 2);
  CHECK(q("12E").value() == 9223372036854775807);
  CHECK(q("1").is_integer());
  CHECK(q("1000m").is_integer());
  CHECK_FALSE(q("1500m").is_integer());
  CHECK_FALSE(q("1n").is_integer());
}

TEST_CASE("quantity: canonical spelling") {
  CHECK(q("2.0").str() == "2");
  CHECK(q("0.5Gi").str() == "512Mi");
  CHECK(q("1000m").str() == "1");
  CHECK(q("1024Mi").str() == "1Gi");
  CHECK(q("1024m").str() == "1024m");
  CHECK(q("1.5").str() == "1500m");
  CHECK(q("1000k").str() == "1M");
  CHECK(q("1e3").str() == "1e3");
  CHECK(q("12e6").str() == "12e6");
  CHECK(q("1Ki").str() == "1Ki");
  CHECK(q("0.5Ki").str() == "512");
  CHECK(q("1500Mi").str() == "1500Mi");
  CHECK(q("-1.5Gi").str() == "-1536Mi");
  CHECK(q("0Gi").str() == "0");
}

TEST_CASE("quantity: sums") {
  Quantity sum = q("1");
  sum += q("500m");
  CHECK(sum == q("1.5"));
  sum += -q("2");
  CHECK(sum == q("-500m"));
  sum += q("0.5");
  CHECK(sum.is_zero());
  CHECK(sum == Quantity());
}

TEST_CASE("quantity: what is none") {
  for (const char* text :
       {"", " 1", "1 ", "1 k", "1kk", "1e", "1e+", "0x1", "1,5", "nan", "1i", "Kib"})
    CHECK_FALSE(Quantity::parse(text));
}

TEST_CASE("quantity: upstream cases") {
  for (const auto& c : shared_cases("k8s_quantity_cases.json")) {
    const std::string input = c.at("input");
    CAPTURE(input);
    const auto quantity = Quantity::parse(input);
    REQUIRE(quantity.has_value() == c.at("valid").get<bool>());
    if (quantity) CHECK(*quantity == q(decimal(c.at("value").get<std::string>())));
  }
}
