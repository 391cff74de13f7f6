#include "sim/trace_timeline.hpp"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trace_rig.hpp"

namespace pagestorm::sim {
namespace {

std::vector<std::int64_t> steps_of(const Timeline& timeline) {
  std::vector<std::int64_t> steps;
  for (const TimelineRow& row : timeline.rows()) steps.push_back(row.step);
  return steps;
}

Timeline after(std::int64_t rows, std::int64_t every, std::size_t most) {
  Timeline timeline(every, most);
  for (std::int64_t i = 1; i <= rows; ++i) timeline.add({.step = i});
  return timeline;
}

TEST(Timeline, KeepsEveryKthRow) {
  EXPECT_EQ(steps_of(after(10, 3, 2)), (std::vector<std::int64_t>{3, 6, 9}));
  EXPECT_EQ(steps_of(after(3, 1, 2)), (std::vector<std::int64_t>{1, 2, 3}));
}

TEST(Timeline, ThinsItselfOut) {
  EXPECT_EQ(steps_of(after(4, 0, 4)), (std::vector<std::int64_t>{1, 2, 3, 4}));
  EXPECT_EQ(steps_of(after(5, 0, 4)), (std::vector<std::int64_t>{2, 4}));
  EXPECT_EQ(steps_of(after(9, 0, 4)), (std::vector<std::int64_t>{2, 4, 6, 8}));
  EXPECT_EQ(steps_of(after(12, 0, 4)), (std::vector<std::int64_t>{4, 8, 12}));
  const Timeline longer = after(1'000'000, 0, Timeline::most_rows);
  EXPECT_LE(longer.rows().size(), Timeline::most_rows);
  EXPECT_GT(longer.rows().size(), Timeline::most_rows / 3);
  for (const TimelineRow& row : longer.rows()) ASSERT_EQ(row.step % longer.every(), 0);
}

TEST(Timeline, IsPrintedAsCsv) {
  Timeline timeline(1);
  timeline.add({.virtual_s = 1.25,
                .step = 7,
                .mode = Mode::target_verify,
                .rows = 8,
                .live = 6,
                .waiting = 1,
                .free_pages = 90,
                .cached_pages = 40,
                .hit_tokens = 512,
                .retractions = 2});
  EXPECT_EQ(timeline.csv(),
            "virtual_s,step,mode,rows,live,waiting,free_pages,cached_pages,hit_tokens,retractions\n"
            "1.250,7,verify,8,6,1,90,40,512,2\n");
}

TEST(Timeline, HasARowForEveryForwardPassOfADrive) {
  const auto requests = mooncake();
  DriveOptions options = fitting(requests);
  options.cache = options.timeline = true;
  Rig rig(requests, options);
  const DriveTally& tally = rig.run();
  const std::vector<TimelineRow>& rows = rig.drive().timeline().rows();
  ASSERT_EQ(static_cast<std::int64_t>(rows.size()), tally.forwards);
  const std::int64_t pages = config_of(options).pages;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    EXPECT_GE(pages - rows[i].free_pages, rows[i].cached_pages);
    EXPECT_GE(rows[i].rows, rows[i].mode == Mode::extend ? 1 : rows[i].live);
    if (i > 0) {
      EXPECT_GE(rows[i].virtual_s, rows[i - 1].virtual_s);
      EXPECT_GT(rows[i].step, rows[i - 1].step);
      EXPECT_GE(rows[i].hit_tokens, rows[i - 1].hit_tokens);
    }
  }
  EXPECT_EQ(rows.back().hit_tokens, tally.hit_tokens);
}

}  // namespace
}  // namespace pagestorm::sim
