#pragma once

#include <string>

#include "core/lint/rule.h"

// What is said about a rule: `gpuspec explain`, man/gpuspec-rules.7 and SARIF have it from here.
namespace gpuspec::cli {

/// The reason as one line of text.
std::string rule_reason(const lint::Rule& rule);
/// A page for a terminal.
std::string rule_text(const lint::Rule& rule, bool color = false);
std::string rule_markdown(const lint::Rule& rule);
/// A subsection of a man page.
std::string rule_man(const lint::Rule& rule);

/// One line for each rule, by groups.
std::string rule_list(bool color = false);
/// All rules as a page: man/gpuspec-rules.7.
std::string all_rules_man();
/// All rules as a page in Markdown.
std::string all_rules_markdown();

}  // namespace gpuspec::cli
