// Generated mutants: the copy of src/core is sound until one is switched on, and every argument speaks of one.

#include <gtest/gtest.h>

#include <algorithm>

#include "cli/mutants_result.hpp"
#include "run.hpp"
#include "sim/edge_calls.hpp"
#include "sim/flash/edge_calls.hpp"
#include "sim/flash/refusals.hpp"
#include "sim/refusals.hpp"

namespace pagestorm::cli {
namespace {

TEST(Mutants, AreOffUntilOneIsSwitchedOn) {
  for (const BuilderEntry& entry : mutant_builders()) {
    const auto builder = entry.make(Fault::none);
    EXPECT_FALSE(sim::offer_wrong_shapes(*builder).wrong) << entry.name;
    for (std::uint64_t seed = 0; seed < 1'000; ++seed)
      ASSERT_EQ(sim::wrong_edge_call(*builder, seed), "") << entry.name << ", seed " << seed;
    EXPECT_EQ(sim::wrong_flash_refusal(*builder), "") << entry.name;
    for (std::uint64_t seed = 0; seed < 1'000; ++seed)
      ASSERT_EQ(sim::wrong_flash_edge_call(*builder, seed), "") << entry.name << ", seed " << seed;
  }
}

TEST(Mutants, ChangeOneLineOfAHeaderEach) {
  EXPECT_GT(mutants().size(), 500u);
  EXPECT_TRUE(stray_arguments().empty()) << stray_arguments().front();
  for (const Mutant& mutant : mutants()) {
    EXPECT_NE(mutant.original, mutant.mutated);
    EXPECT_FALSE(mutant.file.empty() || mutant.function.empty() || mutant.line < 1) << mutant.mutated;
  }
}

TEST(Mutants, OfTheFamilyComeLast) {
  const auto first = std::find_if(mutants().begin(), mutants().end(), is_flash);
  EXPECT_GT(first - mutants().begin(), 500);
  EXPECT_GT(mutants().end() - first, 500);
  EXPECT_TRUE(std::all_of(first, mutants().end(), is_flash));
}

// The number of the first mutant that makes this line, in this function.
int number_of(std::string_view function, std::string_view mutated) {
  for (std::size_t m = 0; m < mutants().size(); ++m)
    if (mutants()[m].function == function && mutants()[m].mutated.starts_with(mutated)) return static_cast<int>(m + 1);
  return 0;
}

TEST(Mutants, AreSwitchedOnByNumber) {
  const int number = number_of("store_sum_zero", "put(out.cu_seqlens_q, 0, std::int32_t{1});");
  ASSERT_GT(number, 0);
  const auto builder = mutant_builders().front().make(Fault::none);
  switch_mutant(number);
  bool seen = false;
  for (std::uint64_t seed = 0; seed < 20 && !seen; ++seed) seen = !sim::wrong_edge_call(*builder, seed).empty();
  switch_mutant(0);
  EXPECT_TRUE(seen);
}

TEST(Mutants, OfTheFamilyAreSwitchedOnByNumber) {
  const int number = number_of("text_start", "if (rules.takes_longest_encoder()) return own_encoder;");
  ASSERT_GT(number, 0);
  const auto builder = mutant_builders().back().make(Fault::none);
  switch_mutant(number);
  bool seen = false;
  for (std::uint64_t seed = 0; seed < 200 && !seen; ++seed) seen = !sim::wrong_flash_edge_call(*builder, seed).empty();
  EXPECT_EQ(sim::wrong_edge_call(*builder, 0), "");
  switch_mutant(0);
  EXPECT_TRUE(seen);
}

// With a parameter that may be left out as `{}`.
TEST(Mutants, AreNamedByTheFunctionThatTheyAreIn) {
  EXPECT_GT(number_of("row_of", "FlashRow result{.queries = 0, .status = own.status};"), 0);
  for (const Mutant& mutant : mutants()) EXPECT_NE(mutant.function, "switch") << mutant.original;
}

TEST(Mutants, AreSeenBySurveysWhereTheyDiffer) {
  const int always = number_of("store_sum_zero", "put(out.cu_seqlens_q, 0, std::int32_t{1});");
  const int never = number_of("entries", "return static_cast<std::uint32_t>(in.full_to_swa.size <= slots_max");
  ASSERT_TRUE(always > 0 && never > 0);
  std::vector<unsigned char> notes(mutants().size() + 1, 0);
  const auto builder = mutant_builders().front().make(Fault::none);
  survey_mutants(notes.data());
  for (std::uint64_t seed = 0; seed < 50; ++seed) EXPECT_EQ(sim::wrong_edge_call(*builder, seed), "");
  survey_mutants(nullptr);
  EXPECT_EQ(notes[static_cast<std::size_t>(always)], 1);
  EXPECT_EQ(notes[static_cast<std::size_t>(never)], 0);
}

Hunted found_by(const std::string& law) { return {.hunts = {{.found = !law.empty(), .law = law}}}; }

TEST(Mutants, FareAsTheirHuntsAndArgumentsSay) {
  MutantsGraded graded;
  graded.hunted.assign(mutants().size(), found_by("edge_calls"));
  graded.plays.assign(mutants().size(), 1);
  std::size_t argued = 0;
  for (const Mutant& mutant : mutants()) argued += mutant.argument.empty() ? 0 : 1;
  EXPECT_EQ(with_fate(graded, MutantFate::refuted).size(), argued);
  EXPECT_EQ(exit_code_of(graded), 1);  // arguments that do not hold
  for (std::size_t m = 0; m < mutants().size(); ++m)
    if (!mutants()[m].argument.empty()) graded.hunted[m] = found_by("");
  EXPECT_EQ(exit_code_of(graded), 0);
  EXPECT_EQ(kill_rate(graded), 100);
  const auto sound =
      static_cast<std::size_t>(number_of("store_sum_zero", "put(out.cu_seqlens_q, 0, std::int32_t{1});"));
  graded.hunted[sound - 1] = found_by("");
  EXPECT_EQ(with_fate(graded, MutantFate::survived), std::vector<std::size_t>{sound});
  EXPECT_EQ(exit_code_of(graded), 1);
  graded.hunted[sound - 1] = {};
  EXPECT_EQ(exit_code_of(graded), 4);
  graded.hunted[sound - 1] = {.lost = "ended with Segmentation fault"};
  EXPECT_EQ(killer_of(graded.hunted[sound - 1]), "does_not_crash");
  EXPECT_EQ(exit_code_of(graded), 0);
}

TEST(Mutants, AndFaultsAreGradedApart) {
  const Ran ran = run({"grade", "--mutants", "--fault", "tail_not_zeroed"});
  EXPECT_EQ(ran.code, 2) << ran.out << ran.err;
  EXPECT_NE(ran.err.find("--fault excludes --mutants"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace pagestorm::cli
