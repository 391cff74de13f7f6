// The prefix cache in an engine, operation by operation, against a naive map of prefixes.

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "small_engine.hpp"

namespace pagestorm::sim {
namespace {

SmallConfig draw_config(Rng& rng) {
  constexpr std::array<std::int64_t, 6> sizes{1, 2, 3, 4, 8, 16};
  SmallConfig config;
  config.page_size = rng.pick<std::int64_t>(sizes);
  config.swa = !rng.one_in(4);
  config.window = rng.between(1, 4 * config.page_size);
  config.pages = rng.between(8, 80);
  config.swa_pages = rng.between(8, 60);
  return config;
}

TEST(PrefixModel, AgreesWithAMapOfPrefixes) {
  SmallTally tally;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    Rng rng(seed);
    const SmallConfig config = draw_config(rng);
    SCOPED_TRACE("seed " + std::to_string(seed) + ", page size " + std::to_string(config.page_size) + ", window " +
                 std::to_string(config.swa ? config.window : 0));
    SmallEngine engine(config, seed);
    for (int i = 0; i < 200; ++i) {
      engine.step(tally);
      engine.check();
      ASSERT_FALSE(testing::Test::HasFailure()) << "step " << i;
    }
    engine.wind_down(tally);
    ASSERT_FALSE(testing::Test::HasFailure());
  }
  for (const std::int64_t reached : {tally.matched, tally.shortened, tally.replaced, tally.adopted_again,
                                     tally.remapped, tally.evicted, tally.tombstoned})
    EXPECT_GE(reached, 50);
}

}  // namespace
}  // namespace pagestorm::sim
