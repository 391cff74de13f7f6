// The laws see what they must see: every fault is found, by the law that should, in a counterexample that is small.

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "props/laws.hpp"
#include "props/verdict.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"
#include "sim/text.hpp"

namespace pagestorm::props {
namespace {

constexpr std::uint64_t seed = 7;
constexpr std::uint64_t most_cases = 20'000;

const BuilderEntry& host(std::size_t which) {
  static const std::vector<BuilderEntry> all = host_builders();
  return all.at(which);
}

struct Found {
  std::string law;
  sim::Scenario smallest;
};

std::optional<Found> hunt(Trial& trial, Fault fault = Fault::none) {
  for (std::uint64_t i = 0; i < most_cases; ++i) {
    const sim::Scenario scenario = sim::draw(sim::sub_seed(seed, i), {.flash = needs_flash(fault)});
    if (const auto violation = trial.play(scenario))
      return Found{violation->law, trial.shrink(scenario, violation->law)};
  }
  return std::nullopt;
}

std::string text_of(const Found& found) { return sim::print(sim::Finding{.scenario = found.smallest}); }

// --- what counterexamples look like

struct Shape {
  Fault fault;
  const char* laws;  ///< the first law that the builder "host" breaks; several where it depends on the scenario
  std::size_t steps;
};

constexpr Shape shapes[] = {
    {Fault::one_page_too_many, "writes_only_live_cells", 2},
    {Fault::last_row_skipped, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::stale_page_kept, "replay_equals_fresh", 2},
    {Fault::translated_after_dividing, "agrees_with_reference", 2},
    {Fault::tail_not_zeroed, "writes_only_live_cells", 2},
    {Fault::spills_past_width, "writes_only_live_cells", 2},
    {Fault::offset_in_32_bits, "writes_only_live_cells agrees_with_reference", 3},
    {Fault::negative_slot_divided, "agrees_with_reference", 3},
    {Fault::padding_row_hits_live_slot, "agrees_with_reference", 2},
    {Fault::cumulative_sum_off_by_a_row, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::cumulative_zero_unwritten, "writes_only_live_cells", 2},
    {Fault::end_of_page_read, "agrees_with_reference", 2},
    {Fault::neighbour_awaited, "writes_only_live_cells lane_order_is_irrelevant agrees_with_reference", 3},
    {Fault::build_rounds_down, "paths_agree", 2},
    {Fault::lengths_read_on_host, "metadata_needs_no_host_sync", 2},
    {Fault::draft_step_ignored, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::verify_tokens_ignored, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::swa_stride_borrowed, "writes_only_live_cells agrees_with_reference", 3},
    {Fault::inner_stride_ignored, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::length_cut_to_32_bits, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::page_size_rounded_to_power_of_two, "writes_only_live_cells", 2},
    {Fault::swa_table_untranslated, "agrees_with_reference", 3},
    {Fault::swa_skipped_in_draft_extend, "agrees_with_reference", 3},
    {Fault::extend_lengths_always_used, "agrees_with_reference writes_only_live_cells", 3},
    {Fault::queries_one_short, "agrees_with_reference", 3},
    {Fault::padded_rows_skipped, "writes_only_live_cells", 3},
    {Fault::padded_rows_not_summed, "writes_only_live_cells", 3},
    {Fault::last_length_unwritten, "writes_only_live_cells", 3},
    {Fault::last_sum_unwritten, "writes_only_live_cells", 3},
    {Fault::empty_batch_skipped, "writes_only_live_cells padding_is_inert", 3},
    {Fault::write_slots_read_past_end, "agrees_with_reference", 3},
    {Fault::clamped_one_late, "writes_only_live_cells lane_order_is_irrelevant agrees_with_reference", 3},
    {Fault::pages_taken_as_consecutive, "agrees_with_reference", 3},
    {Fault::slots_not_divided, "agrees_with_reference", 3},
    {Fault::divided_twice, "agrees_with_reference", 3},
    {Fault::page_size_doubled, "writes_only_live_cells agrees_with_reference", 3},
    {Fault::status_overwritten, "status_is_ored_in", 2},
    {Fault::expands_all_steps, "writes_only_live_cells", 2},
    {Fault::expand_without_tail, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::expand_taken_as_consecutive, "agrees_with_reference", 2},
    {Fault::prefix_keeps_tail, "agrees_with_reference", 2},
    {Fault::tree_taken_as_chain, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::draft_token_misses_itself, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::unseen_tokens_read, "agrees_with_reference", 4},
    {Fault::mask_lines_alike, "writes_only_live_cells agrees_with_reference", 3},
    {Fault::merged_prefix_untrimmed, "agrees_with_reference", 2},
    {Fault::window_from_prefix_end, "agrees_with_reference", 2},
    {Fault::chunk_cut_to_row, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::chunks_from_first_query, "writes_only_live_cells agrees_with_reference", 2},
    {Fault::local_table_in_tokens, "agrees_with_reference", 2},
    {Fault::prompt_forgotten, "writes_only_live_cells agrees_with_reference", 5},
    {Fault::rest_rows_unwritten, "writes_only_live_cells", 2},
    {Fault::shorter_keys_unwritten, "replay_equals_fresh", 4},
    {Fault::text_after_longest_encoder, "agrees_with_reference", 7},
    {Fault::text_counts_encoder, "writes_only_live_cells agrees_with_reference", 5},
    {Fault::schedule_of_step_before, "agrees_with_reference", 2},
    {Fault::schedule_tail_kept, "writes_only_live_cells", 2},
    {Fault::expand_table_untranslated, "agrees_with_reference", 2},
    {Fault::branch_tail_not_copied, "attention_reads_what_was_written", 3},
    {Fault::accepted_path_not_moved, "attention_reads_what_was_written", 4},
    {Fault::evicted_by_scheduled_length, "window_is_backed", 3},
    {Fault::window_one_too_short, "window_is_backed", 3},
    {Fault::window_kept_while_speculating, "window_is_backed", 8},
    {Fault::shared_page_freed_by_owner, "pools_conserve_pages", 3},
    {Fault::freed_slots_stay_mapped, "swa_map_is_exact", 3},
    {Fault::map_cleared_for_one_token, "swa_map_is_exact", 3},
    {Fault::sink_page_freed, "pools_conserve_pages", 2},
    {Fault::two_pages_one_swa_page, "swa_map_is_exact", 3},
    {Fault::reserve_ignores_lag, "reserve_suffices", 5},
    {Fault::reserved_tail_lost, "pools_conserve_pages", 2},
    {Fault::tail_page_freed_twice, "pools_conserve_pages", 2},
    {Fault::retracted_pages_kept, "pools_conserve_pages", 3},
    {Fault::row_zero_handed_out, "pools_conserve_pages padded_rows_touch_only_the_sink", 3},
    {Fault::padded_row_keeps_index, "padded_rows_touch_only_the_sink", 5},
    {Fault::padded_row_keeps_write_slots, "padded_rows_touch_only_the_sink", 5},
    {Fault::padded_rows_grow, "padded_rows_touch_only_the_sink", 3},
    {Fault::dedup_forgets_row, "pages_are_contiguous", 5},
    {Fault::match_ignores_window, "window_is_backed", 6},
    {Fault::recovery_leaves_map, "swa_map_is_exact", 8},
    {Fault::tombstone_stays_mapped, "swa_map_is_exact", 7},
    {Fault::committed_one_too_many, "reserve_suffices attention_reads_what_was_written", 5},
    {Fault::shared_before_written, "reserve_suffices attention_reads_what_was_written", 5},
    {Fault::load_rounded_up_to_page, "attention_reads_what_was_written", 3},
    {Fault::slots_extrapolated, "attention_reads_what_was_written", 3},
    {Fault::accepted_of_the_row_before, "lengths_follow_acceptance", 4},
    {Fault::one_page_at_most, "reserve_suffices pages_are_contiguous", 3},
    {Fault::window_ignored_by_eviction, "window_is_backed", 3},
    {Fault::evicted_pages_stay_mapped, "swa_map_is_exact", 4},
    {Fault::failed_load_counts, "attention_reads_what_was_written", 3},
    {Fault::readmitted_to_old_row, "pages_are_contiguous pools_conserve_pages", 6},
    {Fault::read_done_one_point_early, "reads_finish_before_reuse rows_are_reissued_after_their_last_reader", 3},
    {Fault::graph_event_before_replay, "reads_finish_before_reuse rows_are_reissued_after_their_last_reader", 4},
    {Fault::read_done_of_the_forward_before, "reads_finish_before_reuse rows_are_reissued_after_their_last_reader", 4},
    {Fault::buffer_reused_without_event, "tables_are_of_one_generation", 3},
    {Fault::table_freed_to_its_stream, "tables_are_of_one_generation", 5},
    {Fault::plan_not_joined, "tables_are_of_one_generation", 2},
    {Fault::plan_ahead_of_schedule, "tables_are_of_one_generation", 2},
    {Fault::live_map_read_again, "tables_are_of_one_generation", 3},
    {Fault::staging_overwritten, "host_sees_only_completed_copies", 3},
    {Fault::staging_guarded_in_part, "host_sees_only_completed_copies", 3},
    {Fault::mirror_read_before_copy, "host_sees_only_completed_copies", 3},
    {Fault::mirror_copied_before_publish, "host_sees_only_completed_copies", 2},
    {Fault::lengths_gathered_before_publish, "tables_are_of_one_generation", 3},
    {Fault::row_reissued_in_flight, "rows_are_reissued_after_their_last_reader", 4},
    {Fault::page_reissued_in_flight, "rows_are_reissued_after_their_last_reader", 4},
    {Fault::load_awaited_by_prefill_only, "tables_are_of_one_generation", 2},
    {Fault::host_maximum_taken, "sync_free_paths_ignore_the_mirror", 2},
    {Fault::absent_mirror_read, "sync_free_paths_ignore_the_mirror", 2},
    {Fault::mirror_left_behind, "sync_free_paths_ignore_the_mirror", 3},
    {Fault::free_waits_for_device, "sync_free_paths_ignore_the_mirror", 3},
};

// Any law, and any builder, may need a step more.
std::size_t most_steps(Fault fault) {
  for (const Shape& shape : shapes)
    if (shape.fault == fault) return std::max<std::size_t>(shape.steps + 1, fault == Fault::stale_page_kept ? 5 : 3);
  return 3;
}

// --- one law, the fault that it is there for

class LawAlone : public testing::TestWithParam<std::string> {
 protected:
  const LawEntry& law() const {
    for (const LawEntry& entry : law_catalogue())
      if (entry.name == GetParam()) return entry;
    throw std::logic_error("no law is called " + GetParam());
  }
  const BuilderEntry& builder() const { return host(law().seen_to_find == Fault::neighbour_awaited ? 1 : 0); }
  Trial trial(Fault fault) const { return Trial(builder(), fault, law_alone(law().name)); }
};

TEST_P(LawAlone, FindsItsFaultInAFewSteps) {
  Trial faulty = trial(law().seen_to_find);
  const auto found = hunt(faulty, law().seen_to_find);
  ASSERT_TRUE(found) << fault_name(law().seen_to_find) << " is not found in " << most_cases << " cases";
  EXPECT_LE(found->smallest.steps.size(), most_steps(law().seen_to_find)) << text_of(*found);

  const sim::Finding finding = faulty.finding(found->law, found->smallest);
  const sim::Finding read = sim::parse(sim::print(finding), "printed");
  EXPECT_EQ(read, finding);
  Trial elsewhere = trial(law().seen_to_find);
  const auto again = elsewhere.play(read.scenario);
  ASSERT_TRUE(again) << "the counterexample does not fail on a fresh builder\n" << text_of(*found);
  EXPECT_EQ(again->law, GetParam());
  EXPECT_EQ(again->builder, builder().name);

  Trial sound = trial(Fault::none);
  EXPECT_FALSE(sound.play(found->smallest)) << "the counterexample fails without the fault\n" << text_of(*found);
}

std::vector<std::string> law_names() {
  std::vector<std::string> names;
  for (const LawEntry& entry : law_catalogue()) names.emplace_back(entry.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Each, LawAlone, testing::ValuesIn(law_names()), [](const auto& info) { return info.param; });

// --- all laws, each fault

class EveryFault : public testing::TestWithParam<Fault> {};

TEST_P(EveryFault, HasACounterexampleOfKnownShapeOnHost) {
  Trial faulty(host(0), GetParam(), all_laws());
  const auto found = hunt(faulty, GetParam());
  ASSERT_TRUE(found);
  for (const Shape& shape : shapes) {
    if (shape.fault != GetParam()) continue;
    EXPECT_NE(std::string(shape.laws).find(found->law), std::string::npos) << found->law << "\n" << text_of(*found);
    EXPECT_LE(found->smallest.steps.size(), shape.steps) << text_of(*found);
    return;
  }
  FAIL() << fault_name(GetParam()) << " has no shape yet: " << found->law << "\n" << text_of(*found);
}

TEST_P(EveryFault, IsFoundInAFewStepsOnTheOtherHostBuilders) {
  for (const std::size_t which : {1u, 2u}) {
    Trial faulty(host(which), GetParam(), all_laws(), &host(0));
    const auto found = hunt(faulty, GetParam());
    ASSERT_TRUE(found) << host(which).name;
    EXPECT_LE(found->smallest.steps.size(), most_steps(GetParam())) << host(which).name << "\n" << text_of(*found);
  }
}

// Whoever asks for one law must get its verdict, whatever else goes wrong.
TEST_P(EveryFault, LetsALawThatDoesNotSeeItJudgeOn) {
  for (const char* law : {"writes_only_live_cells", "attention_reads_what_was_written"}) {
    Trial faulty(host(0), GetParam(), law_alone(law));
    for (std::uint64_t i = 0; i < 200; ++i) faulty.play(sim::draw(sim::sub_seed(seed, i), {}));
    EXPECT_GT(faulty.player().tallies().front().steps, 100) << law;
  }
}

std::vector<Fault> faults() {
  std::vector<Fault> all;
  for (const FaultEntry& entry : fault_catalogue()) all.push_back(entry.fault);
  return all;
}

INSTANTIATE_TEST_SUITE_P(Each, EveryFault, testing::ValuesIn(faults()),
                         [](const auto& info) { return std::string(fault_name(info.param)); });

// --- buffers of the family that are written again

TEST(ReplayEqualsFresh, SeesWhatAnExpandedRowKeepsOfEarlierPasses) {
  Trial faulty(host(0), Fault::shorter_keys_unwritten, law_alone("replay_equals_fresh"));
  const auto found = hunt(faulty, Fault::shorter_keys_unwritten);
  ASSERT_TRUE(found);
  EXPECT_LE(found->smallest.steps.size(), 4u) << text_of(*found);
  Trial sound(host(0), Fault::none, law_alone("replay_equals_fresh"));
  EXPECT_FALSE(sound.play(found->smallest));
}

// --- a read that changes nothing

TEST(ReadsOnlyLiveCells, SeesADraftTokenThatIsLookedAtInVain) {
  Trial faulty(host(2), Fault::unseen_tokens_read, law_alone("reads_only_live_cells"));
  const auto found = hunt(faulty, Fault::unseen_tokens_read);
  ASSERT_TRUE(found);
  EXPECT_LE(found->smallest.steps.size(), 2u) << text_of(*found);
  Trial sound(host(2), Fault::none, law_alone("reads_only_live_cells"));
  EXPECT_FALSE(sound.play(found->smallest));
}

// --- the canary

class NothingIsRight final : public sim::Law {
 public:
  std::string_view name() const override { return "nothing_is_right"; }
  std::string_view what() const override { return "fails always"; }
  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    return sim::Violation{.place = moment.layout().locate(moment.layout().section(sim::Part::status).first),
                          .expected = "never",
                          .got = "always",
                          .why = "a canary"};
  }
};

TEST(Canary, ALawThatAlwaysFailsIsReported) {
  Laws laws;
  laws.push_back(std::make_unique<NothingIsRight>());
  Trial trial(host(0), Fault::none, std::move(laws));
  const auto found = hunt(trial);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->law, "nothing_is_right");
  EXPECT_LE(found->smallest.steps.size(), 2u);
  EXPECT_GT(trial.player().tallies().front().violated, 0);
}

}  // namespace
}  // namespace pagestorm::props
