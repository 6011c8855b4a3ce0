#include "core/kube/workload.h"

#include <algorithm>

#include "core/kube/entries.h"
#include "core/kube/pod_builder.h"
#include "core/kube/pod_like.h"
#include "core/kube/walk.h"
#include "core/kube/workload_table.h"
#include "core/text/error.h"

namespace gpuspec::kube {
namespace {

using yaml::no_node;
using yaml::NodeId;

/// What the first look at a mapping gives.
struct Header {
  std::string api_version;
  std::string kind;
  NodeId metadata = no_node;
  NodeId items = no_node;
};

void refuse_second(const yaml::Tree& tree, NodeId key, std::string_view name) {
  throw text::Error(tree.base + tree[key].begin,
                    std::string(name) + " is there twice in one object: is a `---` missing?",
                    "put a line `---` between two objects");
}

Header read_header(const yaml::Tree& tree, NodeId mapping) {
  Header header;
  bool has_version = false;
  bool has_kind = false;
  each_entry(tree, mapping, [&](std::string_view key, NodeId key_node, NodeId value) {
    if (key == "apiVersion") {
      if (has_version) refuse_second(tree, key_node, key);
      has_version = true;
      header.api_version = text_of(tree, value);
    } else if (key == "kind") {
      if (has_kind) refuse_second(tree, key_node, key);
      has_kind = true;
      header.kind = text_of(tree, value);
    } else if (key == "metadata") {
      header.metadata = value;
    } else if (key == "items") {
      header.items = value;
    }
  });
  return header;
}

void read_metadata(const yaml::Tree& tree, Object& object) {
  std::string generate_name;
  each_entry(tree, object.metadata, [&](std::string_view key, NodeId key_node, NodeId value) {
    if (key == "name") {
      object.name = text_of(tree, value);
    } else if (key == "generateName") {
      generate_name = text_of(tree, value);
    } else if (key == "namespace") {
      object.name_space = text_of(tree, value);
    } else if (key == "labels") {
      if (is_mapping(tree, value)) object.labels = value;
    } else if (key == "annotations") {
      if (is_mapping(tree, value)) object.annotations = value;
    } else if (key == "uid") {
      object.live = !text_of(tree, value).empty();
    } else if (key == "spec" && is_mapping(tree, value)) {
      throw text::Error(tree.base + tree[key_node].begin,
                        "metadata.spec: metadata has no field spec",
                        "spec belongs beside metadata, not under it: check the indentation");
    }
  });
  if (object.name.empty()) object.name = generate_name;
}

/// A suspended Job that has not started may still get node selection.
bool may_still_change(const yaml::Tree& tree, NodeId job) {
  return is_true(tree, yaml::get(tree, job, {"spec", "suspend"})) &&
         text_of(tree, yaml::get(tree, job, {"status", "startTime"})).empty();
}

bool ends_with(std::string_view text, std::string_view end) {
  return text.size() > end.size() && text.substr(text.size() - end.size()) == end;
}

class Finder {
 public:
  Finder(const yaml::Tree& tree, const std::vector<UserKind>* extra, Objects& found)
      : tree_(tree), extra_(extra), found_(found) {}

  /// An object; what it lacks of apiVersion and kind is taken from `usual`, its name from `around`.
  void add(const Cursor& cursor, const std::string& path, const ListContext& usual,
           const Object* around);
  void add_items(const Cursor& list, const std::string& path, const ListContext& usual,
                 const Object* around);

 private:
  const Row* row_of(const Object& object);
  bool add_user_pods(Walker& walker, Object& object) const;
  void follow_wrapper(Walker& walker, const Row& row, const Object& wrapper);
  void name_strings(Walker& walker, const Row& row, const Object& object);
  void name_unknown(const Object& object);
  void note(NodeId node, const Object& object, const std::string& text);

  const yaml::Tree& tree_;
  const std::vector<UserKind>* extra_;
  Objects& found_;
  std::size_t visits_ = 0;
  // Lists hold many objects of one kind.
  std::string last_api_version_;
  std::string last_kind_;
  const Row* last_row_ = nullptr;
};

/// What the items of a list are when they do not say it themselves.
ListContext item_defaults(const ListContext& list) {
  if (list.kind == "List" || !ends_with(list.kind, "List")) return {};
  return {list.api_version, list.kind.substr(0, list.kind.size() - 4)};
}

void split_version(Object& object) {
  const std::size_t slash = object.api_version.find('/');
  if (slash == std::string::npos) {
    object.version = object.api_version;
  } else {
    object.group = object.api_version.substr(0, slash);
    object.version = object.api_version.substr(slash + 1);
  }
}

void Finder::add(const Cursor& cursor, const std::string& path, const ListContext& usual,
                 const Object* around) {
  if (!is_mapping(tree_, cursor.base)) return;
  Header header = read_header(tree_, cursor.base);
  if (header.kind.empty()) {
    header.kind = usual.kind;
    if (header.api_version.empty()) header.api_version = usual.api_version;
  }
  if (header.kind.empty()) return;
  if (ends_with("x" + header.kind, "List") && header.items != no_node) {
    Walker walker(tree_, cursor, visits_);
    walker.each("items", [&] {
      const std::string items = path.empty() ? walker.path() : path + "." + walker.path();
      add_items(walker.here(), items, item_defaults({header.api_version, header.kind}), around);
    });
    return;
  }
  Object object;
  object.node = cursor.base;
  object.api_version = std::move(header.api_version);
  object.kind = std::move(header.kind);
  object.path = path;
  split_version(object);
  if (is_mapping(tree_, header.metadata)) {
    object.metadata = header.metadata;
    read_metadata(tree_, object);
  }
  if (around != nullptr) {
    if (object.name.empty()) object.name = around->name;
    if (object.name_space.empty()) object.name_space = around->name_space;
  }

  Walker walker(tree_, cursor, visits_);
  const Row* row = nullptr;
  if (!add_user_pods(walker, object)) {
    row = row_of(object);
    if (row == nullptr) {
      name_unknown(object);
    } else {
      add_pods(walker, row->pods, object.pods);
      if (object.live &&
          !(row->frozen == Frozen::job_template && may_still_change(tree_, object.node))) {
        object.frozen = row->frozen;
      }
      if (!row->note.empty()) note(object.node, object, std::string(row->note));
      name_strings(walker, *row, object);
    }
  }
  found_.objects.push_back(std::move(object));
  if (row != nullptr && !row->objects.empty()) {
    const Object wrapper = found_.objects.back();
    follow_wrapper(walker, *row, wrapper);
  }
}

void Finder::add_items(const Cursor& list, const std::string& path, const ListContext& usual,
                       const Object* around) {
  Walker walker(tree_, list, visits_);
  walker.each_item([&] { add(walker.here(), path + walker.path(), usual, around); });
}

const Row* Finder::row_of(const Object& object) {
  if (object.kind != last_kind_ || object.api_version != last_api_version_) {
    last_kind_ = object.kind;
    last_api_version_ = object.api_version;
    last_row_ = find_row(object.group, object.version, object.kind);
  }
  return last_row_;
}

bool Finder::add_user_pods(Walker& walker, Object& object) const {
  if (extra_ == nullptr) return false;
  bool known = false;
  for (const UserKind& kind : *extra_) {
    if (kind.kind != object.kind || kind.group != object.group) continue;
    known = true;
    for (const std::string& path : kind.paths) {
      PodRow row;
      row.at = path;
      const bool has_metadata = kind.shape == "podSpec" && ends_with(path, "emplate.spec");
      row.shape = std::max(0, find_shape(has_metadata ? "template" : std::string_view(kind.shape)));
      add_pods(walker, {&row, 1}, object.pods);
    }
  }
  return known;
}

void Finder::follow_wrapper(Walker& walker, const Row& row, const Object& wrapper) {
  for (const std::string_view path : row.objects) {
    walker.each(path, [&] {
      const std::string at =
          wrapper.path.empty() ? walker.path() : wrapper.path + "." + walker.path();
      if (is_mapping(tree_, walker.node())) {
        add(walker.here(), at, {}, &wrapper);
      } else {
        note(walker.node(), wrapper, at + " is not an object: nothing is edited in it");
      }
    });
  }
}

void Finder::name_strings(Walker& walker, const Row& row, const Object& object) {
  for (const std::string_view path : row.strings) {
    walker.each(path, [&] {
      note(walker.node(), object,
           walker.path() + " holds a manifest or patch as text, which is not edited");
    });
  }
}

void Finder::name_unknown(const Object& object) {
  const NodeId found = find_pod_like(tree_, object.node);
  if (found == no_node) return;
  const std::string path = path_between(tree_, object.node, found);
  std::string text = "this kind is not known";
  for (const Row& row : all_rows()) {
    if (row.kind != object.kind) continue;
    text += " (in group " + std::string(row.group.empty() ? "core" : row.group) + " it is)";
    break;
  }
  note(found, object,
       text + "; what looks like a pod spec at " + (path.empty() ? "its top" : path) +
           " is left alone");
}

void Finder::note(NodeId node, const Object& object, const std::string& text) {
  std::string who = object.kind;
  if (!object.name.empty()) who += "/" + object.name;
  found_.notes.push_back({node, who + ": " + text});
}

}  // namespace

Objects find_objects(const yaml::Tree& tree, const ListContext* context,
                     const std::vector<UserKind>* extra) {
  Objects found;
  if (tree.nodes.empty()) return found;
  const NodeId root = tree.resolve(0);
  Finder finder(tree, extra, found);
  const Cursor cursor{root, root, nullptr};
  if (context == nullptr) {
    finder.add(cursor, "", {}, nullptr);
  } else if (tree[root].kind == yaml::Kind::sequence) {
    finder.add_items(cursor, "items", item_defaults(*context), nullptr);
  }
  return found;
}

std::string check(const UserKind& kind) {
  if (kind.kind.empty()) return "a workload needs a kind";
  if (kind.paths.empty()) return kind.kind + ": paths is empty";
  if (find_shape(kind.shape) < 0) return kind.kind + ": unknown shape " + kind.shape;
  for (const std::string& path : kind.paths) {
    std::string_view rest = path;
    if (path.find_first_of("^|\"") != std::string::npos || path.empty()) {
      return kind.kind + ": " + path + " is no path from the object (spec.groups[*].template.spec)";
    }
    while (!rest.empty()) {
      const Step step = take_step(rest);
      const bool broken = step.key.empty() || step.key.find_first_of("[]") != std::string::npos ||
                          (step.kind == Step::Kind::matching_items && step.value.empty());
      if (broken) return kind.kind + ": " + path + " is no path";
    }
  }
  return {};
}

std::vector<KnownKind> known_kinds() {
  std::vector<KnownKind> kinds;
  for (const Row& row : all_rows()) {
    KnownKind kind{row.group, row.kind, {row.versions.begin(), row.versions.end()}, {}, false};
    for (const PodRow& pod : row.pods) kind.paths.push_back(pod.at);
    kind.wrapper = !row.objects.empty();
    kind.paths.insert(kind.paths.end(), row.objects.begin(), row.objects.end());
    kinds.push_back(std::move(kind));
  }
  return kinds;
}

void refuse_duplicate_keys(const yaml::Tree& tree, const Object& object, const Pod& pod) {
  const auto check_mapping = [&](NodeId node) {
    if (node == no_node) return;
    node = tree.resolve(node);
    if (tree[node].kind != yaml::Kind::mapping) return;
    const NodeId key = yaml::duplicate_key(tree, node);
    if (key == no_node) return;
    std::string message = path_between(tree, object.node, key);
    message += message.empty() ? "" : ": ";
    message += "the key " + yaml::scalar_text(tree, key) + " is there twice in one mapping";
    throw text::Error(tree.base + tree[key].begin, message, "keep one of the two");
  };
  // The mappings around the pod, as far as it stands in the object itself.
  NodeId node = object.node;
  while (node != no_node && node != pod.spec) {
    check_mapping(node);
    NodeId child = yaml::first_child(tree, node);
    while (child != no_node && tree[child].next <= pod.spec) {
      child = yaml::next_sibling(tree, node, child);
    }
    node = child != no_node && child <= pod.spec ? child : no_node;
  }
  check_mapping(object.metadata);
  check_mapping(pod.spec);
  for (const Spot* spot : {&pod.node_selector, &pod.affinity, &pod.metadata, &pod.spec_holder}) {
    if (*spot) check_mapping(spot->get(tree));
  }
  for (const Container& container : pod.containers) {
    check_mapping(container.node);
    const NodeId resources = container.resources ? container.resources.get(tree) : no_node;
    check_mapping(resources);
    if (!is_mapping(tree, resources)) continue;
    check_mapping(yaml::get(tree, resources, "limits"));
    check_mapping(yaml::get(tree, resources, "requests"));
  }
}

bool has_last_applied(const yaml::Tree& tree, const Object& object) {
  return object.annotations != no_node &&
         yaml::get(tree, object.annotations, "kubectl.kubernetes.io/last-applied-configuration") !=
             no_node;
}

}  // namespace gpuspec::kube
