// Contents at the edges of the contract: sound builders get them right.

#include "sim/edge_calls.hpp"

#include <gtest/gtest.h>

#include "pagestorm/builder.hpp"
#include "sim/flash/edge_calls.hpp"

namespace pagestorm::sim {
namespace {

TEST(EdgeCalls, AreBuiltAsTheContractSays) {
  for (const BuilderEntry& entry : host_builders()) {
    const auto builder = entry.make(Fault::none);
    for (std::uint64_t seed = 0; seed < 20'000; ++seed)
      ASSERT_EQ(wrong_edge_call(*builder, seed), "") << entry.name << ", seed " << seed;
  }
}

TEST(EdgeCalls, ShowWhatIsWrongWithABuilder) {
  for (const Fault fault : {Fault::tail_not_zeroed, Fault::negative_slot_divided, Fault::length_cut_to_32_bits,
                            Fault::inner_stride_ignored, Fault::last_sum_unwritten}) {
    const auto builder = host_builders().front().make(fault);
    bool seen = false;
    for (std::uint64_t seed = 0; seed < 200 && !seen; ++seed) seen = !wrong_edge_call(*builder, seed).empty();
    EXPECT_TRUE(seen) << fault_name(fault);
  }
}

TEST(FlashEdgeCalls, AreBuiltAsTheContractSays) {
  for (const BuilderEntry& entry : host_builders()) {
    const auto builder = entry.make(Fault::none);
    for (std::uint64_t seed = 0; seed < 5'000; ++seed)
      ASSERT_EQ(wrong_flash_edge_call(*builder, seed), "") << entry.name << ", seed " << seed;
  }
}

// Faults of the family are all faults of what is written.
TEST(FlashEdgeCalls, ShowWhatIsWrongWithABuilder) {
  int faults = 0;
  for (const FaultEntry& entry : fault_catalogue()) {
    if (entry.site != FaultSite::builder || !needs_flash(entry.fault)) continue;
    const auto builder = host_builders().front().make(entry.fault);
    bool seen = false;
    for (std::uint64_t seed = 0; seed < 2'000 && !seen; ++seed) seen = !wrong_flash_edge_call(*builder, seed).empty();
    EXPECT_TRUE(seen) << fault_name(entry.fault);
    ++faults;
  }
  EXPECT_GT(faults, 10);
}

}  // namespace
}  // namespace pagestorm::sim
