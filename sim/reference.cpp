#include "reference.hpp"

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

void Reference::open(std::int64_t row) {
  const std::int64_t owner = element(batch_.req_pool_indices, row);
  const bool inside = owner >= 0 && owner < batch_.req_to_token.rows;
  open_row_ = row;
  open_slots_ = inside ? batch_.req_to_token.data + owner * batch_.req_to_token.row_stride : nullptr;
}

PagePair Reference::page(std::int64_t row, std::int64_t column) {
  const Matrix<const std::int32_t>& slots = batch_.req_to_token;
  if (row != open_row_) open(row);
  if (open_slots_ == nullptr) {
    flag(Status::row_outside_pool);
    return {};
  }
  const std::int64_t token = column * batch_.page_size;
  if (token >= slots.cols) {
    flag(Status::position_outside_row);
    return {};
  }
  const std::int32_t slot = open_slots_[token * slots.col_stride];
  if (slot < 0) {
    flag(Status::absent_slot);
    return {};
  }
  PagePair pair{.full = slot / batch_.page_size};
  if (!swa()) return pair;
  if (slot >= batch_.full_to_swa.size) {
    flag(Status::slot_outside_map);
    return pair;
  }
  const std::int64_t swa_slot = element(batch_.full_to_swa, slot);
  if (swa_slot >= 0) pair.swa = static_cast<std::int32_t>(swa_slot / batch_.page_size);
  return pair;
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
