#include "core/profile/jupyterhub.h"

#include <algorithm>
#include <array>
#include <regex>
#include <set>

#include "core/profile/kubespawner.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

/// The list and the mapping that holds it.
struct Found {
  const Node* list = nullptr;
  const Node* holder = nullptr;
  const Node* root = nullptr;
  bool helm = false;  ///< profileList of the chart, not KubeSpawner's profile_list
  std::string path;
};

bool search(const Node& node, const std::string& path, Found& out) {
  for (const Member& member : node.members) {
    const std::string here = path.empty() ? member.key : path + '.' + member.key;
    const bool list = member.key == "profileList" || member.key == "profile_list";
    if (list && (member.value.is_sequence() || member.value.is_mapping())) {
      out.list = &member.value;
      out.holder = &node;
      out.helm = member.key == "profileList";
      out.path = here;
      return true;
    }
    if (search(member.value, here, out)) return true;
  }
  return false;
}

Found find_list(const std::vector<Node>& documents) {
  Found out;
  for (const Node& document : documents) {
    out.root = &document;
    if (search(document, "", out)) break;
  }
  return out;
}

Node mapping() {
  Node node;
  node.type = yaml::Type::mapping;
  return node;
}

void put(Node& traits, std::string_view trait, const Node* value) {
  if (!value || value->is_null()) return;
  traits.members.push_back({std::string(trait), value->offset, *value});
}

const Node* walk(const Node& from, std::initializer_list<std::string_view> keys) {
  const Node* node = &from;
  for (std::string_view key : keys) {
    if (node) node = node->find(key);
  }
  return node;
}

/// What the chart's `singleuser` says beside the list, as traits: what concerns scheduling. Image
/// and environment of the hub's users stay out, so that a manifest keeps its own.
Node chart_traits(const Node& singleuser) {
  Node traits = mapping();
  put(traits, "mem_guarantee", walk(singleuser, {"memory", "guarantee"}));
  put(traits, "mem_limit", walk(singleuser, {"memory", "limit"}));
  put(traits, "cpu_guarantee", walk(singleuser, {"cpu", "guarantee"}));
  put(traits, "cpu_limit", walk(singleuser, {"cpu", "limit"}));
  put(traits, "extra_resource_limits", walk(singleuser, {"extraResource", "limits"}));
  put(traits, "extra_resource_guarantees", walk(singleuser, {"extraResource", "guarantees"}));
  put(traits, "node_selector", walk(singleuser, {"nodeSelector"}));
  put(traits, "tolerations", walk(singleuser, {"extraTolerations"}));
  put(traits, "node_affinity_required", walk(singleuser, {"extraNodeAffinity", "required"}));
  put(traits, "node_affinity_preferred", walk(singleuser, {"extraNodeAffinity", "preferred"}));
  return traits;
}

/// KubeSpawner's own settings beside the list.
Node spawner_traits(const Node& holder) {
  Node traits = mapping();
  for (const Member& member : holder.members) {
    if (member.key != "profile_list") traits.members.push_back(member);
  }
  return traits;
}

/// One profile of the list.
struct Entry {
  Cursor cursor;
  std::string slug;
  std::string display_name;
  bool is_default = false;
};

std::string text_or(const Node& node, std::string_view key, const std::string& fallback) {
  const Node* value = node.find(key);
  return value && value->is_scalar() && !value->is_null() ? value->text : fallback;
}

bool truthy(const Node* node) {
  if (!node || node->is_null()) return false;
  return node->type != yaml::Type::boolean || node->text.front() == 't' ||
         node->text.front() == 'T' || node->text.front() == 'y' || node->text.front() == 'Y';
}

std::vector<Entry> read_entries(const Cursor& list) {
  std::vector<Cursor> cursors;
  if (list.node().is_sequence()) {
    cursors = list.list();
  } else {
    std::vector<const Member*> members;
    for (const Member& member : list.node().members) members.push_back(&member);
    std::sort(members.begin(), members.end(),
              [](const Member* a, const Member* b) { return a->key < b->key; });
    for (const Member* member : members) cursors.push_back(list.at(member->value, member->key));
  }
  std::vector<Entry> entries;
  for (const Cursor& cursor : cursors) {
    if (!cursor.node().is_mapping())
      throw cursor.unexpected("a profile: display_name, kubespawner_override …");
    Entry entry{cursor, "", text_or(cursor.node(), "display_name", ""),
                truthy(cursor.node().find("default"))};
    entry.slug = text_or(cursor.node(), "slug", slugify(entry.display_name));
    if (entry.slug.empty()) throw cursor.error("a profile needs a display_name or a slug");
    for (const Entry& other : entries) {
      if (other.slug == entry.slug) {
        throw cursor.error("there are two profiles with the slug \"" + entry.slug + '"',
                           "give them different display names, or slugs of their own");
      }
    }
    entries.push_back(std::move(entry));
  }
  if (entries.empty()) throw list.error("the profile list is empty");
  const bool any =
      std::any_of(entries.begin(), entries.end(), [](const Entry& e) { return e.is_default; });
  if (!any) entries.front().is_default = true;
  return entries;
}

/// `{value}` in every string of an override.
Node with_value(const Node& node, const std::string& value) {
  Node out = node;
  if (out.is_string()) out.text = format_value(out.text, value);
  for (Member& member : out.members) member.value = with_value(member.value, value);
  for (Node& item : out.items) item = with_value(item, value);
  return out;
}

class ProfileReader {
 public:
  ProfileReader(const Entry& entry, const Pairs& choices, bool report, Warnings& warnings)
      : entry_(entry), choices_(choices), report_(report), warnings_(warnings) {}

  Profile read(Node traits, const text::Source& source) {
    Profile profile;
    profile.name = entry_.slug;
    profile.source = source.name();
    profile.description = entry_.display_name;
    profile.on_request = !entry_.is_default;
    profile.default_resource_tolerations = false;  // KubeSpawner adds none; admission plugins may
    profile.conflict = Conflict::replace;
    profile.select.all_pods = true;
    profile.select.first_container = true;
    apply(entry_.cursor, traits);
    read_options(traits);
    const Cursor cursor(source, traits, entry_.cursor.path() + ".kubespawner_override");
    read_traits(cursor, overridden_, profile, warnings_);
    return profile;
  }

 private:
  void apply(const Cursor& holder, Node& traits, const std::string* value = nullptr) {
    const Node* over = holder.node().find("kubespawner_override");
    if (!over || over->is_null()) return;
    if (!over->is_mapping()) throw holder.at(*over, "kubespawner_override").unexpected("a mapping");
    for (const Member& member : over->members) overridden_.insert(member.key);
    merge_override(traits, value ? with_value(*over, *value) : *over);
  }

  void read_options(Node& traits) {
    constexpr std::array<std::string_view, 9> known = {
        "display_name",   "description",          "slug",
        "default",        "kubespawner_override", "profile_options",
        "allowed_groups", "allowed_teams",        "allowed_users"};
    for (const Member& member : entry_.cursor.node().members) {
      if (!report_ || std::find(known.begin(), known.end(), member.key) != known.end()) continue;
      const auto near = text::closest(member.key, known);
      warnings_.push_back(
          entry_.cursor.at(member.value, member.key)
              .warning("a profile has no such key; it is ignored",
                       near.empty() ? "" : "did you mean \"" + std::string(near) + "\"?"));
    }
    const Node* options = entry_.cursor.node().find("profile_options");
    std::vector<std::string_view> names;
    if (options && !options->is_null()) {
      const Cursor cursor = entry_.cursor.at(*options, "profile_options");
      if (!options->is_mapping()) throw cursor.unexpected("a mapping");
      for (const Member& option : options->members) {
        names.push_back(option.key);
        read_option(option.key, cursor.at(option.value, option.key), traits);
      }
    }
    for (const auto& [option, choice] : choices_) check_option(option, names);
  }

  void check_option(const std::string& option, const std::vector<std::string_view>& names) const {
    std::string_view name = option;
    if (name.ends_with(unlisted_suffix)) name.remove_suffix(unlisted_suffix.size());
    if (std::find(names.begin(), names.end(), name) != names.end()) return;
    const auto near = text::closest(name, names);
    throw Error(Place{},
                "--choice: the profile \"" + entry_.slug + "\" has no option \"" + option + '"',
                near.empty() ? (names.empty() ? "it has none" : "it has " + joined(names))
                             : "did you mean " + std::string(near) + "?");
  }

  void read_option(const std::string& name, const Cursor& option, Node& traits) {
    if (!option.node().is_mapping()) throw option.unexpected("a mapping");
    const std::string* wanted = nullptr;
    bool unlisted = false;
    for (const auto& [key, choice] : choices_) {
      if (key == name) wanted = &choice;
      if (key == name + std::string(unlisted_suffix)) {
        wanted = &choice;
        unlisted = true;
      }
    }
    const Node* choices = option.node().find("choices");
    const Node* other = option.node().find("unlisted_choice");
    const bool may_be_other = other && truthy(other->find("enabled"));
    if (wanted && !unlisted && choices) {
      if (const Member* choice = find_choice(*choices, *wanted)) {
        apply(option.at(*choices, "choices").at(choice->value, choice->key), traits);
        return;
      }
    }
    if (wanted) {
      if (!may_be_other) throw unknown_choice(name, choices, *wanted, option);
      apply_unlisted(name, option.at(*other, "unlisted_choice"), *wanted, traits);
      return;
    }
    const Member* chosen = default_choice(choices);
    if (!chosen) {
      throw option.error("nothing says which choice is the default",
                         "choose one with --choice " + name + "=VALUE");
    }
    apply(option.at(*choices, "choices").at(chosen->value, chosen->key), traits);
  }

  /// By key, slug or display name.
  static const Member* find_choice(const Node& choices, const std::string& wanted) {
    for (const Member& choice : choices.members) {
      if (choice.key == wanted) return &choice;
    }
    for (const Member& choice : choices.members) {
      if (text_or(choice.value, "slug", "") == wanted ||
          text_or(choice.value, "display_name", "") == wanted) {
        return &choice;
      }
    }
    return nullptr;
  }

  static const Member* default_choice(const Node* choices) {
    if (!choices || choices->members.empty()) return nullptr;
    for (const Member& choice : choices->members) {
      if (truthy(choice.value.find("default"))) return &choice;
    }
    return &choices->members.front();
  }

  static Error unknown_choice(const std::string& option, const Node* choices,
                              const std::string& wanted, const Cursor& cursor) {
    std::vector<std::string_view> names;
    if (choices) {
      for (const Member& choice : choices->members) names.push_back(choice.key);
    }
    const auto near = text::closest(wanted, names);
    return {place_of(cursor.source(), cursor.node().offset),
            "--choice: the option \"" + option + "\" has no choice \"" + wanted + '"',
            near.empty() ? "it has " + joined(names) : "did you mean " + std::string(near) + "?"};
  }

  void apply_unlisted(const std::string& name, const Cursor& other, const std::string& value,
                      Node& traits) {
    const std::string pattern = text_or(other.node(), "validation_regex", "");
    if (!pattern.empty()) {
      bool good = true;
      try {
        good =
            std::regex_search(value, std::regex(pattern), std::regex_constants::match_continuous);
      } catch (const std::regex_error&) {
        warnings_.push_back(
            other.warning("the validation_regex is one that only Python reads; it is not checked"));
      }
      if (!good) {
        throw Error(place_of(other.source(), other.node().offset),
                    "--choice: \"" + value + "\" is not allowed for the option \"" + name + '"',
                    text_or(other.node(), "validation_message", "it must match " + pattern));
      }
    }
    apply(other, traits, &value);
  }

  static std::string joined(const std::vector<std::string_view>& names) {
    std::string out;
    for (auto name : names) out += (out.empty() ? "" : ", ") + std::string(name);
    return out;
  }

  static constexpr std::string_view unlisted_suffix = "--unlisted-choice";

  const Entry& entry_;
  const Pairs& choices_;
  bool report_;
  Warnings& warnings_;
  std::set<std::string> overridden_;  ///< traits that the profile or a choice sets
};

}  // namespace

bool is_jupyterhub(const std::vector<Node>& documents) {
  return find_list(documents).list != nullptr;
}

std::vector<Profile> read_jupyterhub(const text::Source& source, const std::vector<Node>& documents,
                                     const std::string& name, const Pairs& choices,
                                     Warnings& warnings) {
  const Found found = find_list(documents);
  const Cursor list(source, *found.list, found.path);
  const std::vector<Entry> entries = read_entries(list);
  const auto chosen = std::find_if(entries.begin(), entries.end(), [&](const Entry& entry) {
    return name.empty() ? entry.is_default : entry.slug == name || entry.display_name == name;
  });
  if (chosen == entries.end()) {
    std::vector<std::string_view> names;
    for (const Entry& entry : entries) names.push_back(entry.slug);
    const auto near = text::closest(name, names);
    std::string all;
    for (auto slug : names) all += (all.empty() ? "" : ", ") + std::string(slug);
    throw list.error("there is no profile \"" + name + '"',
                     near.empty() ? "it has " + all : "did you mean " + std::string(near) + "?");
  }
  const Node base = found.helm ? chart_traits(*found.holder) : spawner_traits(*found.holder);
  std::vector<Profile> profiles;
  for (const Entry& entry : entries) {
    const bool named = &entry == &*chosen;
    Warnings unseen;
    const Pairs none;
    try {
      ProfileReader reader(entry, named ? choices : none, named, named ? warnings : unseen);
      profiles.push_back(reader.read(base, source));
    } catch (const Error&) {
      if (named) throw;  // what is wrong with the others is for those who name them
    }
  }
  return profiles;
}

std::vector<std::string> jupyterhub_names(const text::Source& source,
                                          const std::vector<Node>& documents) {
  const Found found = find_list(documents);
  std::vector<std::string> names;
  for (const Entry& entry : read_entries(Cursor(source, *found.list, found.path))) {
    names.push_back(entry.slug);
  }
  return names;
}

}  // namespace gpuspec::profile
