// Every law on every builder that this machine has: as RapidCheck properties, and over a fixed walk of seeds.

#include "props/laws.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <string>
#include <vector>

#include "props/gen/arbitrary.hpp"
#include "props/verdict.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::props {
namespace {

const std::vector<BuilderEntry>& entries() {
  static const std::vector<BuilderEntry> all = builders();
  return all;
}

Trial trial_of(const BuilderEntry& entry, std::string_view law) {
  return Trial(entry, Fault::none, law_alone(law), &entries().front());
}

// One trial for each builder, kept while a law's property runs through its cases.
std::vector<Trial>& trials_of(const std::string& law) {
  static std::string kept_for;
  static std::vector<Trial> kept;
  if (kept_for == law) return kept;
  kept.clear();
  for (const BuilderEntry& entry : entries())
    if (entry.absent_because.empty()) kept.push_back(trial_of(entry, law));
  kept_for = law;
  return kept;
}

std::vector<std::string>& laws_with_a_property() {
  static std::vector<std::string> names;
  return names;
}

void require_held(Trial& trial, const sim::Scenario& scenario) {
  if (const auto text = verdict(trial, scenario, failures_folder())) RC_FAIL(*text);
}

void require_held(const std::string& law, const sim::Scenario& scenario) {
  if (scenario.config.layout.far == sim::Far::none) {
    for (Trial& trial : trials_of(law)) require_held(trial, scenario);
    return;
  }
  // A far layout takes much of a device: one builder at a time has it.
  for (const BuilderEntry& entry : entries()) {
    if (!entry.absent_because.empty()) continue;
    Trial alone = trial_of(entry, law);
    require_held(alone, scenario);
  }
}

#define PAGESTORM_LAW_HOLDS(law)                                                    \
  const bool law##_has_a_property = (laws_with_a_property().push_back(#law), true); \
  RC_GTEST_PROP(LawOnEveryBuilder, law, (const sim::Scenario& scenario)) {          \
    static_cast<void>(law##_has_a_property);                                        \
    require_held(#law, scenario);                                                   \
  }

// The same over scenarios of the FlashAttention family, for laws that judge nothing else.
#define PAGESTORM_FLASH_LAW_HOLDS(law)                                              \
  const bool law##_has_a_property = (laws_with_a_property().push_back(#law), true); \
  RC_GTEST_PROP(LawOnEveryBuilder, law, ()) {                                       \
    static_cast<void>(law##_has_a_property);                                        \
    require_held(#law, *scenarios({.flash = true}));                                \
  }

PAGESTORM_LAW_HOLDS(writes_only_live_cells)
PAGESTORM_LAW_HOLDS(agrees_with_reference)
PAGESTORM_LAW_HOLDS(swa_slots_are_valid)
PAGESTORM_LAW_HOLDS(reads_only_live_cells)
PAGESTORM_LAW_HOLDS(lane_order_is_irrelevant)
PAGESTORM_LAW_HOLDS(replay_equals_fresh)
PAGESTORM_LAW_HOLDS(padding_is_inert)
PAGESTORM_LAW_HOLDS(paths_agree)
PAGESTORM_LAW_HOLDS(status_is_ored_in)
PAGESTORM_LAW_HOLDS(metadata_needs_no_host_sync)
PAGESTORM_FLASH_LAW_HOLDS(draft_tokens_see_their_ancestors)
PAGESTORM_FLASH_LAW_HOLDS(merged_rows_keep_the_window)
PAGESTORM_FLASH_LAW_HOLDS(passes_share_out_the_keys)
PAGESTORM_FLASH_LAW_HOLDS(local_blocks_stay_in_their_chunk)
PAGESTORM_FLASH_LAW_HOLDS(schedule_follows_lengths)
PAGESTORM_LAW_HOLDS(pools_conserve_pages)
PAGESTORM_LAW_HOLDS(pages_are_contiguous)
PAGESTORM_LAW_HOLDS(swa_map_is_exact)
PAGESTORM_LAW_HOLDS(window_is_backed)
PAGESTORM_LAW_HOLDS(padded_rows_touch_only_the_sink)
PAGESTORM_LAW_HOLDS(reserve_suffices)
PAGESTORM_LAW_HOLDS(lengths_follow_acceptance)
PAGESTORM_LAW_HOLDS(attention_reads_what_was_written)
PAGESTORM_LAW_HOLDS(reads_finish_before_reuse)
PAGESTORM_LAW_HOLDS(tables_are_of_one_generation)
PAGESTORM_LAW_HOLDS(host_sees_only_completed_copies)
PAGESTORM_LAW_HOLDS(rows_are_reissued_after_their_last_reader)
PAGESTORM_LAW_HOLDS(sync_free_paths_ignore_the_mirror)

TEST(Laws, EachHasAProperty) {
  std::vector<std::string> catalogue;
  for (const LawEntry& entry : law_catalogue()) catalogue.emplace_back(entry.name);
  EXPECT_EQ(laws_with_a_property(), catalogue);
}

TEST(Laws, AreCalledWhatTheCatalogueCallsThem) {
  for (const LawEntry& entry : law_catalogue()) {
    EXPECT_EQ(entry.make()->name(), entry.name);
    EXPECT_FALSE(entry.make()->what().empty()) << entry.name;
  }
}

// ---

class EveryBuilder : public testing::TestWithParam<std::string> {
 protected:
  const BuilderEntry& entry() const {
    for (const BuilderEntry& one : entries())
      if (one.name == GetParam()) return one;
    throw std::logic_error("no builder is called " + GetParam());
  }
};

// Nothing is skipped in silence: a builder that is not here has a skipped test with the reason.
TEST_P(EveryBuilder, IsHere) {
  if (!entry().absent_because.empty()) GTEST_SKIP() << GetParam() << " is absent: " << entry().absent_because;
  EXPECT_EQ(entry().make(Fault::none)->name(), GetParam());
}

class EveryLawOnEveryBuilder : public testing::TestWithParam<std::tuple<std::string, std::string>> {};

TEST_P(EveryLawOnEveryBuilder, Holds300DrawnScenarios) {
  const auto& [builder, law] = GetParam();
  constexpr std::uint64_t seed = 300;
  constexpr std::uint64_t cases = 300;
  for (const BuilderEntry& entry : entries()) {
    if (entry.name != builder) continue;
    if (is_flash_only(law) && !entry.make(Fault::none)->capabilities().flash)
      GTEST_SKIP() << builder << " has no operations of the FlashAttention family, and " << law << " judges no others";
    Trial trial = trial_of(entry, law);
    for (std::uint64_t i = 0; i < cases; ++i)
      if (const auto text =
              verdict(trial, sim::draw(sim::sub_seed(seed, i), {.flash = is_flash_only(law)}), failures_folder()))
        FAIL() << "case " << i << ": " << *text;
    EXPECT_GT(trial.player().tallies().front().steps, 0) << law << " judged nothing on " << builder;
    EXPECT_GT(trial.player().tallies().front().rows, 0);
  }
}

TEST_P(EveryLawOnEveryBuilder, Holds300ScenariosOfTheFlashAttentionFamily) {
  const auto& [builder, law] = GetParam();
  for (const BuilderEntry& entry : entries()) {
    if (entry.name != builder) continue;
    Trial trial = trial_of(entry, law);
    for (std::uint64_t i = 0; i < 300; ++i)
      if (const auto text = verdict(trial, sim::draw(sim::sub_seed(301, i), {.flash = true}), failures_folder()))
        FAIL() << "case " << i << ": " << *text;
  }
}

std::vector<std::string> builder_names(bool absent_too) {
  std::vector<std::string> names;
  for (const BuilderEntry& entry : entries())
    if (absent_too || entry.absent_because.empty()) names.push_back(entry.name);
  return names;
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawEntry& entry : law_catalogue()) names.emplace_back(entry.name);
  return names;
}

std::string identifier(std::string name) {
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(All, EveryBuilder, testing::ValuesIn(builder_names(true)),
                         [](const auto& info) { return identifier(info.param); });

INSTANTIATE_TEST_SUITE_P(All, EveryLawOnEveryBuilder,
                         testing::Combine(testing::ValuesIn(builder_names(false)), testing::ValuesIn(law_names())),
                         [](const auto& info) {
                           return identifier(std::get<0>(info.param)) + "_" + std::get<1>(info.param);
                         });

}  // namespace
}  // namespace pagestorm::props
