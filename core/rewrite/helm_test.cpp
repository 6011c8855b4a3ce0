#include "core/rewrite/helm.h"

#include <string_view>

#include "core/testing.h"

using gpuspec::rewrite::find_template_action;

namespace {

bool has_action(std::string_view text) {
  return find_template_action(text) != std::string_view::npos;
}

}  // namespace

TEST_CASE("helm: template actions where YAML has structure") {
  CHECK(has_action("{{- if .x }}\n"));
  CHECK(has_action("a: {{ .x }}\n"));
  CHECK(has_action("a:\n  {{- toYaml .x | nindent 2 }}\n"));
  CHECK(has_action("a:\n- {{ .x }}\n"));
  CHECK(has_action("a: [{{ .x }}]\n"));
  CHECK(has_action("a: |\n  text\nb: {{ .x }}\n"));
  CHECK(find_template_action("a: 1\nb: {{ .x }}\n") == 8);
}

TEST_CASE("helm: what is text") {
  CHECK_FALSE(has_action("a: 1\n"));
  CHECK_FALSE(has_action("a: \"{{ .x }}\"\n"));
  CHECK_FALSE(has_action("a: '{{ .x }}'\n"));
  CHECK_FALSE(has_action("a: image:{{ .x }}\n"));
  CHECK_FALSE(has_action("# {{ .x }}\na: 1 # {{ .x }}\n"));
  CHECK_FALSE(has_action("a: |\n  {{ .x }}\n"));
  CHECK_FALSE(has_action("a:\n- >-\n  x\n\n    {{ .x }}\n"));
  CHECK_FALSE(has_action("a: |2\n  if:\n    {{ .x }}\n"));
}
