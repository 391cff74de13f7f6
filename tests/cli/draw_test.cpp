// Drawn scenarios are those that a campaign of the same seed plays.

#include <gtest/gtest.h>

#include "cli/worker.hpp"
#include "run.hpp"
#include "sim/text.hpp"

namespace pagestorm::cli {
namespace {

TEST(Draw, SavesTheCasesOfACampaign) {
  const TempDir dir;
  const Ran ran = run({"draw", "--cases", "4", "--seed", "0x2a", "--page-size", "16", "--out", dir / "drawn"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "4 scenarios of seed 0x2a in " + (dir / "drawn") + "\n");
  Campaign campaign;
  campaign.seed = 42;
  campaign.space.page_sizes = {16};
  for (std::int64_t i = 0; i < 4; ++i) {
    const std::string path = dir / ("drawn/case-00000" + std::to_string(i) + ".scenario");
    EXPECT_EQ(sim::parse(text_of(path), path).scenario, scenario_of(campaign, i));
    EXPECT_EQ(run({"replay", path}).code, 0);
  }
}

TEST(Draw, RefusesWhatItCannotDo) {
  const TempDir dir;
  EXPECT_EQ(run({"draw", "--cases", "0"}).code, 2);
  EXPECT_EQ(run({"draw", "--page-size", "0"}).code, 2);
  EXPECT_EQ(run({"draw", "--out", dir.write("file", "in the way")}).code, 3);
}

}  // namespace
}  // namespace pagestorm::cli
