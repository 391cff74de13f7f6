#pragma once
// What came of the generated mutants of src/core.

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "grade_result.hpp"
#include "pagestorm/mutants.hpp"

namespace pagestorm::cli {

/// Hunts for all mutants, in their order; as many as there was time for.
struct MutantsGraded {
  std::vector<Hunted> hunted;
  std::vector<std::int64_t> plays;  ///< found for each in the survey
  double seconds = 0;
  bool cut = false;  ///< by time or Ctrl-C
};

/// How a mutant fared.
enum class MutantFate : std::uint8_t {
  killed,      ///< a law was broken, a shape was refused wrongly, or its process crashed or hung
  equivalent,  ///< survived, and an argument says that it must
  survived,
  refuted,  ///< killed, although an argument says that it cannot be
  not_reached,
};
MutantFate fate_of(const MutantsGraded& graded, std::size_t number);

/// What killed it: a law, "refusals", "no_exception", "does_not_crash" or "ends_in_time"; empty where nothing did.
std::string killer_of(const Hunted& hunted);

/// Numbers of the mutants with a fate, from 1.
std::vector<std::size_t> with_fate(const MutantsGraded& graded, MutantFate fate);

/// How many mutants each killer killed.
std::map<std::string, std::int64_t> kills_by(const MutantsGraded& graded);

/// Killed mutants in a hundred of those that no argument excuses.
double kill_rate(const MutantsGraded& graded);

/// 0 each mutant is killed or argued, and each argument holds; 1 not so; 4 not all were reached.
int exit_code_of(const MutantsGraded& graded);

/// What is said while it runs and at its end, for people; for machines; and as a document without times.
std::string print_mutants(const MutantsGraded& graded);
std::string print_mutants_json(const MutantsGraded& graded);
std::string print_mutants_markdown(const MutantsGraded& graded);

/// `pagestorm grade --mutants`.
int grade_mutants(const Grading& grading);

}  // namespace pagestorm::cli
