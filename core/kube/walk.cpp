#include "core/kube/walk.h"

#include "core/text/error.h"
#include "core/yaml/lookup.h"

namespace gpuspec::kube {
namespace {

using yaml::no_node;
using yaml::NodeId;

/// Takes the text up to a separator off a list.
std::string_view take(std::string_view& rest, char separator) {
  const std::size_t end = rest.find(separator);
  const std::string_view first = rest.substr(0, end);
  rest = end == std::string_view::npos ? std::string_view() : rest.substr(end + 1);
  return first;
}

/// The start of the plain keys at the end of a path, behind the last `[...]`, `*` or quote.
std::size_t plain_tail(std::string_view path) {
  const std::size_t special = path.find_last_of("]*\"");
  if (special == std::string_view::npos) return 0;
  return special + 1 < path.size() ? special + 2 : path.size();
}

/// The cursor of a child.
Cursor below(const yaml::Tree& tree, const Cursor& parent, NodeId child, bool merged,
             std::string_view key) {
  const NodeId base = tree.resolve(child);
  if (parent.route == nullptr && !merged && base == child) return {child, child, nullptr};
  auto route = parent.route == nullptr ? std::make_shared<std::vector<std::string>>()
                                       : std::make_shared<std::vector<std::string>>(*parent.route);
  route->emplace_back(key);
  return {parent.place, base, std::move(route)};
}

}  // namespace

Step take_step(std::string_view& path) {
  Step step;
  if (path.front() == '"') {
    const std::size_t end = path.find('"', 1);
    step.key = path.substr(1, end - 1);
    path.remove_prefix(std::min(end + 2, path.size()));
    return step;
  }
  const std::size_t end = path.find_first_of(".[");
  step.key = path.substr(0, end);
  if (end == std::string_view::npos || path[end] == '.') {
    if (step.key == "*") step.kind = Step::Kind::any_key;
    path.remove_prefix(end == std::string_view::npos ? path.size() : end + 1);
    return step;
  }
  const std::size_t close = path.find(']', end);
  std::string_view filter = path.substr(end + 1, close - end - 1);
  path.remove_prefix(std::min(close + 2, path.size()));
  if (filter == "*") {
    step.kind = Step::Kind::items;
  } else {
    step.kind = Step::Kind::matching_items;
    step.field = take(filter, '=');
    step.value = filter;
  }
  return step;
}

Walker::Walker(const yaml::Tree& tree, Cursor object, std::size_t& visits)
    : tree_(tree), visits_(visits) {
  stack_.reserve(12);
  stack_.push_back(std::move(object));
}

void Walker::each(std::string_view path, Visit visit) {
  if (path.empty() || path == ".") {
    visit();
    return;
  }
  if (path.front() == '^') {
    std::size_t up = 0;
    while (!path.empty() && path.front() == '^') {
      path.remove_prefix(std::min<std::size_t>(2, path.size()));
      ++up;
    }
    if (up >= stack_.size()) return;
    stack_.push_back(Cursor(stack_[stack_.size() - 1 - up]));
    each(path, visit);
    stack_.pop_back();
    return;
  }
  const Step step = take_step(path);
  if (!is_mapping()) return;
  if (step.kind == Step::Kind::any_key) {
    each_value(path, visit);
    return;
  }
  const std::size_t before = path_.size();
  if (!enter(step.key)) return;
  if (step.kind == Step::Kind::key) {
    each(path, visit);
  } else {
    each_item([&] {
      if (step.kind == Step::Kind::items || matches(step)) each(path, visit);
    });
  }
  stack_.pop_back();
  path_.resize(before);
}

bool Walker::enter(std::string_view key) {
  const yaml::Found found = yaml::find(tree_, node(), key);
  if (!found) return false;
  Cursor child = below(tree_, here(), found.value, found.merged, key);
  if (tree_[child.base].kind == yaml::Kind::scalar &&
      yaml::type_of(tree_, child.base) == yaml::Type::null) {
    return false;
  }
  count();
  stack_.push_back(std::move(child));
  if (!path_.empty()) path_ += '.';
  path_ += key;
  return true;
}

void Walker::each_item(Visit visit) {
  const Cursor list = here();
  if (tree_[list.base].kind != yaml::Kind::sequence) refuse(list.base, "a list");
  const std::size_t before = path_.size();
  std::size_t index = 0;
  for (NodeId item = yaml::first_child(tree_, list.base); item != no_node;
       item = yaml::next_sibling(tree_, list.base, item), ++index) {
    path_ += '[';
    path_ += std::to_string(index);
    path_ += ']';
    count();
    stack_.back() = below(tree_, list, item, false,
                          std::string_view(path_).substr(before, path_.size() - before));
    visit();
    path_.resize(before);
  }
  stack_.back() = list;
}

void Walker::each_value(std::string_view rest, Visit visit) {
  const Cursor mapping = here();
  const std::size_t before = path_.size();
  std::string buffer;
  for (const yaml::Found& entry : yaml::entries(tree_, mapping.base)) {
    const NodeId key_node = tree_.resolve(entry.key);
    if (tree_[key_node].kind != yaml::Kind::scalar) continue;
    const std::string_view key = yaml::scalar_text(tree_, key_node, buffer);
    Cursor value = below(tree_, mapping, entry.value, entry.merged, key);
    if (tree_[value.base].kind == yaml::Kind::scalar &&
        yaml::type_of(tree_, value.base) == yaml::Type::null) {
      continue;
    }
    count();
    if (!path_.empty()) path_ += '.';
    path_ += key;
    any_key_ = key;
    stack_.push_back(std::move(value));
    each(rest, visit);
    stack_.pop_back();
    path_.resize(before);
  }
}

bool Walker::matches(const Step& step) {
  bool found = false;
  std::string_view field = step.field;
  const std::string_view first = take(field, '.');
  const NodeId value = yaml::get(tree_, node(), first);
  const auto same = [&](NodeId scalar) {
    return scalar != no_node && tree_[scalar].kind == yaml::Kind::scalar &&
           yaml::equals(tree_, scalar, step.value);
  };
  if (value == no_node) return false;
  if (tree_[value].kind != yaml::Kind::sequence) return same(value);
  for (const NodeId item : yaml::items(tree_, value)) {
    const NodeId target = tree_.resolve(item);
    found = found || same(field.empty() ? target : yaml::get(tree_, target, field));
  }
  return found;
}

Spot Walker::spot(const FieldPath& field) {
  if (field.path.empty()) return {};
  if (field.simple) return here().spot(field.path == "." ? std::string_view() : field.path);
  std::string_view rest = field.path;
  while (!rest.empty()) {
    const std::string_view path = take(rest, '|');
    Spot found = spot_of_path(path, !rest.empty());
    if (found) return found;
  }
  return {};
}

Spot Walker::spot_of_path(std::string_view path, bool must_exist) {
  std::size_t tail = plain_tail(path);
  const bool walked = tail > 0;
  if (!walked) tail = std::min(path.find_first_not_of("^."), path.size());
  std::string_view head = path.substr(0, tail);
  if (!head.empty() && head.back() == '.') head.remove_suffix(1);
  Spot found;
  each(head, [&] {
    if (!found) found = here().spot(path.substr(tail));
  });
  // A list item that was picked is the right place whether or not it has the field yet.
  if (found && must_exist && !walked && found.get(tree_) == no_node) return {};
  return found;
}

NodeId Walker::find(std::string_view paths) {
  NodeId found = no_node;
  while (!paths.empty() && found == no_node) {
    each(take(paths, '|'), [&] {
      if (found == no_node) found = node();
    });
  }
  return found;
}

void Walker::refuse(NodeId node, std::string_view expected) const {
  std::string message = path_.empty() ? std::string("object") : path_;
  message += ": expected ";
  message += expected;
  message += ", found ";
  message += yaml::describe(yaml::type_of(tree_, node));
  throw text::Error(tree_.base + tree_[node].begin, message);
}

bool Walker::is_mapping() const {
  const NodeId id = node();
  if (tree_[id].kind == yaml::Kind::mapping) return true;
  if (tree_[id].kind == yaml::Kind::scalar && yaml::type_of(tree_, id) == yaml::Type::null) {
    return false;
  }
  refuse(id, "a mapping");
}

void Walker::count() {
  // Without aliases nothing is visited more often than a few times (once per row of the table).
  if (++visits_ > 16 * tree_.nodes.size() + 1000) {
    throw text::Error(tree_.base + tree_[node()].begin,
                      "the aliases of this document expand to too many objects");
  }
}

}  // namespace gpuspec::kube
