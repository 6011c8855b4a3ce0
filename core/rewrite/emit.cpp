#include "core/rewrite/emit.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "core/kube/read.h"
#include "core/rewrite/select.h"
#include "core/rewrite/values.h"

namespace gpuspec::rewrite {
namespace {

using yaml::Place;
using yaml::Value;
using yaml::Why;

constexpr std::string_view required_key = "requiredDuringSchedulingIgnoredDuringExecution";
constexpr std::string_view preferred_key = "preferredDuringSchedulingIgnoredDuringExecution";

std::string item(std::size_t index) {
  return '[' + std::to_string(index) + ']';
}

/// The mapping that holds a field, and the field's key.
std::pair<Place, std::string> split(Place field) {
  std::string key = field.keys.back();
  field.keys.pop_back();
  return {std::move(field), std::move(key)};
}

class Emitter {
 public:
  Emitter(const PodModel& pod, yaml::Changes& changes, std::vector<Pending>& records,
          std::vector<Message>& messages)
      : pod_(pod), changes_(changes), records_(records), messages_(messages) {}

  void run() {
    for (const ContainerModel& container : pod_.containers) resources(container);
    counts();
    fields(pod_.at->spec_holder, pod_.defaults);
    if (!overridden("nodeSelector")) node_selector();
    if (!overridden("affinity")) affinity();
    if (!overridden("tolerations")) tolerations();
    if (!overridden("volumes")) volumes();
    for (const ContainerModel& container : pod_.containers) contents(container);
    holder_fields();
    pairs(pod_.at->metadata, "labels", pod_.labels);
    pairs(pod_.at->metadata, "annotations", pod_.annotations);
    fields(pod_.at->spec_holder, pod_.fields);
    for (const ContainerModel& container : pod_.containers)
      fields(container.at->image_holder, container.fields);
  }

 private:
  // Changes, each with its record.

  void set(const Place& mapping, std::string_view key, const Value& value, const Why& why) {
    set(mapping, key, value, why, yaml::node_at(*pod_.tree, mapping / key) != yaml::no_node);
  }
  void set(const Place& mapping, std::string_view key, const Value& value, const Why& why,
           bool there) {
    const std::size_t before = changes_.asked().size();
    changes_.set(mapping, key, value, why);
    record(before, mapping / key, there ? "replace" : "add", value, why);
  }
  void append(const Place& sequence, const Value& value, const Why& why) {
    const std::size_t before = changes_.asked().size();
    changes_.append(sequence, value, why);
    record(before, sequence, "append", value, why);
  }
  void remove(const Place& mapping, std::string_view key, const Why& why) {
    const std::size_t before = changes_.asked().size();
    changes_.remove_and_prune(mapping, key, why);
    record(before, mapping / key, "remove", Value::plain("null"), why);
  }
  void rename(const Place& mapping, std::string_view key, std::string_view to, const Why& why) {
    const std::size_t before = changes_.asked().size();
    changes_.rename(mapping, key, to, why);
    record(before, mapping / key, "rename", Value::string(to), why);
  }
  /// `before`: how many changes there were; when none has come, nothing was to be done.
  void record(std::size_t before, const Place& place, std::string_view op, const Value& value,
              const Why& why) {
    if (changes_.asked().size() == before) return;
    also_record(place, op, value, why);
  }
  void also_record(const Place& place, std::string_view op, const Value& value, const Why& why) {
    if (changes_.asked().empty()) return;
    std::string field = kube::path_in_object(*pod_.tree, pod_.object->node, place.node);
    for (const std::string& key : place.keys) {
      if (!field.empty() && !key.starts_with('[')) field += '.';
      field += key;
    }
    records_.push_back({changes_.asked().size() - 1,
                        {.object = object_name(*pod_.object),
                         .object_offset = pod_.tree->base + (*pod_.tree)[pod_.object->node].begin,
                         .field = std::move(field),
                         .op = std::string(op),
                         .value = to_json(value),
                         .rule = why.rule,
                         .reason = why.reason}});
  }

  void cannot_say(const std::string& what, const Why& why) {
    std::string text = object_name(*pod_.object) + ": " + pod_.at->path + ": this kind has no " +
                       what + " (" + why.rule + "): not added";
    if (!pod_.at->hint.empty()) text += "; " + std::string(pod_.at->hint);
    const yaml::Tree& tree = *pod_.tree;
    messages_.push_back(
        {Message::Level::warning, tree.base + tree[pod_.at->spec].begin, std::move(text)});
  }

  static bool has(const std::vector<Field>& fields, std::string_view key) {
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field& field) { return field.key == key; });
  }
  /// A field that is replaced as a whole afterwards.
  bool overridden(std::string_view key) const { return has(pod_.fields, key); }

  // The parts of a pod.

  void resources(const ContainerModel& container) {
    if (!container.at->resources || has(container.fields, "resources")) return;
    const Place place = *container.at->resources;
    const std::pair<const char*, const Entries*> lists[] = {{"limits", &container.limits},
                                                            {"requests", &container.requests}};
    for (const auto& [list, entries] : lists) {
      for (const Entry& entry : entries->all()) {
        if (entry.removed) continue;
        if (entry.renamed && !entry.written_key.empty())
          rename(place / list, entry.written_key, entry.key, *entry.renamed);
        if (entry.why)
          set(place / list, entry.key, Value::quantity(entry.value), *entry.why,
              !entry.written_key.empty());
      }
    }
    for (const auto& [list, entries] : lists) {
      for (const Entry& entry : entries->all()) {
        if (entry.removed) remove(place / list, entry.written_key, *entry.why);
      }
    }
  }

  void scalar(const kube::Spot& spot, const Scalar& field, bool is_string) {
    if (!field.why || !spot) return;
    const auto [mapping, key] = split(*spot);
    set(mapping, key, is_string ? Value::string(field.value) : Value::quantity(field.value),
        *field.why);
  }

  void counts() {
    scalar(pod_.at->gpu_count, pod_.gpu_count, pod_.at->gpu_quoted);
    scalar(pod_.at->gpu_resource, pod_.gpu_resource, true);
    scalar(pod_.at->shared_memory, pod_.shared_memory, true);
    if (!pod_.at->ray_group) return;
    // Ray takes strings only.
    if (pod_.ray_gpus.why)
      set(*pod_.at->ray_group / "rayStartParams", "num-gpus", Value::string(pod_.ray_gpus.value),
          *pod_.ray_gpus.why);
    if (pod_.ray_resource.why)
      set(*pod_.at->ray_group / "resources", pod_.ray_resource_key,
          Value::string(pod_.ray_resource.value), *pod_.ray_resource.why);
  }

  void pairs(const kube::Spot& holder, std::string_view key, const Entries& entries) {
    if (!holder || !entries.changed()) return;
    string_entries(*holder / key, entries);
  }

  void string_entries(const Place& place, const Entries& entries) {
    for (const Entry& entry : entries.all()) {
      if (entry.why && !entry.removed)
        set(place, entry.key, Value::string(entry.value), *entry.why);
    }
    for (const Entry& entry : entries.all()) {
      if (entry.removed) remove(place, entry.written_key, *entry.why);
    }
  }

  void node_selector() {
    if (!pod_.node_selector.changed()) return;
    const Place place = *pod_.at->node_selector;
    const bool inherited = pod_.at->inherited_node_selector != yaml::no_node &&
                           pod_.at->node_selector.get(*pod_.tree) == yaml::no_node;
    if (inherited) {
      // A selector of its own hides the inherited one, so that goes along.
      const Why why{"inherited", "a nodeSelector of its own hides the inherited one"};
      for (const Entry& entry : pod_.node_selector.all()) {
        if (!entry.why && !entry.removed) set(place, entry.key, Value::string(entry.value), why);
      }
    }
    string_entries(place, pod_.node_selector);
  }

  Place terms_place() const {
    if (!pod_.at->affinity) return *pod_.at->node_selector_terms;
    return *pod_.at->affinity / "nodeAffinity" / required_key / "nodeSelectorTerms";
  }

  Value all_terms() const {
    Value list = Value::sequence();
    for (const Term& term : pod_.terms) {
      if (!term.added || !term.empty()) list.items.push_back(value_of(term));
    }
    return list;
  }

  bool terms_changed() const {
    return pod_.terms_replaced ||
           std::any_of(pod_.terms.begin(), pod_.terms.end(), [](const Term& term) {
             const auto changed = [](const Requirement& r) { return r.why.has_value(); };
             return (term.added && !term.empty()) ||
                    std::any_of(term.expressions.begin(), term.expressions.end(), changed) ||
                    std::any_of(term.fields.begin(), term.fields.end(), changed);
           });
  }

  bool preferred_changed() const {
    return std::any_of(pod_.preferred.begin(), pod_.preferred.end(),
                       [](const Preferred& term) { return term.why.has_value(); });
  }

  void affinity() {
    if (pod_.base_affinity) {
      if (pod_.affinity_why || terms_changed() || preferred_changed()) whole_affinity();
      return;
    }
    if (terms_changed()) {
      if (pod_.terms_replaced) {
        const auto [mapping, key] = split(terms_place());
        set(mapping, key, all_terms(), *pod_.terms_why);
        record_requirements(terms_place());
      } else {
        for (std::size_t i = 0; i < pod_.terms.size(); ++i) term(pod_.terms[i], i);
      }
    }
    if (!preferred_changed()) return;
    for (const Preferred& preferred : pod_.preferred) {
      if (preferred.why)
        append(*pod_.at->affinity / "nodeAffinity" / preferred_key, value_of(preferred.what),
               *preferred.why);
    }
  }

  /// The affinity as one value: a default, or a copy of what the pod inherits.
  void whole_affinity() {
    Value value = *pod_.base_affinity;
    Value& node_affinity = entry(value, "nodeAffinity");
    if (terms_changed())
      entry(entry(node_affinity, required_key), "nodeSelectorTerms") = all_terms();
    if (preferred_changed()) {
      Value& list = entry(node_affinity, preferred_key);
      list.kind = Value::Kind::sequence;
      for (const Preferred& preferred : pod_.preferred) {
        if (preferred.why) list.items.push_back(value_of(preferred.what));
      }
    }
    if (node_affinity.entries.empty()) {
      std::erase_if(value.entries, [](const auto& e) { return e.first.text == "nodeAffinity"; });
    }
    const auto [mapping, key] = split(*pod_.at->affinity);
    set(mapping, key, value,
        pod_.affinity_why.value_or(
            Why{"inherited", "an affinity of its own hides the inherited one"}));
    record_requirements(terms_place());
  }

  static Value& entry(Value& mapping, std::string_view key) {
    if (Value* found = mapping.find(key)) return *found;
    mapping.entries.emplace_back(Value::string(key), Value::mapping());
    return mapping.entries.back().second;
  }

  /// What rules put into a list that is written as a whole.
  void record_requirements(const Place& terms) {
    for (std::size_t i = 0; i < pod_.terms.size(); ++i) {
      for (const Requirement& r : pod_.terms[i].expressions) {
        if (r.why)
          also_record(terms / item(i) / "matchExpressions", "append", value_of(r.what), *r.why);
      }
    }
  }

  void term(const Term& term, std::size_t index) {
    const Place place = terms_place();
    if (term.added) {
      if (term.empty()) return;
      append(place, value_of(term), *term.why);
      // The first requirement gave its reason to the term; the others have their own.
      for (std::size_t i = 1; i < term.expressions.size(); ++i)
        also_record(place / item(index) / "matchExpressions", "append",
                    value_of(term.expressions[i].what), *term.expressions[i].why);
      return;
    }
    requirements(place / item(index) / "matchExpressions", term.expressions);
    requirements(place / item(index) / "matchFields", term.fields);
  }

  void requirements(const Place& place, const std::vector<Requirement>& list) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const Requirement& r = list[i];
      if (!r.why) continue;
      if (r.node == yaml::no_node) {
        append(place, value_of(r.what), *r.why);
        continue;
      }
      const Place there = place / item(i);
      set(there, "operator", Value::string(r.what.op), *r.why);
      if (r.what.values.empty()) {
        if (yaml::node_at(*pod_.tree, there / "values") != yaml::no_node)
          remove(there, "values", *r.why);
      } else {
        set(there, "values", *value_of(r.what).find("values"), *r.why);
      }
    }
  }

  void tolerations() {
    const auto added = std::find_if(pod_.tolerations.begin(), pod_.tolerations.end(),
                                    [](const Tolerance& t) { return t.why.has_value(); });
    if (added == pod_.tolerations.end()) return;
    if (!pod_.at->tolerations) {
      for (auto it = added; it != pod_.tolerations.end(); ++it)
        cannot_say("tolerations for " + it->toleration.key, *it->why);
      return;
    }
    const Place place = *pod_.at->tolerations;
    const bool inherited = pod_.at->inherited_tolerations != yaml::no_node &&
                           pod_.at->tolerations.get(*pod_.tree) == yaml::no_node;
    const Why why{"inherited", "tolerations of its own hide the inherited ones"};
    for (const Tolerance& tolerance : pod_.tolerations) {
      if (tolerance.why) {
        append(place, value_of(tolerance.toleration), *tolerance.why);
      } else if (inherited) {
        append(place, value_of(tolerance.toleration), why);
      }
    }
  }

  void volumes() {
    for (const Volume& volume : pod_.volumes) {
      if (!volume.why) continue;
      const Place place = *pod_.at->volumes;
      if (volume.node != yaml::no_node) {
        set(place / item(volume.index) / "emptyDir", "sizeLimit", Value::quantity(volume.size),
            *volume.why);
        continue;
      }
      append(place,
             Value::mapping(
                 {{"name", Value::string(volume.name)},
                  {"emptyDir", Value::mapping({{"medium", Value::string("Memory")},
                                               {"sizeLimit", Value::quantity(volume.size)}})}}),
             *volume.why);
    }
  }

  /// A container's mounts, environment and image.
  void contents(const ContainerModel& container) {
    for (const Mount& mount : container.mounts) {
      if (mount.why && !has(container.fields, "volumeMounts"))
        append(*container.at->volume_mounts,
               Value::mapping({{"name", Value::string(mount.volume)},
                               {"mountPath", Value::string(mount.path)}}),
               *mount.why);
    }
    for (const Variable& variable : container.env) {
      if (variable.why && !has(container.fields, "env")) environment(container, variable);
    }
    if (container.image.why && !has(container.fields, "image"))
      set(*container.at->image_holder, "image", Value::string(container.image.value),
          *container.image.why);
  }

  void environment(const ContainerModel& container, const Variable& variable) {
    const Place place = *container.at->env;
    if (variable.node == yaml::no_node) {
      Value value = Value::mapping({{"name", Value::string(variable.name)}});
      if (variable.value)
        value.entries.emplace_back(Value::string("value"), Value::string(*variable.value));
      if (variable.from)
        value.entries.insert(value.entries.end(), variable.from->entries.begin(),
                             variable.from->entries.end());
      append(place, value, *variable.why);
      return;
    }
    const Place there = place / item(variable.index);
    const auto drop = [&](std::string_view key) {
      if (yaml::node_at(*pod_.tree, there / key) != yaml::no_node)
        remove(there, key, *variable.why);
    };
    if (variable.value) {
      set(there, "value", Value::string(*variable.value), *variable.why);
      drop("valueFrom");
    } else {
      for (const auto& [key, value] : variable.from->entries)
        set(there, key.text, value, *variable.why);
      drop("value");
    }
  }

  void holder_fields() {
    const auto field = [&](std::string_view key, const Scalar& value) {
      if (value.why && !overridden(key))
        set(*pod_.at->spec_holder, key, Value::string(value.value), *value.why);
    };
    field(pod_.at->runtime_class_key, pod_.runtime_class);
    field(pod_.at->priority_class_key, pod_.priority_class);
    field(pod_.at->scheduler_key, pod_.scheduler);
  }

  void fields(const kube::Spot& holder, const std::vector<Field>& list) {
    if (!holder) return;
    for (const Field& field : list) set(*holder, field.key, field.value, field.why);
  }

  const PodModel& pod_;
  yaml::Changes& changes_;
  std::vector<Pending>& records_;
  std::vector<Message>& messages_;
};

}  // namespace

void emit(const PodModel& pod, yaml::Changes& changes, std::vector<Pending>& records,
          std::vector<Message>& messages) {
  Emitter(pod, changes, records, messages).run();
}

}  // namespace gpuspec::rewrite
