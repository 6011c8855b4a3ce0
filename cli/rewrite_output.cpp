#include "cli/rewrite_output.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <system_error>

#include <fcntl.h>
#include <unistd.h>

#include "cli/join.h"
#include "cli/output.h"
#include "core/text/diff.h"

namespace gpuspec::cli {
namespace {

/// Holds back the signals that end a program: files half replaced, and temporary files left behind,
/// are worse than a moment's wait.
class SignalsHeldBack {
 public:
  SignalsHeldBack() {
    sigset_t set;
    ::sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&set, signal);
    ::sigprocmask(SIG_BLOCK, &set, &before_);
  }
  SignalsHeldBack(const SignalsHeldBack&) = delete;
  SignalsHeldBack& operator=(const SignalsHeldBack&) = delete;
  ~SignalsHeldBack() { ::sigprocmask(SIG_SETMASK, &before_, nullptr); }

 private:
  sigset_t before_{};
};

bool changed(const Rewritten& file) {
  return !file.outcome.edits.empty();
}

/// One encoding for the stream: that of the files, if they agree.
text::Encoding common_encoding(const std::vector<Rewritten>& files) {
  const text::Encoding first = files.front().source->encoding();
  const bool agree = std::all_of(files.begin(), files.end(), [&](const Rewritten& file) {
    return file.source->encoding() == first;
  });
  return agree ? first : text::Encoding::utf8;
}

void put_joined(Writer& writer, const std::vector<Rewritten>& files) {
  const text::Encoding encoding = common_encoding(files);
  Joiner joiner;
  for (const Rewritten& file : files) {
    const std::string between = text::encode(joiner.before(*file.source), encoding);
    writer.put(between);
    put_edited(writer, *file.source, file.outcome.edits, encoding, joiner.skip());
    writer.flush();
    joiner.wrote(*file.source, file.outcome.edits);
  }
}

void write_stdout(const std::vector<Rewritten>& files) {
  Writer writer(STDOUT_FILENO, "standard output");
  put_joined(writer, files);
}

void write_to_file(const std::vector<Rewritten>& files, const std::string& path) {
  if (!is_replaceable(path)) {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CLOEXEC);
    if (fd < 0) throw std::system_error(errno, std::generic_category(), "cannot write " + path);
    Writer writer(fd, path);
    put_joined(writer, files);
    ::close(fd);
    return;
  }
  // Also where the output is one of the inputs: they are read while it is written.
  const SignalsHeldBack held;
  Replacement replacement(path);
  Writer writer(replacement.fd(), path);
  put_joined(writer, files);
  replacement.finish();
  replacement.commit();
}

void write_in_place(const std::vector<Rewritten>& files) {
  const SignalsHeldBack held;
  std::vector<Replacement> replacements;
  for (const Rewritten& file : files) {
    if (!changed(file)) continue;
    Replacement& replacement = replacements.emplace_back(file.source->name());
    Writer writer(replacement.fd(), file.source->name());
    put_edited(writer, *file.source, file.outcome.edits, file.source->encoding());
    writer.flush();
    replacement.finish();
  }
  for (Replacement& replacement : replacements) replacement.commit();
}

void write_diffs(const std::vector<Rewritten>& files, bool color) {
  Writer writer(STDOUT_FILENO, "standard output");
  for (const Rewritten& file : files) {
    if (!changed(file)) continue;
    const text::Source& source = *file.source;
    text::write_unified_diff(source.name(), source.bytes(), file.outcome.edits, color,
                             [&](std::string_view piece) {
                               writer.put(piece);
                               writer.flush();
                             });
  }
}

void write_names(const std::vector<Rewritten>& files) {
  std::string names;
  for (const Rewritten& file : files) {
    if (changed(file)) names += file.source->name() + '\n';
  }
  print(names);
}

}  // namespace

int write_result(const std::vector<Rewritten>& files, const Destination& to, const Common& common) {
  if (to.diff) {
    write_diffs(files, use_color(common.color, STDOUT_FILENO));
  } else if (to.check) {
    write_names(files);
  } else if (to.in_place) {
    write_in_place(files);
  } else if (!to.file.empty()) {
    write_to_file(files, to.file);
  } else {
    write_stdout(files);
  }
  return to.check && std::any_of(files.begin(), files.end(), changed) ? exit_findings : exit_done;
}

}  // namespace gpuspec::cli
