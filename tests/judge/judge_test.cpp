// The judge says of images what the host's laws say of them.

#include "judge/judge.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "played.hpp"

namespace pagestorm::judge {
namespace {

TEST(Judge, HoldsWhatAHostBuilderMade) {
  Played played;
  std::int64_t passes = 0;
  played.each_pass(62, 400, [&](const Job& job) {
    played.build(job);
    const Finding finding = judge_all(job, 1 + static_cast<std::int32_t>(passes % 7));
    ASSERT_EQ(finding.laws, 0u) << "pass " << passes << ", word " << finding.word;
    ASSERT_EQ(finding.word, Verdict::nowhere);
    ASSERT_EQ(played.host_says(), 0u);
    ++passes;
  });
  EXPECT_GT(passes, 1000);
}

// What a word may be changed to: in the first image, in the second, or in both.
struct Change {
  std::int64_t word;
  std::int32_t value;
  bool in_first, in_second;
};

Change draw_change(sim::Rng& rng, const Job& job, std::span<const Window> zone) {
  const Window& window = zone[rng.below(zone.size())];
  const std::int64_t word =
      window.first / 4 + static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(window.bytes / 4)));
  const auto next = static_cast<std::int32_t>(static_cast<std::uint32_t>(job.first[word]) + 1);
  const std::int32_t values[] = {0, -1, 7, next, first_poison, second_poison};
  const auto where = rng.between(1, 3);
  return {word, values[rng.below(std::size(values))], where != 2, where != 1};
}

TEST(Judge, SeesAChangedWordWhereTheHostDoes) {
  Played played;
  sim::Rng rng(63);
  std::int64_t seen[8] = {};
  played.each_pass(63, 250, [&](const Job& job) {
    played.build(job);
    for (int i = 0; i < 12; ++i) {
      const Change change = draw_change(rng, job, played.zone());
      const std::int32_t first = job.first[change.word];
      const std::int32_t second = job.second[change.word];
      if (change.in_first) job.first[change.word] = change.value;
      if (change.in_second) job.second[change.word] = change.value;
      const Finding finding = judge_all(job);
      ASSERT_EQ(finding.laws, played.host_says()) << "word " << change.word << " of " << job.image.words;
      if (finding.laws != 0) {
        ASSERT_LE(static_cast<std::uint64_t>(change.word) - finding.word, 1u);  // cells may have two words
      }
      job.first[change.word] = first;
      job.second[change.word] = second;
      ++seen[finding.laws];
    }
  });
  // Nothing changed in effect; a stray or missing write; a wrong value; both; a page of somebody else with and without.
  for (const int laws : {0, 1, 2, 3, 6, 7}) EXPECT_GT(seen[laws], 20) << laws;
}

class EveryFault : public testing::TestWithParam<Fault> {};

// Both judge the same images of a bent builder, whatever is wrong with them.
TEST_P(EveryFault, IsSeenWhereTheHostSeesIt) {
  Played played(GetParam());
  std::int64_t broken = 0;
  played.each_pass(64, 300, [&](const Job& job) {
    played.build(job);
    const Finding finding = judge_all(job, 2);
    ASSERT_EQ(finding.laws, played.host_says());
    broken += finding.laws != 0 ? 1 : 0;
  });
  // What no image shows: a second call, a read, a sync, a status word that held bits, or an offset that only a far layout has.
  const Fault unseen[] = {Fault::stale_page_kept, Fault::build_rounds_down, Fault::lengths_read_on_host,
                          Fault::status_overwritten, Fault::offset_in_32_bits};
  const bool can_see = std::find(std::begin(unseen), std::end(unseen), GetParam()) == std::end(unseen);
  EXPECT_EQ(broken > 0, can_see) << broken << " passes";
}

INSTANTIATE_TEST_SUITE_P(Each, EveryFault, testing::ValuesIn(builder_faults()),
                         [](const auto& info) { return std::string(fault_name(info.param)); });

}  // namespace
}  // namespace pagestorm::judge
