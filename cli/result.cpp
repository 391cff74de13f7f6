#include "result.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pagestorm::sim {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Coverage, scenarios, steps, no_ops, batches, rows, modes, kinds, classes, cases,
                                   page_sizes, pages_peak, asks, asks_not_tried)

}  // namespace pagestorm::sim

namespace pagestorm::cli {
namespace {

bool same_minimum(const Failure& a, const Failure& b) { return a.law == b.law && a.scenario == b.scenario; }

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LawRow, law, builder, cases, steps, rows, violated, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AbsentBuilder, name, why)

#define PAGESTORM_FAILURE_FIELDS                                                                           \
  law, builder, fault, also, case_index, steps_before, steps_after, tries, found_after_s, shrink_s, flaky, \
      explanation, scenario, file, save_error, unsaved, replay
#define PAGESTORM_RESULT_FIELDS                                                                                       \
  builders, absent, rows, failures, coverage, cases, excused_far, run_hash, repeated, shared_seconds, seconds, error, \
      interrupted

void to_json(nlohmann::json& nlohmann_json_j, const Failure& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, PAGESTORM_FAILURE_FIELDS))
}
void from_json(const nlohmann::json& nlohmann_json_j, Failure& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, PAGESTORM_FAILURE_FIELDS))
}
void to_json(nlohmann::json& nlohmann_json_j, const Result& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_TO, PAGESTORM_RESULT_FIELDS))
}
void from_json(const nlohmann::json& nlohmann_json_j, Result& nlohmann_json_t) {
  NLOHMANN_JSON_EXPAND(NLOHMANN_JSON_PASTE(NLOHMANN_JSON_FROM, PAGESTORM_RESULT_FIELDS))
}

void Result::merge(const Result& other) {
  if (builders.empty()) builders = other.builders;
  if (absent.empty()) absent = other.absent;
  for (const LawRow& row : other.rows) {
    const auto own = std::find_if(rows.begin(), rows.end(),
                                  [&](const LawRow& r) { return r.law == row.law && r.builder == row.builder; });
    if (own == rows.end()) {
      rows.push_back(row);
      continue;
    }
    own->cases += row.cases;
    own->steps += row.steps;
    own->rows += row.rows;
    own->violated += row.violated;
    own->seconds += row.seconds;
  }
  for (const Failure& failure : other.failures) {
    const auto known =
        std::find_if(failures.begin(), failures.end(), [&](const Failure& f) { return same_minimum(f, failure); });
    if (known == failures.end())
      failures.push_back(failure);
    else if (known->builder != failure.builder &&
             std::find(known->also.begin(), known->also.end(), failure.builder) == known->also.end())
      known->also.push_back(failure.builder);
  }
  coverage += other.coverage;
  cases += other.cases;
  excused_far += other.excused_far;
  run_hash += other.run_hash;
  repeated += other.repeated;
  shared_seconds += other.shared_seconds;
  if (error.empty()) error = other.error;
  interrupted = interrupted || other.interrupted;
}

}  // namespace pagestorm::cli
