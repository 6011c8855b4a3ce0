#include "core/profile/resolve.h"

#include <algorithm>
#include <array>

#include "core/accelerator/platforms.h"
#include "core/kube/names.h"
#include "core/text/suggest.h"

namespace gpuspec::profile {
namespace {

using accelerator::Device;
using accelerator::DeviceValue;
using accelerator::PartitionAnswer;
using accelerator::Platform;
using accelerator::PlatformClass;

std::string in_quotes(std::string_view text) {
  return '"' + std::string(text) + '"';
}

std::string upper(std::string text) {
  for (char& c : text) {
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  }
  return text;
}

bool equal_without_case(std::string_view a, std::string_view b) {
  return upper(std::string(a)) == upper(std::string(b));
}

/// nvidia-tesla-v100 and the like: what operators write on nodes by hand.
bool looks_like_label_value(std::string_view name) {
  constexpr std::array<std::string_view, 5> prefixes = {"nvidia-", "amd-", "aws-", "habana-",
                                                        "tpu-"};
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return name.starts_with(prefix); });
}

template <typename Value>
void append(std::vector<Value>& into, const std::vector<Value>& from) {
  into.insert(into.end(), from.begin(), from.end());
}

template <typename Pair>
void add_absent(std::vector<Pair>& into, const std::vector<Pair>& from) {
  for (const Pair& pair : from) {
    const bool there = std::any_of(into.begin(), into.end(),
                                   [&](const Pair& other) { return other.first == pair.first; });
    if (!there) into.push_back(pair);
  }
}

class Resolver {
 public:
  Resolver(Profile& profile, const Profile& flags, Warnings& warnings)
      : profile_(profile),
        flags_(flags),
        vocabulary_(profile.vocabulary),
        platform_(accelerator::find_platform(profile.vocabulary.platform)),
        warnings_(warnings) {}

  void run() {
    if (profile_.accelerator) device_ = accelerator::find_device(*profile_.accelerator);
    resolve_class();
    resolve_labels();
    if (profile_.accelerator) resolve_device();
    if (profile_.partition) resolve_partition();
    if (profile_.unpartitioned) resolve_unpartitioned();
    check_resource();
  }

 private:
  // Messages name the flag or the key, whichever the value came from.

  std::string name_accelerator() const {
    return place_accelerator().line ? "spec.accelerator: " : "--accelerator: ";
  }
  std::string name_partition() const {
    return place_partition().line ? "spec.partition: " : "--partition: ";
  }
  std::string name_unpartitioned() const {
    return place_partition().line ? "spec.unpartitioned: " : "--unpartitioned: ";
  }
  const Place& place_accelerator() const { return vocabulary_.accelerator_at; }
  const Place& place_partition() const { return vocabulary_.partition_at; }

  void warn(const Place& place, const std::string& text, const std::string& hint = {}) {
    warnings_.push_back({place, text, hint});
  }

  // The class: what is asked for, and which labels that kind of device has.

  bool names_device() const {
    return profile_.accelerator || profile_.partition || profile_.unpartitioned ||
           vocabulary_.class_by_flag;
  }

  void resolve_class() {
    const DeviceClass* own = names_device() ? own_class() : nullptr;
    if (own) apply_class(*own);
    find_platform_class();
    if (own || vocabulary_.device_class.empty() || !names_device()) return;
    const bool platforms = platform_class_ && platform_class_->name == vocabulary_.device_class;
    if (vocabulary_.verbatim || !platforms) warn_class();
  }

  /// The profile's class: the one asked for by name, else the one of the device.
  const DeviceClass* own_class() const {
    for (const DeviceClass& known : vocabulary_.classes) {
      if (!vocabulary_.device_class.empty()) {
        if (known.name == vocabulary_.device_class) return &known;
      } else if (device_ && known.resource && *known.resource == device_->resource) {
        return &known;
      }
    }
    return nullptr;
  }

  void warn_class() {
    std::vector<std::string_view> names;
    for (const DeviceClass& known : vocabulary_.classes) names.push_back(known.name);
    if (platform_) {
      for (const PlatformClass& known : platform_->classes) names.push_back(known.name);
    }
    const auto near = text::closest(vocabulary_.device_class, names);
    warn({},
         "there is no device class " + in_quotes(vocabulary_.device_class) +
             " here; the names that hold for all classes are used",
         near.empty() ? "" : "did you mean " + std::string(near) + "?");
  }

  /// The platform's class: the one asked for by name, else by resource, else by device, else its
  /// first.
  void find_platform_class() {
    if (!platform_) return;
    for (const PlatformClass& known : platform_->classes) {
      if (!vocabulary_.device_class.empty() && known.name == vocabulary_.device_class) {
        platform_class_ = &known;
        return;
      }
    }
    if (profile_.resource) {
      const auto vendor = [](std::string_view name) { return name.substr(0, name.find('/')); };
      for (const PlatformClass& known : platform_->classes) {
        if (known.resource == *profile_.resource ||
            vendor(known.resource) == vendor(*profile_.resource)) {
          platform_class_ = &known;
          if (known.resource == *profile_.resource) return;
        }
      }
      if (platform_class_) return;
    }
    if (device_) platform_class_ = accelerator::class_of(*platform_, *device_);
    if (!platform_class_) platform_class_ = &platform_->classes.front();
  }

  void apply_class(const DeviceClass& known) {
    if (known.resource && !flags_.resource) profile_.resource = known.resource;
    if (known.device_label && !flags_.device_label) profile_.device_label = known.device_label;
    if (known.partition_label && !flags_.partition_label)
      profile_.partition_label = known.partition_label;
    if (known.unpartitioned_requirement) {
      profile_.unpartitioned_requirement = known.unpartitioned_requirement;
    }
    if (known.unpartitioned_toleration) {
      profile_.unpartitioned_toleration = known.unpartitioned_toleration;
    }
    append(profile_.tolerations, known.tolerations);
    append(profile_.alternatives, known.alternatives);
    append(profile_.preferred, known.preferred);
    add_absent(profile_.node_selector, known.node_selector);
    add_absent(profile_.pod_defaults, known.pod_defaults);
  }

  void resolve_labels() {
    if (!platform_class_) return;
    // Only now, so that `resource` stays unset where nobody named one and the platform's is the
    // usual.
    const bool usual = platform_->name == "flyte" && platform_class_ == &platform_->classes.front();
    if (!profile_.resource && (!usual || names_device())) {
      profile_.resource = std::string(platform_class_->resource);
    }
    own_label_ = !profile_.device_label || *profile_.device_label == platform_class_->device_label;
    if (!profile_.device_label && !platform_class_->device_label.empty()) {
      profile_.device_label = std::string(platform_class_->device_label);
    }
    if (!profile_.partition_label && !platform_class_->partition_label.empty()) {
      profile_.partition_label = std::string(platform_class_->partition_label);
    }
  }

  // The device's label value.

  void resolve_device() {
    const std::string name = *profile_.accelerator;
    if (!profile_.device_label) {
      throw Error(place_accelerator(),
                  name_accelerator() + "nothing says which node label names the device",
                  "name it with labels.device in the profile or --device-label");
    }
    if (by_own_names(name)) {
      const DeviceValue* entry =
          platform_ && device_ ? accelerator::value_of(*platform_, *device_) : nullptr;
      if (entry && !vocabulary_.verbatim) add_what_hangs_on(*platform_, *entry);
    } else if (!vocabulary_.verbatim) {
      by_platform(name);
    }
    if (!device_ && profile_.accelerator) device_ = accelerator::find_device(*profile_.accelerator);
    if (!profile_.accelerator) return;
    const auto wrong = kube::check_label_value(*profile_.accelerator);
    if (!wrong.empty()) {
      const auto near = accelerator::suggest_device(name, vocabulary_.platform);
      throw Error(
          place_accelerator(),
          name_accelerator() + in_quotes(*profile_.accelerator) + " cannot be a label value",
          near.empty() ? "gpuspec profile list --devices prints the names that are known"
                       : "did you mean " + in_quotes(near) + "?");
    }
  }

  /// The profile's own `devices`, as key or value.
  bool by_own_names(const std::string& name) {
    if (vocabulary_.verbatim) {
      const std::string key = upper(name);
      for (const auto& [friendly, value] : vocabulary_.devices) {
        if (friendly == key) return set_value(value);
      }
      if (vocabulary_.devices.empty() && platform_) {
        for (const auto& entry : platform_->names) {
          if (entry.key == key) return set_value(entry.value);
        }
      }
      warn_unlike_anything(name);
      return false;
    }
    for (const auto& [friendly, value] : vocabulary_.devices) {
      if (value == name) return true;
    }
    for (const auto& [friendly, value] : vocabulary_.devices) {
      if (friendly == name || accelerator::device_key(friendly) == accelerator::device_key(name)) {
        return set_value(value);
      }
    }
    if (!device_) return false;
    for (const auto& [friendly, value] : vocabulary_.devices) {
      if (accelerator::find_device(friendly) == device_) return set_value(value);
    }
    return false;
  }

  bool set_value(std::string_view value) {
    profile_.accelerator = std::string(value);
    return true;
  }

  /// Flyte takes any name; a typing mistake should not go unseen.
  void warn_unlike_anything(const std::string& name) {
    if (device_) return;
    for (const auto& [friendly, value] : vocabulary_.devices) {
      if (value == name) return;
    }
    const auto near = accelerator::suggest_device(name);
    if (near.empty()) return;  // a cluster's own word
    warn(place_accelerator(),
         name_accelerator() + "no table knows " + in_quotes(name) + "; used as given",
         "did you mean " + in_quotes(near) + "?");
  }

  void by_platform(const std::string& name) {
    const Platform* words = platform_;
    if (!own_label_ && profile_.device_label)
      words = platform_of_label(*profile_.device_label, name);
    if (!words) {
      if (!device_) warn_unlike_anything(name);
      return;
    }
    if (!words->value_prefix.empty()) return by_prefix(*words, name);
    if (accelerator::device_with_value(*words, name)) {
      device_ = accelerator::device_with_value(*words, name);
      return use_entry(*words, *accelerator::value_of(*words, *device_), name);
    }
    if (words->labels_by_hand && looks_like_label_value(name)) return as_given(*words, name);
    const DeviceValue* entry = device_ ? accelerator::value_of(*words, *device_) : nullptr;
    if (!entry) return as_given(*words, name);
    use_entry(*words, *entry, name);
  }

  /// Whose words the values of a label are, when it is not the profile's platform's own: the
  /// platform that owns the label. For a label of the user's own, friendly names are the profile's
  /// platform's, what is spelled as some platform's value is taken as it is.
  const Platform* platform_of_label(const std::string& label, const std::string& name) {
    if (const auto* known = accelerator::find_node_label(label)) {
      if (const Platform* owner = accelerator::find_platform(known->platform)) return owner;
    }
    if (!device_) return nullptr;
    const auto same = [&](std::string_view alias) { return equal_without_case(alias, name); };
    const bool friendly =
        same(device_->name) || std::any_of(device_->aliases.begin(), device_->aliases.end(), same);
    return friendly ? platform_ : nullptr;
  }

  void by_prefix(const Platform& words, const std::string& name) {
    std::string value = name;
    for (char& c : value) {
      if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
      if (c == ' ') c = '-';
    }
    if (!value.starts_with(words.value_prefix)) value = std::string(words.value_prefix) + value;
    profile_.accelerator = value;
    if (!device_) warn_unlike_anything(name);
  }

  void as_given(const Platform& words, const std::string& name) {
    std::string hint;
    const DeviceValue* entry = device_ ? accelerator::value_of(words, *device_) : nullptr;
    if (device_ && !entry) {
      hint = "the table of " + std::string(words.name) + " has no " + std::string(device_->name);
    } else {
      const std::string near = entry ? std::string(accelerator::value_for_name(*entry, name))
                                     : accelerator::suggest_device(name, words.name);
      if (!near.empty() && near != name) hint = "did you mean " + in_quotes(near) + "?";
    }
    warn(place_accelerator(),
         name_accelerator() + "no value of " + std::string(words.name) + " is known for " +
             in_quotes(name) + "; used as given",
         hint);
  }

  /// Further labels, and the toleration for machines with an arm64 CPU.
  void add_what_hangs_on(const Platform& words, const DeviceValue& entry) {
    for (const auto& label : entry.with) {
      kube::NodeSelectorRequirement more;
      more.key = label.key;
      more.op = "In";
      more.values = {std::string(label.value)};
      profile_.device_required.push_back(std::move(more));
    }
    if (device_->arm64) {
      for (const auto& known : words.arm64_tolerations) {
        kube::Toleration toleration;
        toleration.key = known.key;
        toleration.op = known.op;
        toleration.value = known.value;
        toleration.effect = known.effect;
        profile_.device_also_tolerated.push_back(std::move(toleration));
      }
    }
  }

  void use_entry(const Platform& words, const DeviceValue& entry, const std::string& name) {
    add_what_hangs_on(words, entry);
    const bool exact =
        std::find(entry.values.begin(), entry.values.end(), name) != entry.values.end();
    if (!words.values_are_alternatives || exact || entry.values.size() == 1) {
      set_value(accelerator::value_for_name(entry, name));
      return;
    }
    kube::NodeSelectorRequirement any;
    any.key = *profile_.device_label;
    any.op = "In";
    for (auto value : entry.values) any.values.emplace_back(value);
    if (profile_.selector_style == SelectorStyle::node_selector) {
      std::string all;
      for (const auto& value : any.values) all += (all.empty() ? "" : ", ") + value;
      throw Error(place_accelerator(),
                  name_accelerator() + in_quotes(name) +
                      " means several machine types here, which a nodeSelector cannot say",
                  "use style affinity, or name one of " + all);
    }
    profile_.device_required.push_back(std::move(any));
    profile_.accelerator.reset();
  }

  // The partition.

  void resolve_partition() {
    const std::string size = *profile_.partition;
    check_partition(size);
    const bool suffix =
        platform_ && !platform_->partition_suffix.empty() && !profile_.partition_label;
    if (suffix) {
      if (!profile_.accelerator) {
        throw Error(place_partition(),
                    name_partition() + "on " + std::string(platform_->name) +
                        " the size is part of the device's label, so the device must be named, too",
                    "add --accelerator DEVICE, or ask for the resource nvidia.com/mig-" +
                        accelerator::partition_label_value(size));
      }
      profile_.accelerator = *profile_.accelerator + std::string(platform_->partition_suffix) +
                             accelerator::partition_label_value(size);
      profile_.partition.reset();
      return;
    }
    if (!profile_.partition_label) {
      const bool mig = accelerator::is_mig_profile(size);
      throw Error(
          place_partition(), name_partition() + "nothing says which node label names the partition",
          mig ? "name it with --partition-label or labels.partition, or ask for the resource "
                "nvidia.com/mig-" +
                    accelerator::partition_label_value(size) + " with --resource"
              : "name it with --partition-label or labels.partition");
    }
    if (!vocabulary_.verbatim) profile_.partition = accelerator::partition_label_value(size);
    const auto wrong = kube::check_label_value(*profile_.partition);
    if (!wrong.empty()) {
      throw Error(place_partition(),
                  name_partition() + in_quotes(size) + " cannot be a label value",
                  "a MIG size is written like 2g.10gb");
    }
  }

  void check_partition(const std::string& size) {
    if (!device_) return;
    const auto answer = accelerator::has_partition(*device_, size);
    const std::string device(device_->name);
    const std::string sizes = accelerator::partition_names(*device_);
    if (answer == PartitionAnswer::none) {
      refuse(name_partition() + device + " cannot be partitioned", "leave out the partition");
    } else if (answer == PartitionAnswer::no) {
      refuse(name_partition() + device + " has no " + in_quotes(size), "it has " + sizes);
    } else if (answer == PartitionAnswer::maybe_not) {
      warn(place_partition(),
           name_partition() + "the tables know no " + in_quotes(size) + " of " + device,
           "they know " + sizes);
    } else {
      check_offered(size, device);
    }
  }

  /// The hardware has the size; the platform may not offer it.
  void check_offered(const std::string& size, const std::string& device) {
    if (!platform_ || vocabulary_.lenient) return;
    for (const auto& offer : platform_->partitions) {
      if (offer.device != device_->name) continue;
      std::string sizes;
      for (const auto& known : offer.sizes) {
        if (known.name == accelerator::partition_label_value(size)) return;
        sizes += (sizes.empty() ? "" : ", ") + std::string(known.name);
      }
      warn(place_partition(),
           name_partition() + std::string(platform_->name) + " may not offer " + in_quotes(size) +
               " of " + device,
           "it is known to offer " + sizes);
    }
  }

  void refuse(const std::string& text, const std::string& hint) {
    if (!vocabulary_.lenient) throw Error(place_partition(), text, hint);
    warn(place_partition(), text, hint);
  }

  void resolve_unpartitioned() {
    const auto& rule = profile_.unpartitioned_requirement;
    const bool sayable = rule && rule->op == "In" && rule->values.size() == 1;
    if (profile_.selector_style == SelectorStyle::node_selector && !sayable) {
      throw Error(place_partition(),
                  name_unpartitioned() + "a nodeSelector cannot say that a label is not there",
                  "use selector style affinity, or a label of your own as the requirement");
    }
    if (profile_.unpartitioned_requirement || profile_.partition_label) return;
    const bool suffix = platform_ && !platform_->partition_suffix.empty();
    if (suffix && profile_.accelerator) {
      profile_.unpartitioned = false;  // the product's plain name says it
      return;
    }
    throw Error(place_partition(),
                name_unpartitioned() + "nothing says which node label names the partition",
                suffix ? "name the device: its plain name means an unpartitioned one"
                       : "name it with --partition-label or labels.partition");
  }

  // What is asked for against what there is.

  void check_resource() {
    if (!profile_.resource) return;
    const auto mig = accelerator::mig_profile_of_resource(*profile_.resource);
    if (!mig.empty()) {
      if (platform_ && !platform_->partitions.empty()) {
        warn({},
             std::string(platform_->name) + " offers MIG partitions as nvidia.com/gpu, not as " +
                 in_quotes(*profile_.resource),
             "ask for --partition " + std::string(mig) + " instead");
      }
      if (!profile_.partition) check_partition_of_resource(std::string(mig));
    }
    check_count();
  }

  void check_partition_of_resource(const std::string& size) {
    if (!device_) return;
    const auto answer = accelerator::has_partition(*device_, size);
    const std::string device(device_->name);
    if (answer == PartitionAnswer::none) {
      throw Error(Place{}, "the resource " + in_quotes(*profile_.resource) + ": " + device +
                               " cannot be partitioned");
    }
    if (answer == PartitionAnswer::no) {
      throw Error(Place{},
                  "the resource " + in_quotes(*profile_.resource) + ": " + device + " has no " +
                      in_quotes(size),
                  "it has " + accelerator::partition_names(*device_));
    }
  }

  /// More devices than one node of the platform has.
  void check_count() {
    if (!platform_ || !device_ || !profile_.gpus || profile_.partition) return;
    for (const auto& known : platform_->counts) {
      if (known.device != device_->name || known.counts.empty()) continue;
      const int most = *std::max_element(known.counts.begin(), known.counts.end());
      if (*profile_.gpus > most) {
        warn({},
             "gpus: no node of " + std::string(platform_->name) + " has " +
                 std::to_string(*profile_.gpus) + " " + std::string(device_->name),
             "the most is " + std::to_string(most));
      }
    }
  }

  Profile& profile_;
  const Profile& flags_;
  Vocabulary& vocabulary_;
  const Platform* platform_;
  const PlatformClass* platform_class_ = nullptr;
  const Device* device_ = nullptr;
  bool own_label_ = false;
  Warnings& warnings_;
};

void apply_interruptible(Profile& profile, bool interruptible, Warnings& warnings) {
  const Interruptible& rules = profile.interruptible;
  if (!interruptible) {
    append(profile.required, rules.required_otherwise);
    return;
  }
  if (rules.tolerations.empty() && rules.node_selector.empty() && rules.required.empty()) {
    warnings.push_back({{}, "--interruptible: nothing here says what interruptible pods need", ""});
  }
  append(profile.tolerations, rules.tolerations);
  append(profile.required, rules.required);
  append(profile.node_selector_overrides, rules.node_selector);
}

}  // namespace

void resolve(Profile& profile, const Profile& flags, bool interruptible, Warnings& warnings) {
  Resolver(profile, flags, warnings).run();
  apply_interruptible(profile, interruptible, warnings);
}

}  // namespace gpuspec::profile
