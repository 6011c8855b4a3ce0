#pragma once

#include <cstddef>
#include <vector>

#include "core/rewrite/model.h"
#include "core/rewrite/rewrite.h"
#include "core/yaml/change.h"

namespace gpuspec::rewrite {

/// A Record whose offset is that of a change: its number in Changes::asked().
struct Pending {
  std::size_t change = 0;
  Record record;
};

/// Asks for the changes that make the document say what the model says, with a record for each
/// thing a rule did. What the kind has no field for goes to the messages.
void emit(const PodModel& pod, yaml::Changes& changes, std::vector<Pending>& records,
          std::vector<Message>& messages);

}  // namespace gpuspec::rewrite
