#include "core/rewrite/unit.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/profile/error.h"
#include "core/rewrite/annotations.h"
#include "core/rewrite/asking.h"
#include "core/rewrite/emit.h"
#include "core/rewrite/helm.h"
#include "core/rewrite/rules.h"
#include "core/rewrite/shape.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"

namespace gpuspec::rewrite {
namespace {

/// A profile with its selection.
struct Active {
  const profile::Profile* profile;
  const Selection* selection;
};

void check_profile(const profile::Profile& profile) {
  const auto refuse = [&](const std::string& text, const std::string& hint) {
    throw profile::Error(profile::Place{.file = profile.source, .snippet = {}}, text, hint);
  };
  const bool as_entries = profile.selector_style == profile::SelectorStyle::node_selector;
  const auto& instead = profile.unpartitioned_requirement;
  if (as_entries && profile.unpartitioned &&
      !(instead && instead->op == "In" && instead->values.size() == 1))
    refuse("an unpartitioned device cannot be required with a nodeSelector",
           "use the selector style affinity: it can say that a label does not exist");
  if (profile.gpus && *profile.gpus < 0) refuse("gpus is negative", "");
  if (profile.partition && profile.unpartitioned)
    refuse("a partition and an unpartitioned device exclude each other", "");
}

/// Several profiles say the same about a pod; people want to read it once.
void drop_repeated(std::vector<Message>& messages, std::size_t first) {
  for (std::size_t i = first; i < messages.size();) {
    const auto begin = messages.begin() + static_cast<std::ptrdiff_t>(first);
    const auto at = messages.begin() + static_cast<std::ptrdiff_t>(i);
    const bool known = std::any_of(begin, at, [&](const Message& earlier) {
      return earlier.offset == at->offset && earlier.text == at->text;
    });
    if (known) {
      messages.erase(at);
    } else {
      ++i;
    }
  }
}

/// Rewrites the objects of one document.
class DocumentRewriter {
 public:
  DocumentRewriter(const yaml::Tree& tree, const Prepared& prepared, Outcome& outcome)
      : tree_(tree), prepared_(prepared), outcome_(outcome), changes_(tree) {}

  void rewrite(const kube::Object& object);
  const yaml::Changes& changes() const { return changes_; }
  /// Adds the records, now that their places are known.
  void report();

 private:
  struct PodState {
    const kube::Pod* pod;
    std::optional<PodModel> model;
  };

  bool any_asks(const std::vector<PodState>& pods, const profile::Profile& profile) const;
  bool asks_now(const PodState& state, const profile::Profile& profile) const;
  void apply(const kube::Object& object, const Active& active, std::vector<PodState>& pods,
             std::size_t index);
  void finish(const kube::Object& object, const PodModel& model);
  void warn_frozen(const kube::Object& object, std::size_t first_record);

  const yaml::Tree& tree_;
  const Prepared& prepared_;
  Outcome& outcome_;
  yaml::Changes changes_;
  std::vector<Pending> records_;
};

bool DocumentRewriter::asks_now(const PodState& state, const profile::Profile& profile) const {
  return state.model ? asks(*state.model, profile) : asks(tree_, *state.pod, profile);
}

bool DocumentRewriter::any_asks(const std::vector<PodState>& pods,
                                const profile::Profile& profile) const {
  // As the manifest has it: the first group that was given one does not keep it from the next.
  return std::any_of(pods.begin(), pods.end(),
                     [&](const PodState& state) { return asks(tree_, *state.pod, profile); });
}

void DocumentRewriter::apply(const kube::Object& object, const Active& active,
                             std::vector<PodState>& pods, std::size_t index) {
  const profile::Profile& profile = *active.profile;
  PodState& state = pods[index];
  bool wanted = profile.select.all_pods || asks_now(state, profile);
  // An accelerator is given to the groups that ask for one; to all that may have one when none
  // asks.
  if (!wanted && gives_accelerator(profile))
    wanted = !state.pod->never_accelerated && !any_asks(pods, profile);
  if (!wanted) return;
  if (!state.model) {
    state.model = load_pod(tree_, object, *state.pod);
    ++outcome_.pods;
  }
  apply_profile(profile, *state.model, outcome_.messages);
}

void DocumentRewriter::rewrite(const kube::Object& object) {
  ++outcome_.objects;
  const std::size_t first_message = outcome_.messages.size();
  const Choice object_choice = read_choice(tree_, object.annotations);
  if (object_choice.ignore) return;
  std::vector<Active> usual;
  for (std::size_t i = 0; i < prepared_.profiles.size(); ++i) {
    if (prepared_.selections[i].takes(tree_, object))
      usual.push_back({&prepared_.profiles[i], &prepared_.selections[i]});
  }
  std::vector<PodState> pods;
  pods.reserve(object.pods.size());
  for (const kube::Pod& pod : object.pods) pods.push_back({&pod, std::nullopt});
  for (std::size_t i = 0; i < pods.size(); ++i) {
    const Choice choice = choice_of(tree_, *pods[i].pod, object_choice);
    if (choice.ignore || (usual.empty() && choice.empty())) continue;
    for (const kube::Container& container : pods[i].pod->containers)
      refuse_misplaced(tree_, container);
    if (choice.empty()) {
      for (const Active& active : usual) apply(object, active, pods, i);
      continue;
    }
    for (const profile::Profile& profile : chosen_profiles(tree_, choice, prepared_.profiles,
                                                           prepared_.settings, outcome_.messages)) {
      const Selection selection(profile);
      if (selection.takes(tree_, object)) apply(object, {&profile, &selection}, pods, i);
    }
  }
  for (const PodState& state : pods) {
    if (state.model) finish(object, *state.model);
  }
  drop_repeated(outcome_.messages, first_message);
}

void DocumentRewriter::finish(const kube::Object& object, const PodModel& model) {
  const std::size_t before = records_.size();
  emit(model, changes_, records_, outcome_.messages);
  if (records_.size() == before) return;
  kube::refuse_duplicate_keys(tree_, object, *model.at);
  warn_frozen(object, before);
  if (kube::has_last_applied(tree_, object))
    outcome_.messages.push_back(
        {Message::Level::note, tree_.base + tree_[object.node].begin,
         object_name(object) +
             ": kubectl.kubernetes.io/last-applied-configuration is left as it is"});
}

void DocumentRewriter::warn_frozen(const kube::Object& object, std::size_t first_record) {
  if (object.frozen == kube::Frozen::nothing) return;
  const auto is_refused = [&](const Pending& pending) {
    const std::string& rule = pending.record.rule;
    const bool harmless = rule.find("toleration") != std::string::npos || rule == "image" ||
                          rule.starts_with("template-");
    return object.frozen != kube::Frozen::pod || !harmless;
  };
  const auto refused = std::find_if(records_.begin() + static_cast<std::ptrdiff_t>(first_record),
                                    records_.end(), is_refused);
  if (refused == records_.end()) return;
  const std::string what =
      object.frozen == kube::Frozen::pod ? "only images and further tolerations may change"
      : object.frozen == kube::Frozen::job_template ? "the template of a Job may not change"
                                                    : "its spec may not change";
  outcome_.messages.push_back({Message::Level::warning, tree_.base + tree_[object.node].begin,
                               object_name(object) +
                                   " is live, and the API server will refuse the change of " +
                                   refused->record.field + ": " + what + "; create it anew"});
}

void DocumentRewriter::report() {
  const std::vector<std::size_t> offsets = yaml::change_offsets(changes_);
  for (Pending& pending : records_) pending.record.offset = offsets[pending.change];
  std::stable_sort(records_.begin(), records_.end(), [](const Pending& a, const Pending& b) {
    return a.record.offset < b.record.offset;
  });
  for (Pending& pending : records_) {
    outcome_.records.push_back(std::move(pending.record));
  }
}

}  // namespace

Prepared::Prepared(const Settings& given) : settings(given), profiles(given.profiles) {
  if (profiles.empty()) profiles.emplace_back();
  selections.reserve(profiles.size());
  for (const profile::Profile& profile : profiles) {
    check_profile(profile);
    selections.emplace_back(profile);
  }
}

void UnitRewriter::read(std::string_view text, std::size_t base) {
  try {
    yaml::read_document(text, base, tree_);
  } catch (const text::Error& error) {
    // Blame the template only where it comes before the place that cannot be read, or on its line.
    const std::size_t place = std::min(error.offset() - base, text.size());
    const std::size_t line_end = std::min(text.find('\n', place), text.size());
    std::size_t action = find_template_action(text);
    if (action > line_end) {
      const std::size_t line = text.rfind('\n', place == 0 ? 0 : place - 1);
      action = text.find("{{", line == std::string_view::npos ? 0 : line);
    }
    if (action > line_end) throw;
    throw template_error(base + action);
  }
}

void UnitRewriter::run(std::string_view text, std::size_t base, const kube::ListContext* context,
                       Outcome& outcome) {
  read(text, base);
  if (context == nullptr && tree_.has_content) ++outcome.documents;
  if (context != nullptr && tree_[0].kind != yaml::Kind::sequence)
    throw text::Error(base, "not a stretch of items");
  if (const auto action = find_template_action(tree_);
      action && (context != nullptr || yaml::get(tree_, 0, "apiVersion") != yaml::no_node ||
                 yaml::get(tree_, 0, "kind") != yaml::no_node))
    throw template_error(base + *action);
  const kube::Objects found = kube::find_objects(tree_, context, &prepared_.settings.kinds);
  for (const kube::Note& note : found.notes)
    outcome.messages.push_back({Message::Level::note, base + tree_[note.node].begin, note.text});
  DocumentRewriter document(tree_, prepared_, outcome);
  for (const kube::Object& object : found.objects) document.rewrite(object);
  if (document.changes().none()) return;
  std::vector<yaml::Edit> edits = yaml::edits_for(document.changes());
  const std::string edited = yaml::apply(text, base, edits);
  if (const std::string problem = yaml::prove(document.changes(), edited); !problem.empty())
    throw ProofFailed(edits.empty() ? base : edits.front().begin,
                      "the edited document does not say what it should: " + problem,
                      "this is a fault of gpuspec; nothing was written");
  document.report();
  outcome.edits.insert(outcome.edits.end(), std::make_move_iterator(edits.begin()),
                       std::make_move_iterator(edits.end()));
}

}  // namespace gpuspec::rewrite
