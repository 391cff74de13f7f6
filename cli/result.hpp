#pragma once
// What a campaign found out, in the form in which workers report it.

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "sim/coverage.hpp"
#include "sim/player.hpp"

namespace pagestorm::cli {

/// One failure, shrunk and saved.
struct Failure {
  std::string law;
  std::string clause;  ///< of the contract, in a campaign that goes by clauses
  std::string call;    ///< what was called, where it was no pass of a scenario
  std::string builder;
  std::string fault;
  std::vector<std::string> also;  ///< other builders that fail in the same way
  std::int64_t case_index = 0;
  std::int64_t steps_before = 0;
  std::int64_t steps_after = 0;
  std::int64_t tries = 0;
  double found_after_s = 0;
  double shrink_s = 0;
  bool flaky = false;       ///< the same scenario did not fail each time
  std::string explanation;  ///< lines for people
  std::string scenario;     ///< text form
  std::string file;         ///< empty when it could not be saved
  std::string save_error;
  std::string unsaved;  ///< the whole file, when it could not be saved
  std::string replay;
};

/// One law on one builder.
struct LawRow {
  std::string law;
  std::string builder;
  std::int64_t cases = 0;
  std::int64_t steps = 0;
  std::int64_t rows = 0;
  std::int64_t violated = 0;
  double seconds = 0;
};

/// What one builder declared to be excused from, and how often that mattered.
struct ExcuseRow {
  std::string builder;
  std::string excuse;  ///< as sim::excuse_catalogue() calls it
  std::string what;
  std::string clauses;         ///< of the contract, by spaces
  std::int64_t cases = 0;      ///< scenarios that were fitted to the builder
  std::int64_t not_given = 0;  ///< forward passes that it was not given
  std::int64_t milder = 0;     ///< and that were judged more mildly
};

struct AbsentBuilder {
  std::string name;
  std::string why;
};

struct Result {
  std::vector<std::string> builders;
  std::vector<AbsentBuilder> absent;
  std::vector<LawRow> rows;
  std::vector<ExcuseRow> excused;  ///< one for each declared excuse and builder
  std::vector<Failure> failures;
  sim::Coverage coverage;             ///< of the first builder: all play the same scenarios
  std::int64_t cases = 0;             ///< scenarios played, over all builders
  std::int64_t excused_far = 0;       ///< scenarios for which a device had too little memory
  std::int64_t edge_calls = 0;        ///< passes that no scenario has, in a campaign that goes by clauses
  std::vector<std::int64_t> clauses;  ///< passes that tried each clause, in a campaign that goes by clauses
  std::uint64_t run_hash = 0;         ///< over the cases that were played twice more and compared, in any order
  std::int64_t repeated = 0;          ///< how many those were
  double shared_seconds = 0;          ///< in the two runs of a builder that all laws share
  double seconds = 0;
  std::string error;  ///< the environment failed
  bool interrupted = false;

  /// Adds what another worker did.
  void merge(const Result& other);
};

void to_json(nlohmann::json& json, const Failure& failure);
void from_json(const nlohmann::json& json, Failure& failure);
void to_json(nlohmann::json& json, const Result& result);
void from_json(const nlohmann::json& json, Result& result);

}  // namespace pagestorm::cli
