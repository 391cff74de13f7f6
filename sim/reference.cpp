#include "reference.hpp"

#include <algorithm>
#include <bit>
#include <limits>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_limit = std::numeric_limits<std::int32_t>::max();

std::int64_t element(const IntVector& vector, std::int64_t i) {
  return vector.type == IntType::int32 ? static_cast<const std::int32_t*>(vector.data)[i * vector.stride]
                                       : static_cast<const std::int64_t*>(vector.data)[i * vector.stride];
}

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
  if (length <= int32_limit) return length;
  flag(Status::length_saturated);
  return int32_limit;
}

std::int64_t Reference::query_length(std::int64_t row, std::int64_t keys) {
  if (batch_.mode == Mode::target_verify || batch_.mode == Mode::draft_extend) return batch_.tokens_per_row;
  if (batch_.mode != Mode::extend) return 1;
  if (!batch_.has_cached_prefix) return keys;
  const std::int64_t fresh = element(batch_.extend_seq_lens, row);
  if (fresh < 0) flag(Status::negative_length);
  return fresh < 0 ? 0 : fresh > 2 * int32_limit ? 2 * int32_limit : fresh;
}

void Reference::compute(const Batch& batch, std::int64_t width, std::int64_t write_room) {
  batch_ = batch;
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

// Reads the slots of a row's live columns; a column that has none counts as absent.
void Reference::read_slots(std::int64_t row) {
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  const std::int64_t owner = element(batch_.req_pool_indices, row);
  const bool inside = owner >= 0 && owner < slots.rows;
  const std::int64_t columns = (slots.cols + batch_.page_size - 1) / batch_.page_size;
  const auto readable = static_cast<std::size_t>(inside ? std::min(columns, live(row)) : 0);
  if (!inside) flag(Status::row_outside_pool);
  if (inside && columns < live(row)) flag(Status::position_outside_row);

  const std::int32_t* from = slots.data + (inside ? owner * slots.row_stride : 0);
  const std::int64_t step = batch_.page_size * slots.col_stride;
  std::int32_t signs = 0;
  slots_.resize(static_cast<std::size_t>(live(row)));
  for (std::size_t c = 0; c < readable; ++c, from += step) signs |= slots_[c] = *from;
  if (signs < 0) flag(Status::absent_slot);
  std::fill(slots_.begin() + static_cast<std::ptrdiff_t>(readable), slots_.end(), absent_page);
}

template <class PageOf>
void Reference::fill_full(PageOf page_of) {
  full_.resize(slots_.size());
  for (std::size_t c = 0; c < slots_.size(); ++c) full_[c] = slots_[c] < 0 ? absent_page : page_of(slots_[c]);
}

template <class Int, class PageOf>
void Reference::fill_swa(PageOf page_of) {
  const auto* map = static_cast<const Int*>(batch_.full_to_swa.data);
  swa_.resize(slots_.size());
  for (std::size_t c = 0; c < slots_.size(); ++c) {
    const std::int64_t slot = slots_[c];
    swa_[c] = absent_page;
    if (slot < 0) continue;
    if (slot >= batch_.full_to_swa.size) {
      flag(Status::slot_outside_map);
      continue;
    }
    const std::int64_t swa_slot = map[slot * batch_.full_to_swa.stride];
    if (swa_slot >= 0) swa_[c] = static_cast<std::int32_t>(page_of(swa_slot));
  }
}

template <class PageOf>
void Reference::fill(PageOf page_of) {
  fill_full(page_of);
  if (!swa()) return;
  if (batch_.full_to_swa.type == IntType::int64)
    fill_swa<std::int64_t>(page_of);
  else
    fill_swa<std::int32_t>(page_of);
}

void Reference::open(std::int64_t row) {
  if (row == open_row_) return;
  open_row_ = row;
  slots_.clear();
  if (live(row) > 0) read_slots(row);
  const std::int32_t size = batch_.page_size;
  const int shift = std::countr_zero(static_cast<std::uint32_t>(size));
  if (size == 1 << shift)
    fill([shift](auto slot) { return slot >> shift; });
  else
    fill([size](auto slot) { return slot / size; });
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
