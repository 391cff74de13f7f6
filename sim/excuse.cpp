#include "excuse.hpp"

#include <algorithm>

#include "element.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::array<ExcuseEntry, excuse_count> catalogue = {{
    {Excuse::modes, "modes", "takes some modes only", "C1.1 C1.3 C1.4"},
    {Excuse::page_sizes, "page_sizes", "takes some page sizes only", "C2.1"},
    {Excuse::rows, "rows", "takes so many rows at most", ""},
    {Excuse::types, "types", "takes some integer types only", "C2.3"},
    {Excuse::swa, "swa", "has no SWA outputs", "C2.5 C6.3 C6.4 C6.5 C9.1 C9.2 C9.3 C9.4"},
    {Excuse::clamps, "clamps", "no row may need more columns than there are", "C5.2 C12.3"},
    {Excuse::bad_indices, "bad_indices", "indices lie within what they index", "C6.5 C7.2 C7.3"},
    {Excuse::bad_lengths, "bad_lengths", "lengths are not negative, and they and their sums fit in int32",
     "C4.2 C4.3 C4.4 C8.3"},
    {Excuse::empty_batch, "empty_batch", "there is a row", "C12.1 C12.2"},
    {Excuse::input_strides, "input_strides", "inputs are contiguous", "C2.4"},
    {Excuse::output_strides, "output_strides", "outputs are contiguous", "C2.4"},
    {Excuse::own_swa_stride, "own_swa_stride", "both tables have the same strides", "C2.4"},
    {Excuse::padded_tables, "padded_tables", "rows of tables follow each other without a gap", "C2.4"},
    {Excuse::far_rows, "far_rows", "no offset reaches 2^31 elements", "C2.4"},
    {Excuse::absent, "absent", "what an absent slot becomes, or that there is none", "C7.1"},
    {Excuse::tombstone, "tombstone", "what a tombstone becomes, or that there is none", "C6.4"},
    {Excuse::builds, "builds", "has no build", "C1.2 C3.4 C12.2"},
    {Excuse::status, "status", "leaves the status word alone", "C11.1 C11.2"},
    {Excuse::element_zero, "element_zero", "trusts element 0 of the sums to be 0", "C8.1"},
    {Excuse::write_slots, "write_slots", "leaves the write slots alone", "C9.1 C9.2 C9.3 C9.4"},
    {Excuse::tail_zeros, "tail_zeros", "leaves elements after the last write slot alone", "C9.3"},
    {Excuse::full_width, "full_width", "may write columns after the live prefix", "C5.3"},
    {Excuse::ahead, "ahead", "enqueues nothing before contents are there", "C2.2 C13.1 C13.2"},
    {Excuse::orders, "orders", "has no other order of its lanes", "C13.7"},
    {Excuse::captures, "captures", "cannot be called while its stream is captured", "C13.3"},
    {Excuse::refusals, "refusals", "takes shapes on trust", "C2.6"},
}};

bool raised(const Reference& expected, Status bits) {
  return (expected.status() & static_cast<std::uint32_t>(bits)) != 0;
}

bool is_absent_write(Reference& expected, const Batch& batch) {
  if (!expected.swa() || !expected.sums()) return false;
  for (std::int64_t i = 0; i < std::min(batch.out_cache_loc.size, expected.write_room()); ++i)
    if (expected.write_slot(i) == absent_slot) return true;
  return false;
}

bool is_short_somewhere(const Reference& expected) {
  for (std::int64_t r = 0; r < expected.rows(); ++r)
    if (expected.live(r) < expected.width()) return true;
  return false;
}

// A row without live cells raises nothing, and yet who trusts its index may look it up.
bool names_row_outside(const Batch& batch) {
  for (std::int64_t r = 0; r < batch.rows; ++r) {
    const std::int64_t row = element(batch.req_pool_indices, r);
    if (row < 0 || row >= batch.req_to_token.rows) return true;
  }
  return false;
}

}  // namespace

std::span<const ExcuseEntry, excuse_count> excuse_catalogue() { return catalogue; }

Excuses declared(const Capabilities& capabilities) {
  const Promise& promise = capabilities.promise;
  const Promise whole;
  Excuses excuses;
  const auto set = [&](Excuse excuse, bool on) { excuses[static_cast<std::size_t>(excuse)] = on; };
  set(Excuse::modes, promise.modes != whole.modes);
  set(Excuse::page_sizes, promise.page_size_low != whole.page_size_low ||
                              promise.page_size_high != whole.page_size_high || promise.page_size_power_of_two);
  set(Excuse::rows, promise.rows_high != 0);
  set(Excuse::types, promise.index_types != whole.index_types || promise.length_types != whole.length_types ||
                         promise.location_types != whole.location_types || promise.map_types != whole.map_types);
  set(Excuse::swa, !promise.swa);
  set(Excuse::clamps, !promise.clamps);
  set(Excuse::bad_indices, !promise.bad_indices);
  set(Excuse::bad_lengths, !promise.bad_lengths);
  set(Excuse::empty_batch, !promise.empty_batch);
  set(Excuse::input_strides, !promise.input_strides);
  set(Excuse::output_strides, !promise.output_strides);
  set(Excuse::own_swa_stride, !promise.own_swa_stride);
  set(Excuse::padded_tables, !promise.padded_tables);
  set(Excuse::far_rows, !promise.far_rows);
  set(Excuse::absent, promise.absent != Becomes::contract);
  set(Excuse::tombstone, promise.tombstone != Becomes::contract);
  set(Excuse::builds, !promise.builds);
  set(Excuse::status, !promise.status);
  set(Excuse::element_zero, !promise.element_zero);
  set(Excuse::write_slots, !promise.write_slots);
  set(Excuse::tail_zeros, !promise.tail_zeros);
  set(Excuse::full_width, promise.full_width);
  set(Excuse::ahead, !capabilities.ahead);
  set(Excuse::orders, !capabilities.orders);
  set(Excuse::captures, capabilities.device && !capabilities.captures);
  set(Excuse::refusals, !promise.refusals);
  return excuses;
}

std::optional<Excuse> not_given(const Batch& batch, Reference& expected) {
  const Promise& promise = expected.promise();
  if (!promise.modes[static_cast<std::size_t>(batch.mode)]) return Excuse::modes;
  if (promise.rows_high > 0 && batch.rows > promise.rows_high) return Excuse::rows;
  if (!promise.empty_batch && batch.rows == 0) return Excuse::empty_batch;
  if (!promise.clamps && raised(expected, Status::row_clamped)) return Excuse::clamps;
  if (!promise.bad_lengths &&
      raised(expected, Status::negative_length | Status::length_saturated | Status::sum_saturated))
    return Excuse::bad_lengths;
  const bool spared = promise.absent == Becomes::never || promise.tombstone == Becomes::never;
  if (promise.bad_indices && !spared) return std::nullopt;
  expected.complete();
  if (!promise.bad_indices &&
      (names_row_outside(batch) ||
       raised(expected, Status::row_outside_pool | Status::position_outside_row | Status::slot_outside_map)))
    return Excuse::bad_indices;
  if (promise.absent == Becomes::never && (expected.absent_cells() || is_absent_write(expected, batch)))
    return Excuse::absent;
  if (promise.tombstone == Becomes::never && expected.tombstones()) return Excuse::tombstone;
  return std::nullopt;
}

Excuses milder(const Excuses& declared, const Batch& batch, Reference& expected, std::int64_t write_room) {
  Excuses excuses;
  const auto keep = [&](Excuse excuse, bool matters) {
    excuses[static_cast<std::size_t>(excuse)] = has(declared, excuse) && matters;
  };
  expected.complete();
  const bool writes = expected.sums() && expected.swa();
  keep(Excuse::absent, expected.absent_cells());
  keep(Excuse::tombstone, expected.zero_mappings());
  keep(Excuse::builds, true);
  keep(Excuse::status, expected.status() != 0);
  keep(Excuse::element_zero, expected.sums());
  keep(Excuse::write_slots, writes && write_room > 0);
  keep(Excuse::tail_zeros, writes && write_room > batch.out_cache_loc.size);
  keep(Excuse::full_width, is_short_somewhere(expected));
  keep(Excuse::ahead, true);
  keep(Excuse::orders, true);
  keep(Excuse::captures, true);
  return excuses;
}

void ExcuseTally::note(std::array<std::int64_t, excuse_count>& counts, const Excuses& excuses) {
  for (std::size_t i = 0; i < excuse_count; ++i) counts[i] += excuses[i] ? 1 : 0;
}

ExcuseTally& ExcuseTally::operator+=(const ExcuseTally& other) {
  for (std::size_t i = 0; i < excuse_count; ++i) {
    cases[i] += other.cases[i];
    not_given[i] += other.not_given[i];
    milder[i] += other.milder[i];
  }
  return *this;
}

}  // namespace pagestorm::sim
