#include "host_reads.hpp"

#include <algorithm>

#include "kv_writes.hpp"

namespace pagestorm::props {

using sim::ForwardRow;
using sim::KvStore;
using sim::Model;
using sim::Moment;
using sim::Part;
using sim::Pool;
using sim::Request;

namespace {

const ForwardRow& row_of(const Moment& moment, std::int64_t r) {
  return moment.forward().rows[static_cast<std::size_t>(r)];
}

// The position after the last key: of a cascade, after the prefix.
std::int64_t end_of(const Moment& moment, const ForwardRow& row) {
  return moment.forward().cascade ? row.length : row.first_write + row.writes;
}

std::int32_t word_at(const Moment& moment, Part part, std::int64_t row, std::int64_t column) {
  return moment.first().words()[moment.layout().section(part).at(row, column)];
}

}  // namespace

bool sums_say_queries(const sim::Forward& forward) {
  return std::ranges::all_of(forward.rows, [](const ForwardRow& row) { return row.odd == sim::Odd::none; });
}

void HostReads::start(const sim::World& world) {
  store_.start(world.config());
  for (auto& rows : found_) {
    rows.resize(static_cast<std::size_t>(world.config().requests + 1));
    for (FoundPages& found : rows) found.clear();
  }
}

void HostReads::follow(const sim::World& world) { follow_engine(world, store_); }

std::optional<sim::Violation> HostReads::write(Moment& moment) { return write_all(moment, store_); }

KvMisread HostReads::read(const Moment& moment) {
  const auto& rows = moment.forward().rows;
  const bool sums_count = sums_say_queries(moment.forward());
  for (std::size_t r = 0; r < rows.size(); ++r) {
    if (!is_looked_at(rows[r])) continue;
    const auto at = static_cast<std::int64_t>(r);
    if (const KvMisread misread = read_lengths(moment, at, sums_count); misread.what != MisreadKind::none)
      return misread;
    for (const Model model : both_models) {
      if (!runs(moment.forward(), model)) continue;
      if (const KvMisread misread = read_row(moment, at, model); misread.what != MisreadKind::none) return misread;
    }
  }
  return {};
}

KvMisread HostReads::read_lengths(const Moment& moment, std::int64_t r, bool sums_count) const {
  const ForwardRow& row = row_of(moment, r);
  const auto misread = [r](MisreadKind what, std::int64_t want, std::int64_t got) {
    return KvMisread{
        .what = what, .row = r, .want = static_cast<std::uint64_t>(want), .got = static_cast<std::uint64_t>(got)};
  };
  const std::int64_t keys = end_of(moment, row) - row.start;
  const std::int32_t got = word_at(moment, Part::cache_seqlens, 0, r);
  if (got != keys) return misread(MisreadKind::keys, keys, got);
  if (!sums_count) return {};
  const bool trusted = r == 0 && !moment.promise().element_zero;
  const std::int64_t before = trusted ? 0 : word_at(moment, Part::cu_seqlens_q, 0, r);
  const std::int64_t queries = word_at(moment, Part::cu_seqlens_q, 0, r + 1) - before;
  return queries == row.writes ? KvMisread{} : misread(MisreadKind::queries, row.writes, queries);
}

KvMisread HostReads::read_row(const Moment& moment, std::int64_t r, Model model) {
  const Request& request = request_of(moment, row_of(moment, r));
  FoundPages& found = found_[static_cast<std::size_t>(model)][static_cast<std::size_t>(request.row)];
  found.expect(content_of(request, model), moment.world().config().page_size);
  const KvMisread misread = read_pool(moment, r, model, Pool::full, found);
  // SWA layers read merged rows where others read a cascade.
  if (misread.what != MisreadKind::none || !moment.layout().swa() || moment.forward().cascade) return misread;
  return read_pool(moment, r, model, Pool::swa, found);
}

// The keys of the row's queries are one range: it ends at the last query and begins where the first one's begins.
KvMisread HostReads::read_pool(const Moment& moment, std::int64_t r, Model model, Pool pool, FoundPages& found) {
  const ForwardRow& row = row_of(moment, r);
  const Request& request = request_of(moment, row);
  const sim::Config& config = moment.world().config();
  const std::int64_t size = config.page_size;
  const sim::Section& table = moment.layout().section(pool == Pool::full ? Part::page_table : Part::swa_page_table);
  const std::int64_t end = std::min(end_of(moment, row), row.start + table.cols * size);
  const std::int64_t window = row.first_write - config.window + 1;
  const std::int64_t first = pool == Pool::full ? row.start : std::max(row.start, window);
  const std::int64_t start_column = row.start / size;
  for (std::int64_t column = first / size; column * size < end; ++column) {
    const std::int64_t from = std::max(first, column * size);
    const std::int64_t stop = std::min(end, (column + 1) * size);
    const std::int32_t page = moment.first().words()[table.at(r, column - start_column)];
    const bool held = store_.holds(pool, page);
    const std::uint32_t version = held ? store_.version(model, pool, page) : 0;
    if (held && found.has(pool, column, page, version, {from, stop})) continue;
    if (!request.punctured.empty() && punctured(request, column)) continue;
    const KvMisread misread = read_page(moment, r, model, pool, page, {from, stop});
    if (misread.what != MisreadKind::none) return misread;
    found.note(pool, column, page, version, {from, stop});
  }
  return {};
}

KvMisread HostReads::read_page(const Moment& moment, std::int64_t r, Model model, Pool pool, std::int32_t page,
                               FoundPages::Range range) const {
  const ForwardRow& row = row_of(moment, r);
  const std::int64_t size = moment.world().config().page_size;
  const auto misread = [&](MisreadKind what, std::int64_t position, std::uint64_t want, std::uint64_t got) {
    return KvMisread{what, static_cast<KvModel>(model), r, position - row.start, want, got};
  };
  if (!store_.holds(pool, page))
    return misread(pool == Pool::full ? MisreadKind::page : MisreadKind::swa_page, range.from, 0,
                   static_cast<std::uint64_t>(std::int64_t{page}));
  const std::uint64_t* ids = store_.page(model, pool, page) - range.from / size * size;
  const sim::Content& content = content_of(request_of(moment, row), model);
  for (std::int64_t p = range.from; p < range.to;) {
    const auto [base, end] = content.stretch_at(p);
    const std::int64_t last = std::min(range.to, end);
    if (base != sim::unknown_base)
      for (std::int64_t q = p; q < last; ++q)
        if (ids[q] != base + static_cast<std::uint64_t>(q) && ids[q] != KvStore::lost)
          return misread(pool == Pool::full ? MisreadKind::token : MisreadKind::swa_token, q,
                         base + static_cast<std::uint64_t>(q), ids[q]);
    p = std::max(last, p + 1);
  }
  return {};
}

}  // namespace pagestorm::props
