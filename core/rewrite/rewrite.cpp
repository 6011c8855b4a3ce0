#include "core/rewrite/rewrite.h"

#include <algorithm>
#include <atomic>
#include <exception>
#include <iterator>
#include <thread>
#include <utility>

#include "core/rewrite/unit.h"
#include "core/yaml/lookup.h"
#include "core/yaml/reader.h"
#include "core/yaml/segment.h"

namespace gpuspec::rewrite {
namespace {

using yaml::Unit;

std::string_view text_of(std::string_view stream, const Unit& unit) {
  return stream.substr(unit.begin, unit.end - unit.begin);
}

std::vector<Unit> cut(std::string_view stream, bool lists) {
  std::vector<Unit> units;
  yaml::Cutter cutter(lists);
  while (auto unit = cutter.next(stream, 0, true)) units.push_back(*unit);
  return units;
}

/// What the head and the tail of a large list say around the items; nullopt when they are not
/// those of a list, or cannot be read by themselves.
std::optional<kube::ListContext> read_context(std::string_view head, std::string_view tail) {
  kube::ListContext context;
  yaml::Tree tree;
  try {
    for (const std::string_view part : {head, tail}) {
      yaml::read_document(part, 0, tree);
      if (!tree.has_content) continue;
      if (tree[0].kind != yaml::Kind::mapping) return std::nullopt;
      if (auto text = yaml::get_text(tree, 0, "apiVersion")) context.api_version = *text;
      if (auto text = yaml::get_text(tree, 0, "kind")) context.kind = *text;
    }
  } catch (const text::Error&) {
    return std::nullopt;
  }
  if (!context.kind.ends_with("List")) return std::nullopt;
  return context;
}

/// A unit of work: a document, or items of a large list, with what stands around them.
struct Task {
  Unit unit;
  std::optional<kube::ListContext> context;
  Unit document;  ///< all of the document that the items are of
};

Unit whole(const Unit& first, const Unit& last) {
  return {.kind = Unit::Kind::document,
          .begin = first.begin,
          .end = last.end,
          .document = first.document};
}

std::vector<Task> plan(std::string_view stream) {
  std::vector<Task> tasks;
  const std::vector<Unit> units = cut(stream, true);
  for (auto begin = units.begin(); begin != units.end();) {
    const auto end = std::find_if(
        begin, units.end(), [&](const Unit& unit) { return unit.document != begin->document; });
    if (end - begin == 1 || begin->kind != Unit::Kind::list_head) {
      for (; begin != end; ++begin) tasks.push_back({*begin, std::nullopt, *begin});
      continue;
    }
    const auto last = end - 1;
    const std::string_view tail =
        last->kind == Unit::Kind::list_tail ? text_of(stream, *last) : std::string_view();
    if (const auto context = read_context(text_of(stream, *begin), tail)) {
      for (auto it = begin; it != end; ++it) {
        if (it->kind == Unit::Kind::list_items)
          tasks.push_back({*it, context, whole(*begin, *last)});
      }
    } else {
      tasks.push_back({whole(*begin, *last), std::nullopt, {}});
    }
    begin = end;
  }
  return tasks;
}

/// The outcome of a task, or why there is none.
struct Result {
  Outcome outcome;
  std::exception_ptr error;
};

void run_task(std::string_view stream, const Task& task, UnitRewriter& rewriter, Result& result,
              std::atomic<std::size_t>* done) {
  try {
    rewriter.run(text_of(stream, task.unit), task.unit.begin,
                 task.context ? &*task.context : nullptr, result.outcome);
  } catch (...) {
    result.error = std::current_exception();
  }
  if (done != nullptr) *done += task.unit.end - task.unit.begin;
}

std::vector<Result> run_all(std::string_view stream, const std::vector<Task>& tasks,
                            const Prepared& prepared, int jobs) {
  std::vector<Result> results(tasks.size());
  std::atomic<std::size_t> next{0};
  std::atomic<bool> failed{false};
  const auto work = [&] {
    UnitRewriter rewriter(prepared);
    for (std::size_t i = next++; i < tasks.size() && !failed; i = next++) {
      run_task(stream, tasks[i], rewriter, results[i], prepared.settings.done);
      // Tasks are taken in order, so every earlier one is done or at work: the first error in the
      // order of the text is found whatever the number of threads. Items that cannot be read by
      // themselves get another chance.
      if (results[i].error && !tasks[i].context) failed = true;
    }
  };
  std::vector<std::thread> threads;
  const std::size_t wanted = std::min<std::size_t>(std::max(jobs, 1), tasks.size());
  for (std::size_t i = 1; i < wanted; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return results;
}

template <typename T>
void move_to(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

void add(Outcome& total, Outcome part) {
  move_to(total.edits, part.edits);
  move_to(total.records, part.records);
  move_to(total.messages, part.messages);
  total.documents += part.documents;
  total.objects += part.objects;
  total.pods += part.pods;
}

}  // namespace

Outcome rewrite(const text::Source& source, const Settings& settings) {
  const std::string_view stream = source.bytes();
  const Prepared prepared(settings);
  const std::vector<Task> tasks = plan(stream);
  std::vector<Result> results = run_all(stream, tasks, prepared, settings.jobs);
  Outcome total;
  for (std::size_t begin = 0, end = 0; begin < tasks.size(); begin = end) {
    // The parts of a list stand or fall together: where one cannot be read by itself (an alias
    // into another one, say), the list is read as a whole.
    const auto same_list = [&](std::size_t i) {
      return i == begin ||
             (tasks[i].context && tasks[i].document.begin == tasks[begin].document.begin);
    };
    bool failed = false;
    for (end = begin; end < tasks.size() && same_list(end); ++end)
      failed = failed || results[end].error != nullptr;
    if (!tasks[begin].context) {
      if (failed) std::rethrow_exception(results[begin].error);
      add(total, std::move(results[begin].outcome));
    } else if (failed) {
      Outcome outcome;
      const Unit& list = tasks[begin].document;
      UnitRewriter(prepared).run(text_of(stream, list), list.begin, nullptr, outcome);
      add(total, std::move(outcome));
    } else {
      ++total.documents;
      for (std::size_t i = begin; i < end; ++i) add(total, std::move(results[i].outcome));
    }
  }
  return total;
}

}  // namespace gpuspec::rewrite
