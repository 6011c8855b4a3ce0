#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

#include "core/yaml/reader.h"

namespace gpuspec::yaml {

/// A stretch of a stream that can be read on its own with read_document.
struct Unit {
  enum class Kind {
    document,    ///< a whole document
    list_head,   ///< of a large list: everything up to and including the line `items:`
    list_items,  ///< some of its items: the root is a block sequence
    list_tail,   ///< what follows the items: the rest of the root mapping, or nothing
  };
  Kind kind = Kind::document;
  std::size_t begin = 0;  ///< offsets in the stream
  std::size_t end = 0;
  std::size_t document = 0;  ///< number of the document in the stream, from 0
  std::size_t column = 0;    ///< of the items of a large list
};

/// Documents of at least this size are looked at as lists that can be cut.
inline constexpr std::size_t list_threshold = 1 << 20;
/// The least size of a stretch of items; it ends at the next item. Small, because a stretch with an
/// edit in it is read twice (the proof), and few items of a list have one.
inline constexpr std::size_t list_batch = 4 << 10;

/// Cuts a stream into documents, and documents that are large Kubernetes lists (`items:` at the
/// left margin, a block sequence below it) into head, stretches of items and tail, so that neither
/// the tree of a whole list nor, when the input is a pipe, its bytes need memory at once.
///
/// Cutting is by lines alone: a line that starts with `---` or `...` is a document marker whatever
/// surrounds it (YAML 1.2 §9.1), and within block items a line that starts with `- ` in the items'
/// column starts an item. Where that would be wrong (the head is inside quotes, an alias names
/// another item's anchor, …) one of the pieces cannot be read by itself or does not have the root
/// that its kind says; then the document has to be read as a whole.
class Cutter {
 public:
  explicit Cutter(bool cut_lists) : cut_lists_(cut_lists) {}

  /// The next unit of the stream, or nullopt: at its end when `last` is set, otherwise when more
  /// bytes are needed. `window`: bytes of the stream from offset `window_begin` on, which must not
  /// be past position(). `last`: the window reaches the end of the stream.
  std::optional<Unit> next(std::string_view window, std::size_t window_begin, bool last);

  /// The end of the last unit: bytes before it are no longer needed.
  std::size_t position() const { return begin_; }

 private:
  std::optional<Unit> next_document(std::string_view text);
  std::optional<Unit> next_items(std::string_view text);
  void scan(std::string_view text, bool last);
  Unit take(Unit::Kind kind, std::size_t end);
  Unit take_last(Unit::Kind kind);

  const bool cut_lists_;
  std::size_t base_ = 0;     ///< where the window of this call begins
  std::size_t begin_ = 0;    ///< of the next unit
  std::size_t scanned_ = 0;  ///< line start up to which no end of the document was found
  std::optional<std::size_t> document_end_;
  std::size_t document_ = 0;
  bool prefix_possible_ = true;  ///< directives may come: at the start and after `...`
  bool next_prefix_possible_ = true;
  enum class Where { document, items, tail } where_ = Where::document;
  bool no_list_ = false;
  std::size_t column_ = 0;
};

}  // namespace gpuspec::yaml
