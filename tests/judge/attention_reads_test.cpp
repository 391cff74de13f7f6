// The body that reads as attention does: literals, and what the host's law says of the same passes.

#include "judge/attention_reads.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "props/laws/kv_writes.hpp"
#include "sim/checks.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::judge {

static std::ostream& operator<<(std::ostream& out, const FirstMisread& first) {
  return out << "misread " << static_cast<int>(first.what) << " in row " << first.row << " at key " << first.key
             << ", wanted " << first.want << ", got " << first.got;
}

namespace {

static_assert(any_token == sim::unknown_base && lost_tag == sim::KvStore::lost);

FirstMisread read_all(const AttentionBatch& in, std::int32_t lanes = 1) {
  FirstMisread first;
  for (std::int64_t row = 0; row < in.rows; ++row)
    for (std::int32_t lane = 0; lane < lanes; ++lane) first.add(read_row(in, row, {lane, lanes}));
  return first;
}

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

// --- the host's law on the same passes

std::vector<TagRun> runs_of(const sim::Request& request, const sim::Content& content, std::int64_t page_size) {
  std::set<std::int64_t> cuts = {content.end()};
  for (const sim::TokenRun& run : content.runs()) cuts.insert(run.first);
  for (const std::int64_t column : request.punctured)
    for (const std::int64_t end : {column, column + 1}) cuts.insert(end * page_size);
  std::vector<TagRun> runs;
  for (const std::int64_t cut : cuts)
    runs.push_back({cut, props::punctured(request, cut / page_size) ? any_page : content.base_at(cut)});
  return runs;
}

// The body in the place of the law: it is told what the world knows, and reads image and pools by itself.
class Reader final : public sim::Law {
 public:
  explicit Reader(std::set<Misread>& met) : met_(met) {}
  std::string_view name() const override { return "reader"; }
  std::string_view what() const override { return "what the body of a kernel says"; }
  void start(const sim::World& world, const sim::ImageLayout&) override { store_.start(world.config()); }
  std::optional<sim::Violation> inspect(const sim::World& world) override {
    props::follow_engine(world, store_);
    return std::nullopt;
  }
  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    if (auto violation = props::write_all(moment, store_)) return violation;
    const std::int64_t rows = moment.batch().rows;
    for (std::int64_t row = 0; row < rows; ++row)
      for (const sim::Model model : props::both_models) {
        if (!props::runs(moment.forward(), model)) continue;
        const FirstMisread first = read(moment, row, model);
        met_.insert(first.what);
        if (first.what != Misread::none) return violation(moment, first);
      }
    return std::nullopt;
  }

 private:
  FirstMisread read(const sim::Moment& moment, std::int64_t at, sim::Model model) const {
    const sim::ForwardRow& row = moment.forward().rows[static_cast<std::size_t>(at)];
    if (row.request < 0 || row.odd != sim::Odd::none) return {};
    const sim::Config& config = moment.world().config();
    const sim::Request& request = props::request_of(moment, row);
    const std::vector<TagRun> runs = runs_of(request, props::content_of(request, model), config.page_size);
    std::vector<ReadRow> truth(moment.forward().rows.size());
    truth[static_cast<std::size_t>(at)] = {.runs = runs.data(),
                                           .run_count = static_cast<std::int64_t>(runs.size()),
                                           .start = row.start,
                                           .keys = row.first_write + row.writes - row.start,
                                           .queries = row.writes};
    return read_all({.rows = moment.batch().rows,
                     .page_size = static_cast<std::int32_t>(config.page_size),
                     .window = config.window,
                     .out = moment.call(moment.first(), {}).out,
                     .full = {store_.page(model, sim::Pool::full, 0), config.pages},
                     .swa = {store_.page(model, sim::Pool::swa, 0), config.swa ? config.swa_pages : 0},
                     .truth = truth.data()},
                    3);
  }

  static sim::Violation violation(const sim::Moment& moment, const FirstMisread& first) {
    const auto cell = [&](sim::Part part, std::int64_t row, std::int64_t column) {
      return moment.layout().section(part).at(row, column);
    };
    const std::int64_t column = first.key / moment.world().config().page_size;
    std::int64_t word = cell(sim::Part::page_table, first.row, column);
    if (first.what == Misread::keys) word = cell(sim::Part::cache_seqlens, 0, first.row);
    if (first.what == Misread::queries) word = cell(sim::Part::cu_seqlens_q, 0, first.row + 1);
    if (first.what == Misread::swa_page || first.what == Misread::swa_token)
      word = cell(sim::Part::swa_page_table, first.row, column);
    return sim::at_word(moment, moment.first(), word, "", "", "");
  }

  std::set<Misread>& met_;
  sim::KvStore store_;
};

// Where a law was broken; empty where it was not.
std::string place_of(std::span<const sim::Violation> violations, std::string_view law) {
  for (const sim::Violation& violation : violations)
    if (violation.law == law) return violation.place.text;
  return "";
}

// Plays scenarios until `most` of them broke the law or all were played; how many did.
std::int64_t compare(Fault fault, const sim::Space& space, std::uint64_t scenarios, std::int64_t most,
                     std::set<Misread>& met) {
  const auto builder = host_builders().front().make(fault_at(FaultSite::builder, fault));
  std::vector<std::unique_ptr<sim::Law>> laws;
  for (const props::LawEntry& entry : props::law_catalogue())
    if (entry.name == "attention_reads_what_was_written") laws.push_back(entry.make());
  const std::string name(laws.at(0)->name());
  laws.push_back(std::make_unique<Reader>(met));
  sim::Player player(*builder, nullptr, laws);
  player.bend(fault);
  std::int64_t broken = 0;
  for (std::uint64_t i = 0; i < scenarios && broken < most; ++i) {
    const auto violations = player.play(sim::draw(sim::sub_seed(11, i), space));
    EXPECT_EQ(place_of(violations, "reader"), place_of(violations, name)) << fault_name(fault) << ", scenario " << i;
    broken += place_of(violations, name).empty() ? 0 : 1;
  }
  return broken;
}

TEST(AttentionReads, HoldOnASoundBuilder) {
  std::set<Misread> met;
  EXPECT_EQ(compare(Fault::none, {.length_high = 600, .far = false}, 400, 1, met), 0);
  EXPECT_EQ(met, (std::set<Misread>{Misread::none}));
}

TEST(AttentionReads, SayWhatTheLawSaysOfEveryFault) {
  const sim::Space space = {.length_high = 300, .far = false, .odd = false};
  std::set<Misread> met;
  std::int64_t faults = 0;
  for (const FaultEntry& entry : fault_catalogue()) faults += compare(entry.fault, space, 150, 5, met) > 0 ? 1 : 0;
  EXPECT_GE(faults, 20);
  EXPECT_EQ(met.size(), 7u) << "every way to misread was met, and none";
}

}  // namespace
}  // namespace pagestorm::judge
