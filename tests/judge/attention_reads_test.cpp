// The body that reads as attention does, against literals.

#include "judge/attention_reads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <vector>

#include "read_all.hpp"

namespace pagestorm::judge {

namespace {

// One row of five keys in pages of two, the last two of them queries. Its tokens have the tags 100, 101, ... Columns are
// full pages 3, 1, 4 and SWA pages 0, 2, 1: queries see two keys, themselves included, so the first sees keys 2 and 3.
struct Desk {
  std::vector<std::int32_t> keys = {5}, sums = {0, 2};
  std::vector<std::int32_t> pages = {3, 1, 4}, swa_pages = {0, 2, 1};
  std::vector<std::uint64_t> full = {0, 0, 102, 103, 0, 0, 100, 101, 104, 0}, swa = {0, 0, 104, 0, 102, 103};
  std::vector<TagRun> runs = {{0, 100}};
  ReadRow row = {.keys = 5, .queries = 2};
  bool looked_at = true;

  FirstMisread read(std::int32_t lanes = 1) {
    row.runs = looked_at ? runs.data() : nullptr;
    row.run_count = static_cast<std::int64_t>(runs.size());
    const auto columns = static_cast<std::int64_t>(pages.size());
    return read_all({.rows = 1,
                     .page_size = 2,
                     .window = 2,
                     .out = {.cache_seqlens = {keys.data(), 1, 1},
                             .cu_seqlens_q = {sums.data(), 2, 1},
                             .page_table = {pages.data(), 1, columns, columns, 1},
                             .swa_page_table = {swa_pages.data(), 1, columns, columns, 1}},
                     .full = {full.data(), 4},
                     .swa = {swa.data(), 2},
                     .truth = &row},
                    lanes);
  }
  void expect(Misread what, std::int64_t key, std::uint64_t want, std::uint64_t got) {
    for (const std::int32_t lanes : {1, 2, 7}) {
      const FirstMisread first = read(lanes);
      EXPECT_EQ(first.what, what) << first;
      EXPECT_EQ(first.key, key) << first;
      EXPECT_EQ(first.want, want) << first;
      EXPECT_EQ(first.got, got) << first;
    }
  }
  void expect_none() { expect(Misread::none, 0, 0, 0); }
};

TEST(AttentionReads, TheTokensOfTheRow) { Desk().expect_none(); }

TEST(AttentionReads, NameTheFirstTokenThatIsWrong) {
  Desk desk;
  desk.full[8] = 999;
  desk.full[3] = 888;
  desk.swa[4] = 777;
  desk.expect(Misread::token, 3, 103, 888);
  desk.full[3] = 103, desk.full[8] = 104;
  desk.expect(Misread::swa_token, 2, 102, 777);
}

TEST(AttentionReads, NameAPageOutsideThePool) {
  for (const std::int32_t page : {-1, 5, 1 << 30}) {
    Desk desk;
    desk.pages[1] = page;
    desk.expect(Misread::page, 2, 0, static_cast<std::uint64_t>(std::int64_t{page}));
  }
  Desk desk;
  desk.swa_pages[2] = 3;
  desk.expect(Misread::swa_page, 4, 0, 3);
}

TEST(AttentionReads, StopAtLengthsThatAreWrong) {
  Desk desk;
  desk.pages[0] = -1;
  desk.keys[0] = 2'000'000'000;
  desk.expect(Misread::keys, 0, 5, 2'000'000'000);
  desk.keys[0] = 5;
  desk.sums[1] = 1;
  desk.expect(Misread::queries, 0, 2, 1);
  desk.pages[0] = 3;
  desk.sums[1] = INT32_MAX;  // saturated
  desk.expect_none();
}

TEST(AttentionReads, TheSinkWhereTheWindowHasLeft) {
  Desk desk;
  desk.expect_none();
  desk.swa_pages[1] = 0;
  desk.expect(Misread::swa_token, 2, 102, 0);
}

TEST(AttentionReads, NothingBeyondTheLastColumn) {
  Desk desk;
  desk.pages = {3, 1};
  desk.swa_pages = {0, 2};
  desk.full[8] = 999;
  desk.expect_none();
}

TEST(AttentionReads, TellsALostTokenFromAWrongOne) {
  Desk desk;
  desk.full[3] = lost_tag;
  desk.expect_none();
}

TEST(AttentionReads, RunsSayWhatIsAsked) {
  Desk desk;
  desk.runs = {{0, 100}, {2, any_token}, {4, 100}};
  desk.full[3] = 888;
  desk.expect_none();
  desk.pages[1] = -1;
  desk.expect(Misread::page, 2, 0, static_cast<std::uint64_t>(std::int64_t{-1}));
  desk.runs[1].base = any_page;
  desk.expect_none();
  desk.runs = {{4, 100}};  // nothing is known of what stands before
  desk.pages[1] = 1;
  desk.expect_none();
}

TEST(AttentionReads, ColumnsFromAStart) {
  Desk desk;
  desk.row.start = 6;
  desk.runs = {{6, 94}};
  desk.expect_none();
}

TEST(AttentionReads, LeaveOutARowWithoutRuns) {
  Desk desk;
  desk.keys[0] = 9;
  desk.expect(Misread::keys, 0, 5, 9);
  desk.looked_at = false;
  desk.expect_none();
}

TEST(AttentionReads, TheKeysOfEveryQuery) {
  std::vector<std::int32_t> cell = {0};
  for (std::int64_t keys = 1; keys <= 12; ++keys)
    for (std::int64_t queries = 0; queries <= keys; ++queries)
      for (std::int64_t window = 1; window <= 13; ++window) {
        const ReadRow row = {.keys = keys, .queries = queries};
        AttentionBatch in = {.rows = 1, .window = window, .truth = &row};
        in.out.page_table = in.out.swa_page_table = {cell.data(), 1, 100, 100, 1};
        std::set<std::int64_t> all, seen;
        for (std::int64_t query = 0; query < queries; ++query) {
          const std::int64_t own = keys - queries + query;
          for (std::int64_t key = 0; key <= own; ++key) all.insert(key);
          for (std::int64_t key = 0; key <= own; ++key)
            if (own - key < window) seen.insert(key);
          const KeyRange range = keys_of_query<true>(in, 0, query);
          ASSERT_EQ(range.last, own + 1);
          ASSERT_EQ(range.first, std::max<std::int64_t>(0, own - window + 1));
        }
        const auto expect_range = [](const KeyRange& range, const std::set<std::int64_t>& want) {
          std::set<std::int64_t> got;
          for (std::int64_t key = range.first; key < range.last; ++key) got.insert(key);
          ASSERT_EQ(got, want);
        };
        expect_range(keys_of_row<false>(in, 0), all);
        expect_range(keys_of_row<true>(in, 0), seen);
      }
}

TEST(FirstMisread, IsTheEarlierByRowThenLengthsThenTablesThenKey) {
  const FirstMisread in_order[] = {
      {Misread::keys, 1, 0},     {Misread::queries, 1, 0},   {Misread::page, 1, 2}, {Misread::token, 1, 5},
      {Misread::swa_page, 1, 1}, {Misread::swa_token, 1, 3}, {Misread::keys, 2, 0},
  };
  for (const FirstMisread& a : in_order)
    for (const FirstMisread& b : in_order) {
      FirstMisread first = b;
      first.add(a);
      EXPECT_EQ(first.key, std::min(&a, &b)->key);
      EXPECT_EQ(first.what, std::min(&a, &b)->what);
    }
}

}  // namespace
}  // namespace pagestorm::judge
