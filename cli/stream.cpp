#include "cli/stream.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

#include "cli/output.h"
#include "core/rewrite/unit.h"
#include "core/text/message.h"
#include "core/yaml/edit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"
#include "core/yaml/segment.h"

namespace gpuspec::cli {
namespace {

using yaml::Unit;

constexpr std::size_t chunk = 256U << 10U;

[[noreturn]] void fail(const std::string& doing, const std::string& path) {
  throw std::system_error(errno, std::generic_category(), "cannot " + doing + ' ' + path);
}

/// A file descriptor that is closed at the end of the scope, unless it is a standard one.
class File {
 public:
  File(int standard, const std::string& path, int flags)
      : fd_(path.empty() ? standard : ::open(path.c_str(), flags | O_CLOEXEC, 0666)),
        own_(!path.empty()) {
    if (fd_ < 0) fail((flags & O_ACCMODE) == O_RDONLY ? "read" : "write", path);
  }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  ~File() {
    if (own_) ::close(fd_);
  }
  int get() const { return fd_; }

 private:
  int fd_;
  bool own_;
};

/// The part of the input that is in memory.
class Window {
 public:
  Window(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

  std::string_view bytes() const { return bytes_; }
  std::size_t begin() const { return begin_; }
  bool at_end() const { return at_end_; }

  void read_more() {
    std::size_t size = bytes_.size();
    const std::size_t wanted = size + chunk;
    bytes_.resize(wanted);
    while (size < wanted && !at_end_) {
      const ssize_t got = ::read(fd_, bytes_.data() + size, wanted - size);
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) fail("read", name_);
      at_end_ = got == 0;
      size += static_cast<std::size_t>(got);
    }
    bytes_.resize(size);
  }

  void drop_until(std::size_t offset) {
    bytes_.erase(0, offset - begin_);
    begin_ = offset;
  }

 private:
  int fd_;
  std::string name_;
  std::string bytes_;
  std::size_t begin_ = 0;
  bool at_end_ = false;
};

/// Rewrites the units of one stream.
class StreamRewriter {
 public:
  StreamRewriter(std::string name, const rewrite::Settings& settings, int out, std::string out_name,
                 const Console& console)
      : name_(std::move(name)),
        prepared_(settings),
        rewriter_(prepared_),
        writer_(out, std::move(out_name)),
        console_(console) {}

  /// Rewrites and writes; `text` is all of the unit.
  int run(const Unit& unit, std::string_view text) {
    rewrite::Outcome outcome;
    const int code = guarded(text, [&] { rewrite(unit, text, outcome); });
    if (code != exit_done) return code;
    tell(text, outcome);
    write(text, outcome);
    line_ += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    return exit_done;
  }

 private:
  // Offsets count from the start of the unit: its line is known, and nothing else is needed.
  void rewrite(const Unit& unit, std::string_view text, rewrite::Outcome& outcome) {
    switch (unit.kind) {
      case Unit::Kind::document:
        rewriter_.run(text, 0, nullptr, outcome);
        break;
      case Unit::Kind::list_head:
        context_ = {};
        read_context(text);
        break;
      case Unit::Kind::list_items:
        // kubectl writes the kind after the items, and then it is a List.
        if (context_.kind.empty()) {
          const kube::ListContext assumed{"v1", "List"};
          rewriter_.run(text, 0, &assumed, outcome);
        } else {
          rewriter_.run(text, 0, &context_, outcome);
        }
        break;
      case Unit::Kind::list_tail: {
        const bool assumed = context_.kind.empty();
        read_context(text);
        if (assumed && context_.kind != "List") {
          throw text::Error(0, "the kind of this list stands after its items and is not List",
                            "leave out --stream");
        }
        break;
      }
    }
  }

  void read_context(std::string_view text) {
    yaml::Tree tree;
    yaml::read_document(text, 0, tree);
    if (!tree.has_content) return;
    if (auto value = yaml::get_text(tree, 0, "apiVersion")) context_.api_version = *value;
    if (auto value = yaml::get_text(tree, 0, "kind")) context_.kind = *value;
  }

  template <typename Work>
  int guarded(std::string_view text, Work work) const {
    const auto say = [&](const text::Error& error, const std::string& message) {
      const text::Source source = text::Source::from_string(name_, std::string(text), line_);
      console_.say(source, error.offset(), text::Severity::error, message, error.hint());
    };
    try {
      work();
    } catch (const rewrite::ProofFailed& error) {
      say(error, std::string("gpuspec's own fault: ") + error.what());
      return exit_own_fault;
    } catch (const text::Error& error) {
      say(error, error.what());
      return exit_bad_input;
    }
    return exit_done;
  }

  void tell(std::string_view text, const rewrite::Outcome& outcome) const {
    if (outcome.messages.empty()) return;
    const text::Source source = text::Source::from_string(name_, std::string(text), line_);
    for (const rewrite::Message& message : outcome.messages) {
      const bool note = message.level == rewrite::Message::Level::note;
      console_.say(source, message.offset, note ? text::Severity::note : text::Severity::warning,
                   message.text);
    }
  }

  void write(std::string_view text, const rewrite::Outcome& outcome) {
    std::size_t at = 0;
    for (const yaml::Edit& edit : outcome.edits) {
      writer_.put(text.substr(at, edit.begin - at));
      writer_.put(edit.text);
      at = edit.end;
    }
    writer_.put(text.substr(at));
    writer_.flush();
  }

  std::string name_;
  rewrite::Prepared prepared_;
  rewrite::UnitRewriter rewriter_;
  Writer writer_;
  const Console& console_;
  kube::ListContext context_;
  std::size_t line_ = 1;  // of the next unit
};

}  // namespace

int rewrite_stream(const Input& input, const std::string& output, const rewrite::Settings& settings,
                   const Console& console) {
  const File in(STDIN_FILENO, input.path, O_RDONLY);
  const File out(STDOUT_FILENO, output, O_WRONLY | O_CREAT | O_TRUNC);
  StreamRewriter rewriter(input.name(), settings, out.get(),
                          output.empty() ? "standard output" : output, console);
  Window window(in.get(), input.name());
  yaml::Cutter cutter(true);
  window.read_more();
  if (window.bytes().starts_with("\xFF\xFE") || window.bytes().starts_with("\xFE\xFF")) {
    throw UsageError("--stream: UTF-16 cannot be streamed", "leave out --stream");
  }
  for (;;) {
    const std::optional<Unit> unit = cutter.next(window.bytes(), window.begin(), window.at_end());
    if (!unit) {
      if (window.at_end()) return exit_done;
      window.drop_until(cutter.position());
      window.read_more();
      continue;
    }
    const std::string_view text =
        window.bytes().substr(unit->begin - window.begin(), unit->end - unit->begin);
    const int code = rewriter.run(*unit, text);
    if (code != exit_done) return code;
  }
}

}  // namespace gpuspec::cli
