#include "simple_builder.hpp"

#include <pagestorm/ids.hpp>

#include <algorithm>

namespace example {
namespace {

using pagestorm::Mode;
using pagestorm::Status;

constexpr std::int64_t longest = INT32_MAX;

std::int64_t element(const pagestorm::IntVector& vector, std::int64_t index) {
  const std::int64_t at = index * vector.stride;
  if (vector.type == pagestorm::IntType::int64) return static_cast<const std::int64_t*>(vector.data)[at];
  return static_cast<const std::int32_t*>(vector.data)[at];
}

template <class T>
T& element(const pagestorm::Vector<T>& vector, std::int64_t index) {
  return vector.data[index * vector.stride];
}

template <class T>
T& element(const pagestorm::Matrix<T>& matrix, std::int64_t row, std::int64_t column) {
  return matrix.data[row * matrix.row_stride + column * matrix.col_stride];
}

}  // namespace

pagestorm::Capabilities SimpleBuilder::capabilities() const {
  pagestorm::Capabilities own;
  own.orders = false;            // cells come in one order, whatever order a call asks for
  own.promise.refusals = false;  // shapes are taken on trust
  return own;
}

void SimpleBuilder::enqueue(const pagestorm::Call& call) {
  in_ = call.batch;
  out_ = call.out;
}

void SimpleBuilder::complete() {
  for (std::int64_t row = 0; row < in_.rows; ++row) fill(row, lengths(row).keys);
  if (!applies()) return;
  store_lengths();
  if (in_.full_to_swa.data != nullptr) store_write_slots();
}

SimpleBuilder::Row SimpleBuilder::lengths(std::int64_t row) {
  const std::int64_t given = element(in_.seq_lens, row);
  Row own;
  std::int64_t added = 0;
  if (applies()) {
    const bool fixed = in_.mode == Mode::target_verify || in_.mode == Mode::draft_extend;
    const bool ragged = in_.mode == Mode::ragged_verify;
    if (fixed) own.queries = in_.tokens_per_row;
    if (ragged || (in_.mode == Mode::extend && in_.has_cached_prefix)) {
      own.queries = std::clamp<std::int64_t>(element(in_.extend_seq_lens, row), 0, longest + 1);
      if (element(in_.extend_seq_lens, row) < 0) raise(Status::negative_length);
    }
    if (in_.mode == Mode::draft_decode) added = std::int64_t{in_.draft_step} + 1;
    if (in_.mode == Mode::target_verify || ragged) added = own.queries;
  }
  if (given < 0) raise(Status::negative_length);
  const std::int64_t sum = given < 0 ? 0 : std::min(given, longest + 1) + added;
  if (sum > longest) raise(Status::length_saturated);
  own.keys = std::min(sum, longest);
  if (in_.mode == Mode::extend && !in_.has_cached_prefix) own.queries = own.keys;
  return own;
}

void SimpleBuilder::store_lengths() {
  std::int64_t queries = 0;
  std::int64_t keys = 0;
  element(out_.cu_seqlens_q, 0) = element(out_.cu_seqlens_k, 0) = 0;
  for (std::int64_t row = 0; row < in_.rows; ++row) {
    const Row own = lengths(row);
    queries += own.queries;
    keys += own.keys;
    element(out_.cache_seqlens, row) = static_cast<std::int32_t>(own.keys);
    element(out_.cu_seqlens_q, row + 1) = static_cast<std::int32_t>(std::min(queries, longest));
    element(out_.cu_seqlens_k, row + 1) = static_cast<std::int32_t>(std::min(keys, longest));
    if (queries > longest || keys > longest) raise(Status::sum_saturated);
  }
}

void SimpleBuilder::fill(std::int64_t row, std::int64_t keys) {
  const std::int64_t wanted = (keys + in_.page_size - 1) / in_.page_size;
  const std::int64_t width = out_.page_table.cols;
  if (wanted > width) raise(Status::row_clamped);
  std::int64_t live = std::min(wanted, width);
  if (flaw_ == Flaw::keeps_last_column && live > 1) --live;
  for (std::int64_t column = 0; column < live; ++column) {
    const std::int64_t slot = slot_at(element(in_.req_pool_indices, row), column * in_.page_size);
    const std::int64_t page = slot < 0 ? pagestorm::absent_page : slot / in_.page_size;
    element(out_.page_table, row, column) = static_cast<std::int32_t>(page);
    if (in_.full_to_swa.data == nullptr) continue;
    const std::int64_t swa = translated(slot);
    const std::int64_t swa_page = swa < 0 ? pagestorm::absent_page : swa / in_.page_size;
    element(out_.swa_page_table, row, column) = static_cast<std::int32_t>(swa_page);
  }
}

std::int64_t SimpleBuilder::slot_at(std::int64_t request, std::int64_t position) {
  const bool outside = request < 0 || request >= in_.req_to_token.rows;
  const bool beyond = position >= in_.req_to_token.cols;
  if (outside || beyond) {
    raise(outside ? Status::row_outside_pool : Status::position_outside_row);
    return pagestorm::absent_slot;
  }
  const std::int64_t slot = element(in_.req_to_token, request, position);
  if (slot < 0) raise(Status::absent_slot);
  return slot;
}

std::int64_t SimpleBuilder::translated(std::int64_t slot) {
  if (slot < 0) return pagestorm::absent_slot;
  if (slot < in_.full_to_swa.size) return element(in_.full_to_swa, slot);
  raise(Status::slot_outside_map);
  return pagestorm::absent_slot;
}

void SimpleBuilder::store_write_slots() {
  const std::int64_t room = out_.swa_out_cache_loc.size;
  if (in_.out_cache_loc.size > room) raise(Status::write_slots_clamped);
  for (std::int64_t i = 0; i < room; ++i)
    element(out_.swa_out_cache_loc, i) = i < in_.out_cache_loc.size ? translated(element(in_.out_cache_loc, i)) : 0;
}

}  // namespace example
