#include "cli/lint_baseline.h"

#include <filesystem>
#include <fstream>

#include <nlohmann/json.hpp>

#include "cli/command.h"
#include "core/text/source.h"

namespace gpuspec::cli {
namespace {

using Json = nlohmann::ordered_json;

/// One spelling for a file, whatever the command line called it.
std::string normal(const std::string& name) {
  return std::filesystem::path(name).lexically_normal().generic_string();
}

std::string key_of(const std::string& file, const std::string& fingerprint) {
  return normal(file) + '\n' + fingerprint;
}

}  // namespace

Baseline Baseline::read(const std::string& file) {
  const text::Source source = text::Source::open(file);
  Baseline baseline;
  try {
    const Json json = Json::parse(source.bytes());
    if (json.at("version") != 1) throw UsageError(file + ": a baseline of another version");
    for (const Json& entry : json.at("findings"))
      baseline.known_[key_of(entry.at("file"), entry.at("fingerprint"))] +=
          entry.value("count", std::size_t{1});
  } catch (const nlohmann::json::exception& error) {
    throw UsageError(file + " is no baseline: " + error.what(),
                     "gpuspec lint --write-baseline FILE makes one");
  }
  return baseline;
}

std::string Baseline::write(const LintReport& report) {
  struct Entry {
    const lint::Finding* finding;
    std::size_t count;
  };
  std::map<std::string, std::pair<std::string, Entry>> entries;
  for (const LintedFile& file : report.files)
    for (const lint::Finding& finding : file.result.findings) {
      auto& [name, entry] = entries
                                .try_emplace(key_of(file.name, finding.fingerprint()),
                                             std::pair{normal(file.name), Entry{&finding, 0}})
                                .first->second;
      ++entry.count;
    }
  Json findings = Json::array();
  for (const auto& [key, value] : entries) {
    const auto& [name, entry] = value;
    Json json = {{"file", name},
                 {"code", entry.finding->rule->code},
                 {"fingerprint", entry.finding->fingerprint()},
                 {"message", entry.finding->message}};
    if (entry.count > 1) json["count"] = entry.count;
    findings.push_back(std::move(json));
  }
  const Json json = {{"version", 1}, {"findings", std::move(findings)}};
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

void Baseline::apply(LintReport& report) const {
  std::map<std::string, std::size_t> left = known_;
  for (LintedFile& file : report.files)
    report.baselined += std::erase_if(file.result.findings, [&](const lint::Finding& finding) {
      const auto found = left.find(key_of(file.name, finding.fingerprint()));
      if (found == left.end() || found->second == 0) return false;
      --found->second;
      return true;
    });
}

}  // namespace gpuspec::cli
