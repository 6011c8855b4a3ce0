#include "core/krm/function.h"

#include <algorithm>

#include "core/krm/resource_list.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"

namespace gpuspec::krm {
namespace {

Result::Severity severity_of(lint::Severity severity) {
  switch (severity) {
    case lint::Severity::error:
      return Result::Severity::error;
    case lint::Severity::warning:
      return Result::Severity::warning;
    case lint::Severity::info:
      return Result::Severity::info;
  }
  return Result::Severity::error;
}

/// Edits and messages of the rewriter. To a validator an edit that would be made is an error.
void add_outcome(const rewrite::Outcome& outcome, const Settings& settings, const ItemIndex& items,
                 std::vector<Result>& results) {
  for (const rewrite::Record& record : outcome.records) {
    Result result;
    result.message = record.reason;
    result.severity =
        settings.mode == Mode::validate ? Result::Severity::error : Result::Severity::info;
    result.field = record.field;
    result.proposed = record.value;
    result.rule = record.rule;
    items.describe(record.object_offset, result);
    results.push_back(std::move(result));
  }
  for (const rewrite::Message& message : outcome.messages) {
    if (message.level == rewrite::Message::Level::note) continue;
    Result result;
    result.message = message.text;
    result.severity =
        settings.fail_on_warnings ? Result::Severity::error : Result::Severity::warning;
    items.describe(message.offset, result);
    results.push_back(std::move(result));
  }
}

void add_findings(const lint::Result& findings, const Settings& settings, const ItemIndex& items,
                  std::vector<Result>& results) {
  for (const lint::Finding& finding : findings.findings) {
    Result result;
    result.message = finding.message;
    result.severity = severity_of(finding.severity);
    if (settings.fail_on_warnings && result.severity == Result::Severity::warning) {
      result.severity = Result::Severity::error;
    }
    result.field = finding.field;
    result.rule = finding.rule == nullptr ? "" : std::string(finding.rule->code);
    items.describe(finding.begin, result);
    results.push_back(std::move(result));
  }
}

bool has_error(const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(), [](const Result& result) {
    return result.severity == Result::Severity::error;
  });
}

Answer examine(const text::Source& source, const Settings& settings) {
  Answer answer;
  answer.outcome = rewrite::rewrite(source, settings.rewrite);
  if (settings.mode == Mode::validate) answer.findings = lint::lint(source, settings.lint);
  return answer;
}

/// An answer without items; apiVersion as it came.
std::string no_items(const ResourceList& list) {
  const std::string version =
      yaml::get_text(list.tree, 0, "apiVersion").value_or("config.kubernetes.io/v1");
  return "apiVersion: " + version + "\nkind: ResourceList\nitems: []\n";
}

}  // namespace

Answer run_function(const text::Source& source, const Settings& settings) {
  Answer answer = examine(source, settings);
  const ResourceList list = read_resource_list(source);
  const ItemIndex items(list.tree, list.items);
  add_outcome(answer.outcome, settings, items, answer.results);
  add_findings(answer.findings, settings, items, answer.results);
  answer.failed = has_error(answer.results);
  answer.output = settings.mode == Mode::validate
                      ? no_items(list)
                      : yaml::apply(source.bytes(), 0, answer.outcome.edits);
  answer.output = with_results(std::move(answer.output), answer.results);
  return answer;
}

std::string answer_error(const text::Source& source, const text::Error& error) {
  const ResourceList list = read_resource_list(source);
  Result result;
  result.message = error.what();
  if (!error.hint().empty()) result.message += " (" + error.hint() + ")";
  ItemIndex(list.tree, list.items).describe(error.offset(), result);
  return with_results(std::string(source.bytes()), {result});
}

Answer run_plugin(const text::Source& source, const Settings& settings) {
  Answer answer = examine(source, settings);
  const yaml::Tree none;
  const ItemIndex items(none, yaml::no_node);
  add_outcome(answer.outcome, settings, items, answer.results);
  add_findings(answer.findings, settings, items, answer.results);
  answer.failed = has_error(answer.results);
  if (settings.mode == Mode::transform) {
    answer.output = yaml::apply(source.bytes(), 0, answer.outcome.edits);
  }
  return answer;
}

}  // namespace gpuspec::krm
