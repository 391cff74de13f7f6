// Passes that no engine makes: right builders hold them, and what breaks there alone is attributed to its clause.

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "declared_builder.hpp"
#include "props/conform/edge_judge.hpp"
#include "sim/element.hpp"

namespace pagestorm::props {
namespace {

std::unique_ptr<Builder> host(Fault fault = Fault::none) { return host_builders().front().make(fault); }

struct Played {
  std::set<std::string> clauses;  ///< that were broken
  ClauseTally tally{};
  std::int64_t given = 0;

  std::int64_t tried(std::string_view clause) const { return tally[clause_index(clause)]; }
};

Played play(Builder& builder, std::uint64_t passes = 400) {
  EdgeJudge judge(builder);
  Played played;
  for (std::uint64_t seed = 0; seed < passes; ++seed)
    for (const Breach& breach : judge.play(seed, played.tally)) played.clauses.insert(std::string(breach.clause));
  played.given = judge.given();
  return played;
}

Played play(Bend bend, Capabilities capabilities = {}) {
  DeclaredBuilder builder(host(), capabilities, std::move(bend));
  return play(builder);
}

TEST(EdgePasses, HoldOnSoundBuildersAndTryWhatNoEngineDoes) {
  for (const BuilderEntry& entry : host_builders()) {
    const auto builder = entry.make(Fault::none);
    const Played played = play(*builder);
    EXPECT_EQ(played.clauses, std::set<std::string>()) << entry.name;
    EXPECT_EQ(played.given, 400);
    for (const char* clause : {"C4.4", "C6.5", "C7.3", "C4.2", "C4.3", "C7.1", "C7.2", "C8.3", "C9.2", "C2.7"})
      EXPECT_GT(played.tried(clause), 4) << clause;
    for (const char* clause : {"C13.4", "C13.6", "C11.1", "C10.2", "C3.4"})
      EXPECT_EQ(played.tried(clause), 0) << clause;
  }
}

std::int64_t slot_of(const Call& call, std::int64_t row, std::int64_t column) {
  const Matrix<const std::int32_t>& slots = call.batch.req_to_token;
  const std::int64_t owner = sim::element(call.batch.req_pool_indices, row);
  const std::int64_t position = column * call.batch.page_size;
  if (owner < 0 || owner >= slots.rows || position >= slots.cols) return -1;
  return slots.data[owner * slots.row_stride + position * slots.col_stride];
}

// Over the live cells of one table: is_wrong(call, row, column) says which get another page.
template <class IsWrong>
Bend misplaces(bool in_swa_table, IsWrong is_wrong) {
  return {.after = [=](const Call& call) {
    sim::Reference expected;
    expected.compute(call.batch, call.out.page_table.cols, call.out.swa_out_cache_loc.size);
    const Matrix<std::int32_t>& table = in_swa_table ? call.out.swa_page_table : call.out.page_table;
    if (table.data == nullptr) return;
    for (std::int64_t r = 0; r < call.batch.rows; ++r)
      for (std::int64_t c = 0; c < expected.live(r); ++c)
        if (is_wrong(call, r, c)) table.data[r * table.row_stride + c * table.col_stride] = 99'999;
  }};
}

TEST(EdgePasses, ShowASlotBeyondTheMapThatIsLookedUp) {
  const Played played = play(misplaces(true, [](const Call& call, std::int64_t r, std::int64_t c) {
    return slot_of(call, r, c) >= call.batch.full_to_swa.size;
  }));
  EXPECT_EQ(played.clauses, std::set<std::string>{"C6.5"});
}

TEST(EdgePasses, ShowANegativeMapValueThatIsTakenForATombstone) {
  const Played played = play(misplaces(true, [](const Call& call, std::int64_t r, std::int64_t c) {
    const std::int64_t slot = slot_of(call, r, c);
    return slot >= 0 && slot < call.batch.full_to_swa.size && sim::element(call.batch.full_to_swa, slot) < 0;
  }));
  EXPECT_EQ(played.clauses, std::set<std::string>{"C6.5"});
}

TEST(EdgePasses, ShowAPositionBeyondTheRow) {
  const Played played = play(misplaces(false, [](const Call& call, std::int64_t r, std::int64_t c) {
    const std::int64_t owner = sim::element(call.batch.req_pool_indices, r);
    return owner >= 0 && owner < call.batch.req_to_token.rows &&
           c * call.batch.page_size >= call.batch.req_to_token.cols;
  }));
  EXPECT_EQ(played.clauses, std::set<std::string>{"C7.3"});
}

TEST(EdgePasses, ShowANegativeExtendLengthThatIsSummed) {
  const Played played = play({.after = [](const Call& call) {
    const Mode mode = call.batch.mode;
    const bool given = mode == Mode::ragged_verify || (mode == Mode::extend && call.batch.has_cached_prefix);
    std::int32_t less = 0;
    for (std::int64_t r = 0; given && r < call.batch.rows; ++r) {
      const std::int64_t fresh = sim::element(call.batch.extend_seq_lens, r);
      if (fresh < 0) less += static_cast<std::int32_t>(fresh);
      std::int32_t& sum = call.out.cu_seqlens_q.data[(r + 1) * call.out.cu_seqlens_q.stride];
      if (sum != INT32_MAX) sum += less;
    }
  }});
  EXPECT_EQ(played.clauses, std::set<std::string>{"C4.4"});
}

TEST(EdgePasses, LeaveToScenariosWhatIsWrongAnyway) {
  for (const Fault fault : {Fault::tail_not_zeroed, Fault::translated_after_dividing, Fault::cumulative_zero_unwritten,
                            Fault::one_page_too_many, Fault::last_row_skipped, Fault::last_length_unwritten}) {
    const auto builder = host(fault);
    EXPECT_EQ(play(*builder).clauses, std::set<std::string>()) << fault_name(fault);
  }
}

TEST(EdgePasses, CountNothingWhereSomethingWasLeftOut) {
  const auto builder = host(Fault::cumulative_zero_unwritten);
  EXPECT_EQ(play(*builder).tried("C7.3"), 0) << "every pass has an element 0";
}

TEST(EdgePasses, AreNotGivenToABuilderThatDidNotPromiseToTakeThem) {
  Capabilities capabilities;
  capabilities.promise.bad_indices = capabilities.promise.bad_lengths = capabilities.promise.clamps = false;
  capabilities.promise.page_size_low = capabilities.promise.page_size_high = 64;
  const auto is_out_of_bounds = [](const Call& call) {
    sim::Reference expected;
    expected.compute(call.batch, call.out.page_table.cols, call.out.swa_out_cache_loc.size);
    expected.complete();
    return (expected.status() & ~static_cast<std::uint32_t>(Status::absent_slot | Status::write_slots_clamped)) != 0;
  };
  int odd = 0;
  const Played played =
      play({.before = [&](const Call& call) { odd += is_out_of_bounds(call) ? 1 : 0; }}, capabilities);
  EXPECT_EQ(odd, 0);
  EXPECT_EQ(played.clauses, std::set<std::string>());
  EXPECT_GT(played.given, 40);
  EXPECT_EQ(played.tried("C7.3") + played.tried("C6.5") + played.tried("C4.4"), 0);
}

TEST(EdgePasses, AreSaidInOneLine) {
  const auto builder = host();
  EdgeJudge judge(*builder);
  const std::string text = judge.describe(3);
  EXPECT_EQ(text, judge.describe(3));
  for (const char* part : {", page size ", ", table width ", "; request rows ", "; lengths "})
    EXPECT_NE(text.find(part), std::string::npos) << text;
}

}  // namespace
}  // namespace pagestorm::props
