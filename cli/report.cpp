#include "cli/report.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace gpuspec::cli {
namespace {

using Json = nlohmann::ordered_json;

std::string counted(std::size_t number, const std::string& noun) {
  return std::to_string(number) + ' ' + noun + (number == 1 ? "" : "s");
}

Json value_of(const std::string& text) {
  Json value = Json::parse(text, nullptr, false);
  if (value.is_discarded()) value = text;
  return value;
}

Json place(const text::Source& source, std::size_t offset) {
  const text::Location at = source.location(offset);
  return {{"file", source.name()}, {"line", at.line}, {"column", at.column}};
}

/// The records in the order of the text.
std::vector<const rewrite::Record*> in_order(const rewrite::Outcome& outcome) {
  std::vector<const rewrite::Record*> records;
  for (const rewrite::Record& record : outcome.records) records.push_back(&record);
  std::stable_sort(records.begin(), records.end(),
                   [](const auto* a, const auto* b) { return a->offset < b->offset; });
  return records;
}

}  // namespace

std::string summary(const std::vector<FileReport>& files) {
  std::size_t edits = 0;
  std::size_t changed = 0;
  for (const FileReport& file : files) {
    edits += file.outcome->records.size();
    changed += file.outcome->edits.empty() ? 0 : 1;
  }
  if (edits == 0) return "nothing to change in " + counted(files.size(), "file");
  return counted(edits, "edit") + " in " + std::to_string(changed) + " of " +
         counted(files.size(), "file");
}

std::string text_report(const std::vector<FileReport>& files) {
  std::string out;
  for (const FileReport& file : files) {
    for (const rewrite::Record* found : in_order(*file.outcome)) {
      const rewrite::Record& record = *found;
      const text::Location at = file.source->location(record.offset);
      out += file.source->name() + ':' + std::to_string(at.line) + ':' + std::to_string(at.column);
      out += ": " + record.object + ": " + record.op + ' ' + record.field;
      if (!record.value.empty()) out += ": " + record.value;
      out += " (" + record.rule;
      if (!record.reason.empty()) out += ": " + record.reason;
      out += ")\n";
    }
  }
  return out + summary(files) + '\n';
}

std::string json_report(const std::vector<FileReport>& files) {
  Json edits = Json::array();
  Json messages = Json::array();
  Json inputs = Json::array();
  for (const FileReport& file : files) {
    const rewrite::Outcome& outcome = *file.outcome;
    inputs.push_back({{"file", file.source->name()},
                      {"changed", !outcome.edits.empty()},
                      {"documents", outcome.documents},
                      {"objects", outcome.objects},
                      {"pods", outcome.pods}});
    for (const rewrite::Record* found : in_order(outcome)) {
      const rewrite::Record& record = *found;
      Json edit = place(*file.source, record.offset);
      edit["object"] = record.object;
      edit["field"] = record.field;
      edit["op"] = record.op;
      if (!record.value.empty()) edit["value"] = value_of(record.value);
      edit["rule"] = record.rule;
      edit["reason"] = record.reason;
      edits.push_back(std::move(edit));
    }
    for (const rewrite::Message& message : outcome.messages) {
      Json entry = place(*file.source, message.offset);
      entry["severity"] = message.level == rewrite::Message::Level::note ? "note" : "warning";
      entry["message"] = message.text;
      messages.push_back(std::move(entry));
    }
  }
  const Json report = {{"version", 1}, {"files", inputs}, {"edits", edits}, {"messages", messages}};
  return report.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace gpuspec::cli
