#include "device_reads.hpp"

#include <algorithm>
#include <cassert>

#include "host_reads.hpp"
#include "kv_writes.hpp"

namespace pagestorm::props {

using sim::Content;
using sim::ForwardRow;
using sim::KvStore;
using sim::Model;
using sim::Moment;
using sim::Pool;
using sim::Request;

static_assert(poison_tag == KvStore::poison && unwritten_tag == KvStore::lost && any_token_base == sim::unknown_base);
static_assert(static_cast<int>(KvModel::draft) == static_cast<int>(Model::draft));
static_assert(static_cast<int>(KvPool::swa) == static_cast<int>(Pool::swa));

namespace {

// Of what a pass writes, only that which cannot arrive: a reader stores the rest by itself.
class LostTokens final : public SlotFills {
 public:
  void write(Model model, Pool pool, std::int64_t slot, std::uint64_t id) override {
    if (id == KvStore::lost) SlotFills::write(model, pool, slot, id);
  }
  void write(Model, Pool, std::int64_t, const Content&, std::int64_t, std::int64_t) override {}
};

// What stands at each position of a request. A column without a slot may hold any page.
void add_runs(const Request& request, const Content& content, std::int64_t page_size, std::vector<ReadRun>& runs) {
  std::vector<std::int64_t> cuts = {content.end()};
  for (const sim::TokenRun& run : content.runs()) cuts.push_back(run.first);
  for (const std::int64_t column : request.punctured)
    for (const std::int64_t end : {column, column + 1}) cuts.push_back(end * page_size);
  std::ranges::sort(cuts);
  cuts.erase(std::unique(cuts.begin(), cuts.end()), cuts.end());
  for (const std::int64_t cut : cuts)
    runs.push_back({cut, punctured(request, cut / page_size) ? any_page_base : content.base_at(cut)});
}

}  // namespace

void SlotFills::write(Model model, Pool pool, std::int64_t slot, std::uint64_t id) {
  fills.push_back({static_cast<KvModel>(model), static_cast<KvPool>(pool), slot, 1, id, 0});
}

void SlotFills::write(Model model, Pool pool, std::int64_t slot, const Content& content, std::int64_t position,
                      std::int64_t count) {
  for (const std::int64_t end = position + count; position < end;) {
    const Content::Stretch tokens = content.stretch_at(position);
    const std::int64_t run = std::min(end, tokens.end) - position;
    const bool known = tokens.base != sim::unknown_base;
    fills.push_back({static_cast<KvModel>(model), static_cast<KvPool>(pool), slot, run,
                     known ? tokens.base + static_cast<std::uint64_t>(position) : poison_tag, known ? 1u : 0u});
    slot += run;
    position += run;
  }
}

void SlotFills::forget(Pool pool, std::int64_t page) {
  for (const Model model : both_models)
    fills.push_back({static_cast<KvModel>(model), static_cast<KvPool>(pool), page * page_size_, page_size_});
}

void DeviceReads::start(const sim::World& world) {
  const sim::Config& config = world.config();
  reader_.start({.page_size = static_cast<std::int32_t>(config.page_size),
                 .pages = config.pages,
                 .swa = config.swa,
                 .swa_pages = config.swa ? config.swa_pages : 0,
                 .window = config.window});
}

void DeviceReads::follow(const sim::World& world) {
  SlotFills done(world.config().page_size);
  follow_engine(world, done);
  reader_.fill(done.fills);
}

ReaderVerdict DeviceReads::read(Moment& moment) {
  LostTokens lost;
  static_cast<void>(write_all(moment, lost));  // that a write is stray is not the reader's to say
  ReaderPass pass{.rows = moment.batch().rows,
                  .out_cache_loc = moment.batch().out_cache_loc,
                  .out = moment.call(moment.first(), {}).out,
                  .image = moment.first().region(),
                  .windows = moment.zone().windows(),
                  .lost = lost.fills,
                  .sums_say_queries = sums_say_queries(moment.forward())};
  for (const Model model : both_models) {
    if (!runs(moment.forward(), model)) continue;
    gather_tags(moment, model);
    gather_rows(moment, model);
    pass.tags[static_cast<std::size_t>(model)] = tags_[static_cast<std::size_t>(model)];
    pass.reads[static_cast<std::size_t>(model)] = rows_[static_cast<std::size_t>(model)].rows;
  }
  return reader_.pass(pass);
}

void DeviceReads::gather_tags(const Moment& moment, Model model) {
  auto& tags = tags_[static_cast<std::size_t>(model)];
  tags.clear();
  for (const ForwardRow& row : moment.forward().rows)
    for (std::int64_t j = 0; j < row.writes; ++j)
      tags.push_back(row.request < 0 ? poison_tag : content_of(request_of(moment, row), model).at(row.first_write + j));
  assert(static_cast<std::int64_t>(tags.size()) == moment.batch().out_cache_loc.size);
}

void DeviceReads::gather_rows(const Moment& moment, Model model) {
  auto& [runs, rows] = rows_[static_cast<std::size_t>(model)];
  runs.clear();
  rows.clear();
  std::vector<std::size_t> ends;
  for (const ForwardRow& row : moment.forward().rows) {
    if (is_looked_at(row)) {
      const Request& request = request_of(moment, row);
      add_runs(request, content_of(request, model), moment.world().config().page_size, runs);
    }
    ends.push_back(runs.size());
    rows.push_back({.start = row.start, .keys = row.first_write + row.writes - row.start, .queries = row.writes});
  }
  assert(static_cast<std::int64_t>(rows.size()) == moment.batch().rows);
  // Only now do runs stay where they are.
  for (std::size_t r = 0, first = 0; r < rows.size(); first = ends[r++])
    rows[r].runs = std::span(runs).subspan(first, ends[r] - first);
}

}  // namespace pagestorm::props
