// The body that reads as attention does says what the host's law says of the same passes.

#include <gtest/gtest.h>

#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "pagestorm/builder.hpp"
#include "props/laws.hpp"
#include "props/laws/kv_writes.hpp"
#include "read_all.hpp"
#include "sim/checks.hpp"
#include "sim/player.hpp"
#include "sim/rng.hpp"
#include "sim/swarm.hpp"

namespace pagestorm::judge {
namespace {

static_assert(any_token == sim::unknown_base && lost_tag == sim::KvStore::lost);

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

TEST(AttentionLaw, HoldsOnASoundBuilder) {
  std::set<Misread> met;
  EXPECT_EQ(compare(Fault::none, {.length_high = 600, .far = false}, 400, 1, met), 0);
  EXPECT_EQ(met, (std::set<Misread>{Misread::none}));
}

TEST(AttentionLaw, SaysOfEveryFaultWhatTheBodySays) {
  const sim::Space space = {.length_high = 300, .far = false, .odd = false};
  std::set<Misread> met;
  std::int64_t faults = 0;
  for (const FaultEntry& entry : fault_catalogue()) faults += compare(entry.fault, space, 150, 5, met) > 0 ? 1 : 0;
  EXPECT_GE(faults, 20);
  EXPECT_EQ(met.size(), 7u) << "every way to misread was met, and none";
}

}  // namespace
}  // namespace pagestorm::judge
