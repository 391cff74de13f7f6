#pragma once
// What grading asks for, what it found out, and the figures that say how good the laws are.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "grade_pool.hpp"

namespace pagestorm::cli {

/// What `pagestorm grade` is asked to do.
struct Grading {
  std::string builder = "host";
  std::vector<std::string> laws;  ///< in the order of the catalogue
  std::vector<Fault> faults;      ///< in the order of the catalogue
  std::int64_t seeds = 5;
  std::int64_t cases = 20'000;  ///< at most, for each fault and seed
  double seconds = 0;           ///< 0 = no limit
  std::int64_t jobs = 1;
  sim::Generator generator = sim::Generator::boundaries;
  bool matrix = false;   ///< each law alone over each fault
  bool compare = false;  ///< all generators
  bool mutants = false;  ///< generated mutants of src/core instead of faults
  std::string json;      ///< file, or empty
  std::string markdown;  ///< file, or empty
};

/// Cases that each law alone may play over each fault, on seed 1.
inline constexpr std::int64_t matrix_cases = 1'000;
/// Cases that a generator may play when generators are compared, and on how many seeds at most.
inline constexpr std::int64_t compared_cases = 2'000;
inline constexpr std::int64_t compared_seeds = 5;

/// Cases that are surveyed for generated mutants, where none were asked for.
inline constexpr std::int64_t mutant_cases = 2'000;

/// A generator over all faults.
struct Compared {
  sim::Generator generator = sim::Generator::boundaries;
  std::int64_t seeds = 0;
  std::vector<Hunted> faults;
};

/// What grading found out; as much of it as there was time for.
struct Graded {
  std::vector<Hunted> faults;               ///< as Grading::faults
  std::vector<std::vector<Hunted>> matrix;  ///< by fault, then law; empty when it was not asked for
  std::vector<Compared> generators;         ///< empty when it was not asked for
  bool interrupted = false;
  bool out_of_time = false;
  double seconds = 0;
};

/// Of a list of numbers, by nearest rank: half, and 95 in 100, are not above these.
struct Spread {
  std::int64_t median = 0;
  std::int64_t high = 0;
  std::int64_t most = 0;
};
Spread spread_of(std::vector<std::int64_t> values);

/// How a fault fared.
enum class Fate : std::uint8_t {
  found,        ///< on every seed
  missed,       ///< on some seed all cases were played, and no law was broken
  lost,         ///< its process ended before its time
  not_reached,  ///< there was no time
};
Fate fate_of(const Hunted& hunted, std::int64_t seeds);

/// Seeds on which it was found.
std::int64_t found_on(const Hunted& hunted);

/// Seeds whose shrunk scenarios are one and the same: the largest such group.
std::int64_t alike(const Hunted& hunted);

/// Laws that were first to see it, the most frequent first.
std::vector<std::string> seen_by(const Hunted& hunted);

/// Cases until it was found, seed by seed.
std::vector<std::int64_t> cases_of(const Hunted& hunted);

/// Over all faults and seeds.
struct Summary {
  std::int64_t found = 0;  ///< pairs of a fault and a seed
  std::int64_t hunts = 0;  ///< pairs that were asked for
  Spread cases;
  Spread steps;
  Spread shrink_ms;
  std::int64_t alike = 0;         ///< pairs whose scenario is that of the largest group of its fault
  std::int64_t alike_faults = 0;  ///< faults of which four seeds in five end alike
  std::int64_t faults = 0;        ///< found at all
};
Summary summary_of(const Grading& grading, const Graded& graded);

/// Of a generator: a pair that was not found counts as more cases than were played.
Spread spread_of(const Compared& compared);

/// Whether a cell of the matrix was played to its end.
bool is_tried(const Hunted& cell);

/// Numbers of the laws that find fault `f` alone.
std::vector<std::size_t> killers(const Graded& graded, std::size_t f);

/// The number of the law that finds fault `f` where no other does; nothing while some law was not tried.
std::optional<std::size_t> only_killer(const Graded& graded, std::size_t f);

/// Number of faults that law `l` finds alone.
std::int64_t kills(const Graded& graded, std::size_t l);

/// Faults that `law` was the first to see, on some seed.
std::int64_t seen_first(const Graded& graded, const std::string& law);

/// Laws that find nothing alone, of those that were tried on every fault.
std::vector<std::string> idle_laws(const Grading& grading, const Graded& graded);

/// Pairs of a fault and a seed that a generator found, and all that it was asked to find.
std::pair<std::int64_t, std::int64_t> found_of(const Compared& compared);

std::string_view name_of(Fate fate);
std::string_view name_of(sim::Generator generator);

/// 0 every fault was found on every seed, 1 one was not, 4 nothing was graded.
int exit_code_of(const Grading& grading, const Graded& graded);

}  // namespace pagestorm::cli
