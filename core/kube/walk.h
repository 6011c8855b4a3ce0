#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/kube/pod.h"
#include "core/kube/workload_table.h"
#include "core/yaml/tree.h"

// Follows the paths of the workload table through a tree. Only core/kube looks here.
namespace gpuspec::kube {

/// A node and how it was reached: `base` is the node itself, `place` and `route` are what a
/// yaml::Place needs to get to it where aliases or merge keys lie on the way.
struct Cursor {
  yaml::NodeId place = yaml::no_node;
  yaml::NodeId base = yaml::no_node;
  std::shared_ptr<const std::vector<std::string>> route;

  Spot spot(std::string_view keys = {}) const { return {place, base, keys, route}; }
};

/// One step of a path.
struct Step {
  enum class Kind { key, any_key, items, matching_items };
  Kind kind = Kind::key;
  std::string_view key;    ///< not for any_key
  std::string_view field;  ///< matching_items: `targetJobs.name` of [targetJobs.name=node]
  std::string_view value;
};

/// Takes the first step off a path: `a`, `a[*]`, `a[k=v]`, `*`, `"a.b"`.
Step take_step(std::string_view& path);

/// What to call at each place; refers to a callable that outlives the call.
class Visit {
 public:
  template <class F, class = std::enable_if_t<!std::is_same_v<std::decay_t<F>, Visit>>>
  Visit(F&& f)  // NOLINT: a lambda at the call is the point
      : target_(&f), call_([](void* target) { (*static_cast<std::decay_t<F>*>(target))(); }) {}
  void operator()() const { call_(target_); }

 private:
  void* target_;
  void (*call_)(void*);
};

/// Stands at a node of an object and goes down paths; knows the nodes above, for `^`.
class Walker {
 public:
  /// `visits` counts the nodes that the walkers of a document visit, to stop aliases that multiply.
  Walker(const yaml::Tree& tree, Cursor object, std::size_t& visits);

  const yaml::Tree& tree() const { return tree_; }
  const Cursor& here() const { return stack_.back(); }
  yaml::NodeId node() const { return stack_.back().base; }
  /// From the object to here: spec.tasks[0].
  const std::string& path() const { return path_; }

  /// The key that the last `*` on the way stood for.
  const std::string& any_key() const { return any_key_; }

  /// Calls `visit` at every place the path leads to. What is absent or null is not visited; throws
  /// text::Error when a node on the way has the wrong shape.
  void each(std::string_view path, Visit visit);
  /// Likewise for every item of the sequence at hand.
  void each_item(Visit visit);

  /// The field at a path seen from here; of several the first that exists, or else the last.
  Spot spot(const FieldPath& field);
  /// The first node at a path (or several) seen from here; no_node when there is none.
  yaml::NodeId find(std::string_view paths);

  /// Throws text::Error: "PATH: expected EXPECTED, found a string".
  [[noreturn]] void refuse(yaml::NodeId node, std::string_view expected) const;
  /// Whether the node at hand is a mapping; false when it is null. Refuses everything else.
  bool is_mapping() const;

 private:
  bool enter(std::string_view key);
  void each_value(std::string_view rest, Visit visit);
  bool matches(const Step& step);
  Spot spot_of_path(std::string_view path, bool must_exist);
  void count();

  const yaml::Tree& tree_;
  std::vector<Cursor> stack_;
  std::string path_;
  std::string any_key_;
  std::size_t& visits_;
};

}  // namespace gpuspec::kube
