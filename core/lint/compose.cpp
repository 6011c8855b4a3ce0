#include "core/lint/compose.h"

#include <string>

namespace gpuspec::lint {
namespace {

/// A piece of the text between the rounds: a stretch of the original, or inserted text. `at` is
/// where it stands in the original.
struct Piece {
  std::size_t at = 0;
  std::size_t length = 0;  ///< of the stretch; 0 for inserted text
  std::string inserted;
  std::size_t size() const { return length ? length : inserted.size(); }
};

std::vector<Piece> pieces_of(std::string_view text, const std::vector<text::Edit>& edits) {
  std::vector<Piece> pieces;
  std::size_t at = 0;
  for (const text::Edit& edit : edits) {
    if (edit.begin > at) pieces.push_back({at, edit.begin - at, {}});
    if (!edit.text.empty()) pieces.push_back({edit.begin, 0, edit.text});
    at = edit.end;
  }
  if (at < text.size()) pieces.push_back({at, text.size() - at, {}});
  return pieces;
}

/// The part of a piece from `from` on, `size` bytes of it.
Piece part(const Piece& piece, std::size_t from, std::size_t size) {
  if (piece.length) return {piece.at + from, size, {}};
  return {piece.at, 0, piece.inserted.substr(from, size)};
}

}  // namespace

std::vector<text::Edit> compose(std::string_view text, const std::vector<text::Edit>& first,
                                const std::vector<text::Edit>& second) {
  // What is left of the pieces when the second round has cut them, with its insertions between.
  std::vector<Piece> left;
  std::vector<Piece> pieces = pieces_of(text, first);
  std::size_t index = 0;     // of the piece at hand
  std::size_t inside = 0;    // how much of it is done
  std::size_t position = 0;  // in the text between the rounds
  const auto advance = [&](std::size_t to, bool keep) {
    while (position < to && index < pieces.size()) {
      const std::size_t take = std::min(to - position, pieces[index].size() - inside);
      if (keep) left.push_back(part(pieces[index], inside, take));
      position += take;
      inside += take;
      if (inside == pieces[index].size()) {
        ++index;
        inside = 0;
      }
    }
  };
  for (const text::Edit& edit : second) {
    advance(edit.begin, true);
    if (!edit.text.empty()) left.push_back({0, 0, edit.text});
    advance(edit.end, false);
  }
  advance(std::string_view::npos, true);

  // Gaps between the stretches of the original are what the rounds replace together.
  std::vector<text::Edit> edits;
  std::size_t at = 0;
  std::string inserted;
  const auto close = [&](std::size_t next) {
    if (next > at || !inserted.empty()) edits.push_back({at, next, std::move(inserted)});
    inserted.clear();
  };
  for (const Piece& piece : left) {
    if (!piece.length) {
      inserted += piece.inserted;
      continue;
    }
    close(piece.at);
    at = piece.at + piece.length;
  }
  close(text.size());
  return edits;
}

}  // namespace gpuspec::lint
