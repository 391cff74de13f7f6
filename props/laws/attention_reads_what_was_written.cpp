// The end-to-end oracle. Every KV slot remembers whose token was written there. Tokens are stored through the write slots
// of the call, and read back through its tables and lengths as a paged attention kernel would: for each query the keys up
// to its own position, in SWA layers the last `window` of them. No formula of the builder appears here.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "found_pages.hpp"
#include "kv_writes.hpp"
#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/engine/prompts.hpp"

namespace pagestorm::props {
namespace {

using sim::ForwardRow;
using sim::KvStore;
using sim::Model;
using sim::Moment;
using sim::Part;
using sim::Pool;
using sim::Request;

std::string token_of(std::uint64_t id) {
  if (id == KvStore::poison) return "poison";
  const std::int64_t owner = sim::owner_of(id);
  const std::string whose = owner < 0 ? std::string("a prompt") : sim::letter(owner);
  return fmt::format("the token of {} at position {}{}", whose, sim::position_of(id),
                     (id >> 24 & 0xffff) == 0 ? "" : fmt::format(", attempt {}", id >> 24 & 0x7fff));
}

class AttentionReadsWhatWasWritten final : public sim::Law {
 public:
  std::string_view name() const override { return "attention_reads_what_was_written"; }
  std::string_view what() const override {
    return "walking the tables like a kernel meets exactly the tokens that belong there, and writes hit own slots only";
  }

  void start(const sim::World& world, const sim::ImageLayout&) override {
    store_.start(world.config());
    for (auto& rows : found_) {
      rows.resize(static_cast<std::size_t>(world.config().requests + 1));
      for (FoundPages& found : rows) found.clear();
    }
  }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    follow_engine(world, store_);
    return std::nullopt;
  }

  std::optional<sim::Violation> judge(Moment& moment) override {
    if (auto violation = write_all(moment, store_)) return violation;
    const auto& rows = moment.forward().rows;
    const bool any_odd = std::ranges::any_of(rows, [](const ForwardRow& row) { return row.odd != sim::Odd::none; });
    for (std::size_t r = 0; r < rows.size(); ++r) {
      if (rows[r].request < 0 || rows[r].odd != sim::Odd::none) continue;
      const auto at = static_cast<std::int64_t>(r);
      if (auto violation = reads_wrong_length(moment, at, !any_odd)) return violation;
      for (const Model model : both_models)
        if (runs(moment.forward(), model))
          if (auto violation = reads_wrong(moment, at, model)) return violation;
    }
    return std::nullopt;
  }

 private:
  static std::optional<sim::Violation> reads_wrong_length(Moment& moment, std::int64_t r, bool sums_mean_this) {
    const ForwardRow& row = moment.forward().rows[static_cast<std::size_t>(r)];
    const std::int64_t keys = row.first_write + row.writes - row.start;
    const std::int64_t word = moment.layout().section(Part::cache_seqlens).at(0, r);
    const std::int32_t got = moment.first().words()[word];
    if (got != keys)
      return sim::at_word(moment, moment.first(), word, fmt::format("{}", keys), sim::show(got),
                          "the last query of a row stands at the last key");
    if (!sums_mean_this) return std::nullopt;
    const std::int64_t sum = moment.layout().section(Part::cu_seqlens_q).at(0, r + 1);
    const std::int64_t before = moment.layout().section(Part::cu_seqlens_q).at(0, r);
    const std::int64_t queries = std::int64_t{moment.first().words()[sum]} - moment.first().words()[before];
    if (queries == row.writes) return std::nullopt;
    return sim::at_word(moment, moment.first(), sum, fmt::format("{} queries in this row", row.writes),
                        fmt::format("{}", queries), "a row has a query for each token that it writes");
  }

  std::optional<sim::Violation> reads_wrong(Moment& moment, std::int64_t r, Model model) {
    const Request& request = request_of(moment, moment.forward().rows[static_cast<std::size_t>(r)]);
    FoundPages& found = found_[static_cast<std::size_t>(model)][static_cast<std::size_t>(request.row)];
    found.expect(content_of(request, model), moment.world().config().page_size);
    if (auto violation = reads_wrong(moment, r, model, Pool::full, found)) return violation;
    if (!moment.layout().swa()) return std::nullopt;
    return reads_wrong(moment, r, model, Pool::swa, found);
  }

  // The keys of the row's queries are one range: it ends at the last query and begins where the first one's begins.
  std::optional<sim::Violation> reads_wrong(Moment& moment, std::int64_t r, Model model, Pool pool, FoundPages& found) {
    const ForwardRow& row = moment.forward().rows[static_cast<std::size_t>(r)];
    const Request& request = request_of(moment, row);
    const sim::Config& config = moment.world().config();
    const std::int64_t size = config.page_size;
    const Part part = pool == Pool::full ? Part::page_table : Part::swa_page_table;
    const sim::Section& table = moment.layout().section(part);
    const std::int64_t end = std::min(row.first_write + row.writes, row.start + table.cols * size);
    const std::int64_t window = row.first_write - config.window + 1;
    const std::int64_t first = pool == Pool::full ? row.start : std::max(row.start, window);
    const std::int64_t start_column = row.start / size;
    for (std::int64_t column = first / size; column * size < end; ++column) {
      const std::int64_t from = std::max(first, column * size);
      const std::int64_t stop = std::min(end, (column + 1) * size);
      const std::int64_t word = table.at(r, column - start_column);
      const std::int32_t page = moment.first().words()[word];
      const bool held = store_.holds(pool, page);
      const std::uint32_t version = held ? store_.version(model, pool, page) : 0;
      if (held && found.has(pool, column, page, version, {from, stop})) continue;
      if (!request.punctured.empty() && punctured(request, column)) continue;
      if (auto violation = reads_wrong_page(moment, request, model, pool, word, from, stop)) return violation;
      found.note(pool, column, page, version, {from, stop});
    }
    return std::nullopt;
  }

  std::optional<sim::Violation> reads_wrong_page(Moment& moment, const Request& request, Model model, Pool pool,
                                                 std::int64_t word, std::int64_t from, std::int64_t to) {
    const std::int64_t size = moment.world().config().page_size;
    const std::int32_t page = moment.first().words()[word];
    const char* why = "attention meets the tokens of the request, each at its position, and nothing else";
    if (!store_.holds(pool, page))
      return sim::at_word(moment, moment.first(), word, "a page of the pool", sim::show(page), why);
    const std::uint64_t* ids = store_.page(model, pool, page) - from / size * size;
    const sim::Content& content = content_of(request, model);
    for (std::int64_t p = from; p < to;) {
      const auto [base, end] = content.stretch_at(p);
      const std::int64_t last = std::min(to, end);
      if (base != sim::unknown_base)
        for (std::int64_t q = p; q < last; ++q)
          if (ids[q] != base + static_cast<std::uint64_t>(q) && ids[q] != KvStore::lost)
            return sim::at_word(
                moment, moment.first(), word,
                fmt::format("a page with {} at offset {}", token_of(base + static_cast<std::uint64_t>(q)), q % size),
                fmt::format("page {} with {}", page, token_of(ids[q])), why);
      p = std::max(last, p + 1);
    }
    return std::nullopt;
  }

  KvStore store_;
  std::array<std::vector<FoundPages>, 2> found_;  ///< by model and request row
};

}  // namespace

std::unique_ptr<sim::Law> attention_reads_what_was_written() {
  return std::make_unique<AttentionReadsWhatWasWritten>();
}

}  // namespace pagestorm::props
