#pragma once
// Reports of a run, without what time does to them.

#include <nlohmann/json.hpp>
#include <string>

#include "run.hpp"

namespace pagestorm::cli {

/// Every figure of a JSON report but times and absent builders' reasons.
inline nlohmann::json counts(nlohmann::json json) {
  for (const char* time : {"seconds", "shared_seconds"}) json.erase(time);
  for (nlohmann::json& row : json["rows"]) row.erase("seconds");
  for (nlohmann::json& failure : json["failures"])
    for (const char* time : {"found_after_s", "shrink_s"}) failure.erase(time);
  return json;
}

/// The JSON report of a campaign that ends with `code`.
struct Reported {
  Ran ran;
  nlohmann::json json;
};

inline Reported report_of(const TempDir& dir, Args args) {
  args.insert(args.end(), {"--json", dir / "report.json"});
  Reported reported{run(args, {.folder = dir.path()}), {}};
  reported.json = nlohmann::json::parse(text_of(dir / "report.json"), nullptr, false);
  return reported;
}

}  // namespace pagestorm::cli
