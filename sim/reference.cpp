#include "reference.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "element.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_limit = std::numeric_limits<std::int32_t>::max();

}  // namespace

std::int64_t Reference::kv_length(std::int64_t row) {
  const std::int64_t given = element(batch_.seq_lens, row);
  if (given < 0) {
    flag(Status::negative_length);
    return 0;
  }
  std::int64_t length = given > int32_limit ? int32_limit + 1 : given;  // too long whatever is added
  if (batch_.entry == Entry::apply && batch_.mode == Mode::draft_decode) length += std::int64_t{batch_.draft_step} + 1;
  if (batch_.entry == Entry::apply && batch_.mode == Mode::target_verify) length += batch_.tokens_per_row;
  if (batch_.entry == Entry::apply && batch_.mode == Mode::ragged_verify) length += fresh_tokens(row);
  if (length <= int32_limit) return length;
  flag(Status::length_saturated);
  return int32_limit;
}

std::int64_t Reference::query_length(std::int64_t row, std::int64_t keys) {
  if (batch_.mode == Mode::target_verify || batch_.mode == Mode::draft_extend) return batch_.tokens_per_row;
  if (batch_.mode == Mode::ragged_verify) return fresh_tokens(row);
  if (batch_.mode != Mode::extend) return 1;
  return batch_.has_cached_prefix ? fresh_tokens(row) : keys;
}

std::int64_t Reference::fresh_tokens(std::int64_t row) {
  const std::int64_t fresh = element(batch_.extend_seq_lens, row);
  if (fresh < 0) flag(Status::negative_length);
  return fresh < 0 ? 0 : fresh > 2 * int32_limit ? 2 * int32_limit : fresh;
}

void Reference::compute(const Batch& batch, std::int64_t width, std::int64_t write_room, const Promise& promise) {
  batch_ = batch;
  promise_ = promise;
  bends_ = promise.absent != Becomes::contract || promise.tombstone != Becomes::contract;
  absent_cells_ = zero_mappings_ = tombstones_ = false;
  width_ = width;
  write_room_ = write_room;
  status_ = 0;
  open_row_ = -1;
  keys_.clear();
  live_.clear();
  sum_q_.assign(1, 0);
  sum_k_.assign(1, 0);
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  for (std::int64_t row = 0; row < batch.rows; ++row) {
    const std::int64_t own = kv_length(row);
    const std::int64_t needed = own / batch.page_size + (own % batch.page_size != 0 ? 1 : 0);
    if (needed > width) flag(Status::row_clamped);
    keys_.push_back(static_cast<std::int32_t>(own));
    live_.push_back(needed > width ? width : needed);
    if (!sums()) continue;
    queries += query_length(row, own);
    keys += own;
    if (queries > int32_limit || keys > int32_limit) flag(Status::sum_saturated);
    sum_q_.push_back(static_cast<std::int32_t>(queries > int32_limit ? int32_limit : queries));
    sum_k_.push_back(static_cast<std::int32_t>(keys > int32_limit ? int32_limit : keys));
  }
  if (sums() && swa() && batch.out_cache_loc.size > write_room) flag(Status::write_slots_clamped);
}

// The pages of neighbouring columns, from the slots that they name. `plain`: none of the slots is negative.
template <class PageOf>
void Reference::fill_full(std::span<const std::int32_t> slots, bool plain, std::int32_t* pages, PageOf page_of) {
  if (!plain) flag(Status::absent_slot);
  if (plain)
    for (std::size_t c = 0; c < slots.size(); ++c) pages[c] = page_of(slots[c]);
  else
    for (std::size_t c = 0; c < slots.size(); ++c) pages[c] = slots[c] < 0 ? absent_page : page_of(slots[c]);
}

// The same in the SWA table. `plain`: the map has an entry for each of the slots.
template <class Int, class PageOf>
void Reference::fill_swa(std::span<const std::int32_t> slots, bool plain, std::int32_t* pages, PageOf page_of) {
  const auto* map = static_cast<const Int*>(batch_.full_to_swa.data);
  const std::int64_t stride = batch_.full_to_swa.stride;
  if (plain) {
    Int bits = 0;
    for (std::size_t c = 0; c < slots.size(); ++c) {
      const Int swa_slot = map[slots[c] * stride];
      bits |= swa_slot;
      pages[c] = page_of(static_cast<std::int32_t>(swa_slot));
    }
    if (bits >> 31 == 0) return;  // none is negative or beyond 32 bits
  }
  for (std::size_t c = 0; c < slots.size(); ++c) {
    const std::int64_t slot = slots[c];
    const bool outside = slot >= batch_.full_to_swa.size;
    if (outside) flag(Status::slot_outside_map);
    const std::int64_t swa_slot = slot < 0 || outside ? absent_slot : map[slot * stride];
    pages[c] = swa_slot < 0 ? absent_page : static_cast<std::int32_t>(page_of(swa_slot));
  }
}

// The first `readable` columns of a row whose slots lie `step` elements apart, a block of columns at a time: what must
// be asked of each slot is asked of all together, and only where the answer is not simple, of one after the other.
template <class PageOf>
void Reference::fill(const std::int32_t* from, std::int64_t step, std::int64_t readable, PageOf page_of) {
  constexpr std::int64_t block = 512;
  const auto last = static_cast<std::int32_t>(std::min(batch_.full_to_swa.size, int32_limit + 1) - 1);
  std::array<std::int32_t, block> apart;
  for (std::int64_t first = 0; first < readable; first += block) {
    const auto n = static_cast<std::size_t>(std::min(block, readable - first));
    std::int32_t signs = 0;
    std::int32_t beyond = 0;
    const auto ask = [&signs, &beyond, last](std::int32_t slot) {
      signs |= slot;
      beyond |= slot > last ? -1 : 0;
      return slot;
    };
    std::span<const std::int32_t> slots(from + first * step, n);
    if (step == 1) {
      for (const std::int32_t slot : slots) ask(slot);
    } else {
      const std::int32_t* at = slots.data();
      for (std::size_t c = 0; c < n; ++c, at += step) apart[c] = ask(*at);
      slots = std::span(apart).first(n);
    }
    fill_full(slots, signs >= 0, full_.data() + first, page_of);
    if (!swa()) continue;
    if (batch_.full_to_swa.type == IntType::int64)
      fill_swa<std::int64_t>(slots, (signs | beyond) >= 0, swa_.data() + first, page_of);
    else
      fill_swa<std::int32_t>(slots, (signs | beyond) >= 0, swa_.data() + first, page_of);
  }
}

void Reference::open(std::int64_t row) {
  if (row == open_row_) return;
  open_row_ = row;
  const std::int64_t cells = live(row);
  full_.resize(static_cast<std::size_t>(cells));
  swa_.resize(static_cast<std::size_t>(swa() ? cells : 0));
  if (cells == 0) return;
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  const std::int64_t owner = element(batch_.req_pool_indices, row);
  const bool inside = owner >= 0 && owner < slots.rows;
  const std::int64_t columns = (slots.cols + batch_.page_size - 1) / batch_.page_size;
  const std::int64_t readable = inside ? std::min(columns, cells) : 0;
  if (!inside) flag(Status::row_outside_pool);
  if (inside && columns < cells) flag(Status::position_outside_row);
  std::fill(full_.begin() + readable, full_.end(), absent_page);
  if (swa()) std::fill(swa_.begin() + readable, swa_.end(), absent_page);

  const std::int32_t* from = slots.data + (inside ? owner * slots.row_stride : 0);
  const std::int64_t step = batch_.page_size * slots.col_stride;
  const std::int32_t size = batch_.page_size;
  const int shift = std::countr_zero(static_cast<std::uint32_t>(size));
  if (size == 1 << shift)
    fill(from, step, readable, [shift](auto slot) { return slot >> shift; });
  else
    fill(from, step, readable, [size](auto slot) { return slot / size; });
  if (bends_) keep_promise(row);
}

std::span<const std::int32_t> Reference::pages(std::int64_t row) {
  open(row);
  return full_;
}

std::span<const std::int32_t> Reference::swa_pages(std::int64_t row) {
  open(row);
  return swa_;
}

PagePair Reference::page(std::int64_t row, std::int64_t column) {
  const auto c = static_cast<std::size_t>(column);
  open(row);
  return {full_[c], swa() ? swa_[c] : absent_page};
}

std::int64_t Reference::write_slot(std::int64_t i) {
  if (i >= batch_.out_cache_loc.size) return 0;
  const std::int64_t slot = element(batch_.out_cache_loc, i);
  if (slot < 0) return absent_slot;
  if (slot < batch_.full_to_swa.size) return element(batch_.full_to_swa, slot);
  flag(Status::slot_outside_map);
  return absent_slot;
}

}  // namespace pagestorm::sim
