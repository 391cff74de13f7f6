#include "result.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace pagestorm::sim {

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Coverage, scenarios, steps, no_ops, batches, rows, modes, kinds, classes, cases,
                                   page_sizes, pages_peak, asks, asks_not_tried)

}  // namespace pagestorm::sim

namespace pagestorm::cli {
namespace {

// What several workers counted of the same thing: the row of `mine` that `same` knows it by, or null when it is new.
template <class Row, class Same>
Row* counted_already(std::vector<Row>& mine, const Same& same) {
  const auto own = std::find_if(mine.begin(), mine.end(), same);
  return own == mine.end() ? nullptr : &*own;
}

void merge_excuses(std::vector<ExcuseRow>& mine, const std::vector<ExcuseRow>& others) {
  for (const ExcuseRow& row : others) {
    ExcuseRow* own =
        counted_already(mine, [&](const ExcuseRow& r) { return r.builder == row.builder && r.excuse == row.excuse; });
    if (own == nullptr) {
      mine.push_back(row);
      continue;
    }
    own->cases += row.cases;
    own->not_given += row.not_given;
    own->milder += row.milder;
  }
}

bool same_minimum(const Failure& a, const Failure& b) {
  return a.law == b.law && a.clause == b.clause && a.scenario == b.scenario;
}

}  // namespace

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(LawRow, law, builder, cases, steps, rows, violated, seconds)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(AbsentBuilder, name, why)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(ExcuseRow, builder, excuse, what, clauses, cases, not_given, milder)

#define PAGESTORM_FAILURE_FIELDS                                                                                  \
  law, clause, call, builder, fault, also, case_index, steps_before, steps_after, tries, found_after_s, shrink_s, \
      flaky, explanation, scenario, file, save_error, unsaved, replay
#define PAGESTORM_RESULT_FIELDS                                                                                     \
  builders, absent, rows, excused, clauses, failures, coverage, cases, excused_far, edge_calls, run_hash, repeated, \
      shared_seconds, seconds, error, interrupted

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
    LawRow* own = counted_already(rows, [&](const LawRow& r) { return r.law == row.law && r.builder == row.builder; });
    if (own == nullptr) {
      rows.push_back(row);
      continue;
    }
    own->cases += row.cases;
    own->steps += row.steps;
    own->rows += row.rows;
    own->violated += row.violated;
    own->seconds += row.seconds;
  }
  merge_excuses(excused, other.excused);
  for (const Failure& failure : other.failures) {
    const auto known =
        std::find_if(failures.begin(), failures.end(), [&](const Failure& f) { return same_minimum(f, failure); });
    if (known == failures.end())
      failures.push_back(failure);
    else if (known->builder != failure.builder &&
             std::find(known->also.begin(), known->also.end(), failure.builder) == known->also.end())
      known->also.push_back(failure.builder);
  }
  clauses.resize(std::max(clauses.size(), other.clauses.size()));
  for (std::size_t i = 0; i < other.clauses.size(); ++i) clauses[i] += other.clauses[i];
  coverage += other.coverage;
  cases += other.cases;
  excused_far += other.excused_far;
  edge_calls += other.edge_calls;
  run_hash += other.run_hash;
  repeated += other.repeated;
  shared_seconds += other.shared_seconds;
  if (error.empty()) error = other.error;
  interrupted = interrupted || other.interrupted;
}

}  // namespace pagestorm::cli
