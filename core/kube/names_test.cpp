#include "core/kube/names.h"

#include "core/kube/shared_cases.h"
#include "core/testing.h"

using namespace gpuspec::kube;

TEST_CASE("names: the kinds of resources") {
  CHECK(is_extended_resource("nvidia.com/gpu"));
  CHECK(is_extended_resource("nvidia.com/mig-1g.5gb"));
  CHECK_FALSE(is_extended_resource("gpu"));
  CHECK_FALSE(is_extended_resource("alpha.kubernetes.io/nvidia-gpu"));
  CHECK_FALSE(is_extended_resource("requests.nvidia.com/gpu"));
  CHECK_FALSE(is_extended_resource("deviceclass.resource.kubernetes.io/gpu"));
  CHECK(is_prefixed_native_resource("mykubernetes.io/x"));
  CHECK(is_scalar_resource("attachable-volumes-aws-ebs"));
  CHECK(is_scalar_resource("hugepages-2Mi"));
  CHECK_FALSE(is_scalar_resource("memory"));
  CHECK(is_integer_resource("pods"));
  CHECK_FALSE(is_integer_resource("cpu"));
  CHECK_FALSE(is_overcommit_allowed("hugepages-2Mi"));
  CHECK_FALSE(is_overcommit_allowed("nvidia.com/gpu"));
}

TEST_CASE("names: an extended resource's prefix leaves room for `requests.`") {
  const std::string label(60, 'a');
  const std::string prefix = label + '.' + label + '.' + label + '.' + label;  // 243
  CHECK(is_extended_resource(prefix + "b/x"));
  CHECK_FALSE(is_extended_resource(prefix + "bb/x"));
}

TEST_CASE("names: the server's words") {
  CHECK(check_label_key("nvidia.com/gpu.product").empty());
  CHECK(check_label_value("").empty());
  CHECK(check_label_value("Tesla-V100").empty());
  CHECK_THAT(check_label_value("a b").at(0), ContainsSubstring("a valid label must be an empty"));
  CHECK(check_label_value(std::string(64, 'a')).at(0) == "must be no more than 63 bytes");
  CHECK(check_label_key("/x").at(0) == "prefix part must be non-empty");
  CHECK(check_label_key("a.b/").at(0) == "name part must be non-empty");
  CHECK_THAT(check_label_key("a/b/c").at(0),
             ContainsSubstring("a valid label key must consist of"));
  CHECK_THAT(check_qualified_name("a/b/c").at(0),
             ContainsSubstring("a qualified name must consist"));
  CHECK_THAT(check_label_key("A.B/c").at(0),
             ContainsSubstring("prefix part a lowercase RFC 1123 subdomain must consist of"));
  CHECK(check_dns1123_label("a-1").empty());
  CHECK_FALSE(check_dns1123_label("a.b").empty());
  CHECK(check_dns1123_subdomain("a.b").empty());
  CHECK_FALSE(check_dns1123_subdomain("a..b").empty());
  CHECK(check_container_resource_name("nvidia.com/gpu").empty());
  CHECK(check_container_resource_name("gpu").at(0) ==
        "must be a standard resource type or fully qualified");
  CHECK(check_container_resource_name("pods").at(0) ==
        "must be a standard resource for containers");
  CHECK(check_container_resource_name("requests.nvidia.com/gpu").at(0) ==
        "doesn't follow extended resource name standard");
}

TEST_CASE("names: upstream cases") {
  for (const auto& c : shared_cases("k8s_resourcename_cases.json")) {
    const std::string function = c.at("function");
    const std::string input = c.at("input");
    const bool expected = c.at("result");
    CAPTURE(function, input);
    if (function == "IsNativeResource") {
      CHECK(is_native_resource(input) == expected);
    } else if (function == "IsOvercommitAllowed") {
      CHECK(is_overcommit_allowed(input) == expected);
    } else if (function == "IsHugePageResourceName") {
      CHECK(is_huge_page(input) == expected);
    } else if (function == "IsStandardResourceName") {
      CHECK(is_standard_resource(input) == expected);
    } else if (function == "IsStandardContainerResourceName") {
      CHECK(is_standard_container_resource(input) == expected);
    } else if (function == "IsExtendedResourceName") {
      CHECK(is_extended_resource(input) == expected);
    } else if (function == "IsIntegerResourceName") {
      CHECK(is_integer_resource(input) == expected);
    } else if (function == "validateResourceName") {
      CHECK(check_resource_name(input).empty() == expected);
    } else {
      FAIL("no such function here: " << function);
    }
  }
}
