#include "flash_keys.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "kv_writes.hpp"
#include "pagestorm/ids.hpp"
#include "sim/flash/checks.hpp"
#include "sim/world.hpp"

namespace pagestorm::props {

using sim::FlashMoment;
using sim::KvStore;
using sim::Model;
using sim::Part;
using sim::Pool;

std::int64_t keys_said(const FlashMoment& moment, const CausalSet& set) {
  return moment.word(Part::cache_seqlens, 0, set.expanded);
}

std::int64_t queries_said(const FlashMoment& moment, const CausalSet& set) {
  return std::int64_t{moment.word(Part::cu_seqlens_q, 0, set.expanded + 1)} -
         moment.word(Part::cu_seqlens_q, 0, set.expanded);
}

std::optional<std::int64_t> slot_said(const FlashMoment& moment, const CausalSet& set, std::int64_t key) {
  const std::int64_t size = names_slots(moment.ask().op) ? 1 : moment.world().config().page_size;
  const std::int64_t column = key / size;
  if (column >= moment.layout().section(Part::page_table).cols) return std::nullopt;
  const std::int64_t named = moment.word(Part::page_table, set.expanded, column);
  return named < 0 ? named : named * size + key % size;
}

const sim::Request& request_of(const FlashMoment& moment, const CausalSet& set) {
  const auto at = moment.forward().rows[static_cast<std::size_t>(set.row)].request;
  return moment.world().requests()[static_cast<std::size_t>(at)];
}

namespace {

// The page of a position in a pool; nothing where its slot was taken away or it has none.
std::optional<std::int32_t> page_owned(const FlashMoment& moment, const CausalSet& set, std::int64_t position) {
  const sim::Request& request = request_of(moment, set);
  const auto column = static_cast<std::size_t>(position / moment.world().config().page_size);
  if (punctured(request, static_cast<std::int64_t>(column)) || column >= request.pages.size()) return std::nullopt;
  return moment.ask().swa ? request.swa_pages[column] : request.pages[column];
}

// Keys of a set, and no more than the builder says there are: the first that a function objects to.
template <class Judge>
std::optional<sim::Violation> each_key(const CausalSet& set, const Judge& judge) {
  for (std::int64_t key = 0; key < static_cast<std::int64_t>(set.positions.size()); ++key)
    if (auto violation = judge(key, set.positions[static_cast<std::size_t>(key)])) return violation;
  return std::nullopt;
}

bool runs_in(const FlashMoment& moment, Model model) { return runs(moment.forward(), model); }

}  // namespace

sim::Violation at_key(const FlashMoment& moment, const CausalSet& set, std::int64_t key, std::string expected,
                      std::string got, std::string why) {
  const std::int64_t size = names_slots(moment.ask().op) ? 1 : moment.world().config().page_size;
  const std::int64_t word = moment.layout().section(Part::page_table).at(set.expanded, key / size);
  sim::Violation violation = at_word(moment, moment.first(), word, std::move(expected), std::move(got), std::move(why));
  violation.place.text += fmt::format(", key {}", key);
  return violation;
}

sim::Violation at_lengths(const FlashMoment& moment, const CausalSet& set, std::string expected, std::string got,
                          std::string why) {
  const std::int64_t word = moment.layout().section(Part::cache_seqlens).at(0, set.expanded);
  return at_word(moment, moment.first(), word, std::move(expected), std::move(got), std::move(why));
}

std::optional<sim::Violation> judge_lengths(const FlashMoment& moment, const CausalSet& set, const std::string& why) {
  const auto want = static_cast<std::int64_t>(set.positions.size());
  if (const std::int64_t got = keys_said(moment, set); got != want)
    return at_lengths(moment, set, fmt::format("{} keys", want), fmt::format("{} keys", got), why);
  if (const std::int64_t got = queries_said(moment, set); got != set.queries)
    return at_lengths(moment, set, fmt::format("{} queries", set.queries), fmt::format("{} queries", got), why);
  return std::nullopt;
}

std::optional<sim::Violation> judge_slots(const FlashMoment& moment, const CausalSet& set, const std::string& why) {
  if (auto violation = judge_lengths(moment, set, why)) return violation;
  const std::int64_t size = moment.world().config().page_size;
  return each_key(set, [&](std::int64_t key, std::int64_t position) -> std::optional<sim::Violation> {
    const auto slot = slot_said(moment, set, key);
    const auto page = page_owned(moment, set, position);
    if (!slot || !page) return std::nullopt;
    // Behind the window all slots are slot 0; a table of pages counts on from there.
    const bool evicted = *page == sink;
    const std::int64_t want = evicted ? 0 : *page * size + position % size;
    if (evicted ? *slot >= 0 && *slot < size : *slot == want) return std::nullopt;
    return at_key(moment, set, key, fmt::format("slot {}, of position {}", want, position),
                  fmt::format("slot {}", *slot), why);
  });
}

std::optional<sim::Violation> judge_tokens(const FlashMoment& moment, const CausalSet& set, const KvStore& store) {
  const Pool pool = moment.ask().swa ? Pool::swa : Pool::full;
  const std::int64_t size = moment.world().config().page_size;
  const char* why = "a query's keys are the tokens that it must see, each of them once";
  if (auto violation = judge_lengths(moment, set, why)) return violation;
  return each_key(set, [&](std::int64_t key, std::int64_t position) -> std::optional<sim::Violation> {
    const auto slot = slot_said(moment, set, key);
    const auto page = page_owned(moment, set, position);
    // What has left the window is the sink's: the kernel masks it.
    if (!slot || !page || *page == sink) return std::nullopt;
    if (*slot < 0 || !store.holds(pool, *slot / size))
      return at_key(moment, set, key, fmt::format("the slot of position {}", position), fmt::format("slot {}", *slot),
                    why);
    for (const Model model : both_models) {
      if (!runs_in(moment, model)) continue;
      const std::uint64_t want =
          content_of(request_of(moment, set), model).at(set.meant[static_cast<std::size_t>(key)]);
      const std::uint64_t got = store.page(model, pool, *slot / size)[*slot % size];
      if (want == 0 || got == want || got == KvStore::lost) continue;
      return at_key(moment, set, key, fmt::format("the token of position {}", set.meant[static_cast<std::size_t>(key)]),
                    got == KvStore::poison ? fmt::format("nothing, in slot {}", *slot)
                                           : fmt::format("another token, in slot {}", *slot),
                    why);
    }
    return std::nullopt;
  });
}

}  // namespace pagestorm::props
