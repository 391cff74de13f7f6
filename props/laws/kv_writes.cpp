#include "kv_writes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "pagestorm/ids.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {

using sim::ForwardRow;
using sim::KvSlots;
using sim::KvStore;
using sim::Model;
using sim::Moment;
using sim::Pool;
using sim::Request;

bool punctured(const Request& request, std::int64_t column) {
  return std::find(request.punctured.begin(), request.punctured.end(), column) != request.punctured.end();
}

std::int64_t full_write_slot(const Moment& moment, std::int64_t write) {
  const IntVector& slots = moment.batch().out_cache_loc;
  return slots.type == IntType::int64 ? static_cast<const std::int64_t*>(slots.data)[write * slots.stride]
                                      : static_cast<const std::int32_t*>(slots.data)[write * slots.stride];
}

std::optional<std::int64_t> swa_write_slot(const Moment& moment, std::int64_t write) {
  if (!moment.layout().swa() || write >= moment.extent().write_slots) return std::nullopt;
  std::int64_t slot = absent_slot;
  const sim::Section& writes = moment.layout().section(sim::Part::swa_out_cache_loc);
  std::memcpy(&slot, moment.first().words() + writes.at(0, write), sizeof slot);
  return slot;
}

namespace {

bool owns(const Request& request, std::int64_t column) {
  return column >= request.shared_columns && column < static_cast<std::int64_t>(request.pages.size());
}

std::string owner_text(const Moment& moment, Pool pool, std::int64_t slot) {
  const std::int64_t size = moment.world().config().page_size;
  if (slot < 0) return "no slot";
  if (slot < size) return "of the sink";
  for (const Request& request : moment.world().requests()) {
    const auto& pages = pool == Pool::full ? request.pages : request.swa_pages;
    const auto found = std::find(pages.begin(), pages.end(), slot / size);
    if (found != pages.end())
      return fmt::format("of {}, position {}", sim::letter(request.serial),
                         (found - pages.begin()) * size + slot % size);
  }
  return "of no live request";
}

std::optional<sim::Violation> stray(const Moment& moment, const char* what, std::int64_t write, std::int64_t slot,
                                    Pool pool, const std::string& wanted) {
  return sim::Violation{.place = {.text = fmt::format("{}, element {}", what, write)},
                        .expected = wanted,
                        .got = fmt::format("slot {}, {}", slot, owner_text(moment, pool, slot)),
                        .why = "a token is stored in a slot that its request owns for it, a padded row's in the sink"};
}

// The first `tokens` positions, page by page.
void load(const sim::World& world, KvSlots& slots, const Request& request, std::int64_t tokens) {
  const std::int64_t size = world.config().page_size;
  for (std::int64_t p = 0; p < tokens; p += size) {
    const auto column = static_cast<std::size_t>(p / size);
    const std::int64_t count = std::min(size, tokens - p);
    for (const Model model : both_models) {
      slots.write(model, Pool::full, request.pages[column] * size, request.target, p, count);
      if (world.config().swa && request.swa_pages[column] != sink)
        slots.write(model, Pool::swa, request.swa_pages[column] * size, request.target, p, count);
    }
  }
}

void put(const Moment& moment, KvSlots& slots, const Request& request, std::int64_t position, std::int64_t slot,
         Pool pool, bool lost) {
  for (const Model model : both_models)
    if (runs(moment.forward(), model))
      slots.write(model, pool, slot, lost ? KvStore::lost : content_of(request, model).at(position));
}

// The row's writes [j, end), which fall into one page, if all of them arrive where they should. False, and nothing is
// written, if not.
bool write_page(Moment& moment, KvSlots& slots, const ForwardRow& row, std::int64_t j, std::int64_t end,
                std::int64_t write) {
  if (row.request < 0) return false;
  const Request& request = request_of(moment, row);
  const std::int64_t size = moment.world().config().page_size;
  const std::int64_t position = row.position(j);
  const std::int64_t column = position / size;
  if (!owns(request, column)) return false;
  const std::int64_t full = request.pages[static_cast<std::size_t>(column)] * size + position % size;
  for (std::int64_t k = j; k < end; ++k)
    if (full_write_slot(moment, write + k - j) != full + k - j) return false;
  const bool swa = moment.layout().swa() && request.swa_pages[static_cast<std::size_t>(column)] != sink;
  const std::int64_t swa_slot =
      swa ? request.swa_pages[static_cast<std::size_t>(column)] * size + position % size : absent_slot;
  for (std::int64_t k = j; swa && k < end; ++k)
    if (swa_write_slot(moment, write + k - j) != swa_slot + k - j) return false;
  for (const Model model : both_models) {
    if (!runs(moment.forward(), model)) continue;
    const sim::Content& content = content_of(request, model);
    slots.write(model, Pool::full, full, content, position, end - j);
    if (swa) slots.write(model, Pool::swa, swa_slot, content, position, end - j);
  }
  return true;
}

std::optional<sim::Violation> write_one(Moment& moment, KvSlots& slots, const ForwardRow& row, std::int64_t j,
                                        std::int64_t write) {
  const std::int64_t full = full_write_slot(moment, write);
  const std::optional<std::int64_t> swa = swa_write_slot(moment, write);
  if (row.request < 0) {
    if (row.odd == sim::Odd::negative_slot && j == 0) return std::nullopt;
    if (full != sink) return stray(moment, "out_cache_loc", write, full, Pool::full, "the sink");
    if (swa.value_or(sink) != sink) return stray(moment, "swa_out_cache_loc", write, *swa, Pool::swa, "the sink");
    return std::nullopt;
  }
  const Request& request = request_of(moment, row);
  const std::int64_t size = moment.world().config().page_size;
  const std::int64_t position = row.position(j);
  const std::int64_t column = position / size;
  const std::string owner = fmt::format("the slot of {} for position {}", sim::letter(request.serial), position);
  // Not even an absent slot may be written to where the request has no page of its own.
  if (!owns(request, column)) return stray(moment, "out_cache_loc", write, full, Pool::full, owner);
  const std::int64_t want = request.pages[static_cast<std::size_t>(column)] * size + position % size;
  const bool taken_away = full < 0 && (row.odd == sim::Odd::negative_slot || punctured(request, column));
  if (full != want && !taken_away) return stray(moment, "out_cache_loc", write, full, Pool::full, owner);
  put(moment, slots, request, position, want, Pool::full, taken_away);
  if (!moment.layout().swa()) return std::nullopt;
  const std::int32_t swa_page = request.swa_pages[static_cast<std::size_t>(column)];
  if (swa_page == sink) return std::nullopt;
  const std::int64_t swa_want = swa_page * size + position % size;
  const bool lost = taken_away || !swa;
  if (!lost && *swa != swa_want) return stray(moment, "swa_out_cache_loc", write, *swa, Pool::swa, owner);
  put(moment, slots, request, position, swa_want, Pool::swa, lost);
  return std::nullopt;
}

}  // namespace

void follow_engine(const sim::World& world, KvSlots& slots) {
  for (const sim::PoolEvent& event : world.events()) {
    if (event.kind == sim::EventKind::freed) slots.forget(event.pool, event.page);
    if (event.kind == sim::EventKind::moved)
      slots.write(event.draft ? Model::draft : Model::target, event.pool, event.slot, event.id);
    if (event.kind == sim::EventKind::loaded) load(world, slots, world.requests().back(), event.tokens);
  }
}

std::optional<sim::Violation> write_all(Moment& moment, KvSlots& slots) {
  const std::int64_t size = moment.world().config().page_size;
  std::int64_t write = 0;
  for (const ForwardRow& row : moment.forward().rows)
    for (std::int64_t j = 0, end = 0; j < row.writes; write += end - j, j = end) {
      end = row.write_stride == 1 ? std::min(row.writes, j + size - row.position(j) % size) : j + 1;
      if (write_page(moment, slots, row, j, end, write)) continue;
      for (std::int64_t k = j; k < end; ++k)
        if (auto violation = write_one(moment, slots, row, k, write + k - j)) return violation;
    }
  return std::nullopt;
}

}  // namespace pagestorm::props
