#include "core/lint/document.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <tuple>

#include "core/kube/workload.h"
#include "core/lint/registry.h"
#include "core/lint/template.h"
#include "core/yaml/edit.h"
#include "core/yaml/reader.h"

namespace gpuspec::lint {
namespace {

bool selected(const Settings& settings, std::string_view code) {
  return std::any_of(settings.rules.begin(), settings.rules.end(),
                     [&](const Rule* rule) { return rule->code == code; });
}

std::string name_of(const kube::Object& object) {
  std::string name = object.kind;
  if (!object.name_space.empty()) name += "/" + object.name_space;
  if (!object.name.empty()) name += "/" + object.name;
  return name;
}

/// The stretch of text to point at: of a block collection its first line only.
std::pair<std::size_t, std::size_t> span_of(const yaml::Tree& tree, yaml::NodeId node) {
  if (node == yaml::no_node) node = 0;
  std::size_t begin = tree[node].begin;
  std::size_t end = tree[node].end;
  const std::size_t newline = tree.text.find_first_of("\r\n", begin);
  if (newline != std::string_view::npos) end = std::min(end, std::max(begin, newline));
  return {tree.base + begin, tree.base + end};
}

void place(Finding& finding, const text::Source& source, std::size_t begin, std::size_t end) {
  finding.begin = begin;
  finding.end = end;
  finding.from = source.location(begin);
  finding.to = source.location(end);
  finding.line = std::string(source.line(finding.from.line));
}

Severity severity_of(const Settings& settings, const Rule& rule, std::optional<Severity> own) {
  const auto other = settings.severities.find(rule.code);
  if (other != settings.severities.end()) return other->second;
  return own.value_or(rule.severity);
}

/// A finding about a document that rules cannot look at.
void add_error(const text::Source& source, const Settings& settings, std::string_view code,
               const text::Error& error, const IgnoreComments& ignores, Result& result) {
  const Rule* rule = find_rule(code);
  Finding finding;
  finding.rule = rule;
  finding.severity = severity_of(settings, *rule, std::nullopt);
  const std::size_t offset = std::min(error.offset(), source.bytes().size());
  place(finding, source, offset, offset);
  finding.message = error.what();
  if (!error.hint().empty()) finding.message += "; " + error.hint();
  if (ignores.ignores(*rule, finding.from.line))
    ++result.suppressed;
  else
    result.findings.push_back(std::move(finding));
}

Report run_rules(const DocumentView& document) {
  Report report;
  const auto each = [&](const kube::Object* object, const kube::Pod* pod, auto member,
                        const auto& view) {
    for (const Rule* rule : document.settings.rules) {
      if (!(rule->*member)) continue;
      report.look_at(*rule, object, pod);
      (rule->*member)(view, report);
    }
  };
  each(nullptr, nullptr, &Rule::document, document);
  for (const kube::Object& object : document.objects) {
    const ObjectView object_view{document, object, document.tree};
    each(&object, nullptr, &Rule::object, object_view);
    for (const kube::Pod& pod : object.pods)
      each(&object, &pod, &Rule::pod, view_pod(object_view, pod));
  }
  return report;
}

/// The edits of one fix alone; none when it cannot be made in this text.
std::vector<text::Edit> edits_of(const yaml::Tree& tree, const Problem& problem) {
  try {
    yaml::Changes changes(tree);
    problem.apply(changes);
    return changes.none() ? std::vector<text::Edit>() : yaml::edits_for(changes);
  } catch (const text::Error&) {
    return {};
  }
}

/// Applies every fix that can be made beside those before it.
DocumentOutcome mend_all(const yaml::Tree& tree,
                         const std::vector<std::pair<const Problem*, std::size_t>>& problems) {
  DocumentOutcome outcome;
  yaml::Changes changes(tree);
  for (const auto& [problem, position] : problems) {
    yaml::Changes trial = changes;
    try {
      problem->apply(trial);
      if (trial.asked().size() == changes.asked().size()) continue;
      yaml::edits_for(trial);
    } catch (const text::Error&) {
      continue;  // it goes in the way of another one: the next pass will have it
    }
    changes = std::move(trial);
    outcome.fixed.push_back(position);
  }
  if (changes.none()) return outcome;
  outcome.edits = yaml::edits_for(changes);
  const std::string difference =
      yaml::prove(changes, yaml::apply(tree.text, tree.base, outcome.edits));
  if (!difference.empty()) throw std::logic_error("the proof of a fix failed: " + difference);
  return outcome;
}

}  // namespace

DocumentOutcome lint_document(const text::Source& source, std::string_view text, std::size_t base,
                              const Settings& settings, const IgnoreComments& ignores, bool mend,
                              yaml::Tree& tree, Seen& seen, Result& result) {
  try {
    yaml::read_document(text, base, tree);
  } catch (const text::Error& error) {
    if (is_template(text, nullptr)) {
      result.notes.push_back({error.offset(), "skipped: a template; render it first", true});
    } else if (!looks_like_object(text)) {
      result.notes.push_back({error.offset(), "skipped: no Kubernetes object", true});
    } else {
      result.unreadable = true;
      if (selected(settings, "GPU901"))
        add_error(source, settings, "GPU901", error, ignores, result);
    }
    return {};
  }
  if (!tree.has_content) return {};
  if (is_template(text, &tree)) {
    result.notes.push_back(
        {base + tree.content_begin, "skipped: a template; render it first", true});
    return {};
  }

  kube::Objects found;
  try {
    found = kube::find_objects(tree, nullptr, settings.kinds.empty() ? nullptr : &settings.kinds);
  } catch (const text::Error& error) {
    ++result.objects;
    if (selected(settings, "GPU902")) add_error(source, settings, "GPU902", error, ignores, result);
    return {};
  }
  for (const kube::Note& note : found.notes)
    result.notes.push_back(
        {base + (note.node == yaml::no_node ? 0 : tree[note.node].begin), note.text, false});
  if (found.objects.empty()) {
    result.notes.push_back({base + tree.content_begin, "skipped: no Kubernetes object", true});
    return {};
  }
  result.objects += found.objects.size();
  for (const kube::Object& object : found.objects) result.pods += object.pods.size();

  const DocumentView document{tree, source, settings, found.objects, seen};
  const Report report = run_rules(document);
  std::vector<std::pair<const Problem*, std::size_t>> fixable;
  std::set<std::tuple<const Rule*, std::size_t, std::string>> said;
  for (const Report::Item& item : report.items()) {
    const Problem& problem = item.problem;
    Finding finding;
    finding.rule = item.rule;
    finding.severity = severity_of(settings, *item.rule, problem.severity);
    const auto [begin, end] = span_of(tree, problem.node);
    // Pods that share a node (an alias, tolerations of a workflow) say the same thing once.
    if (!said.emplace(item.rule, begin, problem.message).second) continue;
    place(finding, source, begin, end);
    if (ignored_by_annotation(tree, item.object, item.pod, *item.rule) ||
        ignores.ignores(*item.rule, finding.from.line)) {
      ++result.suppressed;
      continue;
    }
    if (item.object) finding.object = name_of(*item.object);
    finding.container = problem.container;
    finding.field = problem.field;
    finding.message = problem.message;
    if (problem.apply) {
      finding.fix = problem.fix;
      if (settings.fixes || mend) {
        finding.edits = edits_of(tree, problem);
        if (finding.edits.empty())
          finding.fix.clear();
        else
          fixable.emplace_back(&problem, result.findings.size());
      }
    }
    result.findings.push_back(std::move(finding));
  }
  return mend ? mend_all(tree, fixable) : DocumentOutcome();
}

}  // namespace gpuspec::lint
