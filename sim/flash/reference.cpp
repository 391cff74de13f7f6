#include "reference.hpp"

#include <algorithm>

#include "../fa/draft_branches.hpp"
#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_max = INT32_MAX;

std::int64_t element(const IntVector& vector, std::int64_t i) {
  if (vector.type == IntType::int64) return static_cast<const std::int64_t*>(vector.data)[i * vector.stride];
  return static_cast<const std::int32_t*>(vector.data)[i * vector.stride];
}

std::int32_t at_most_int32(std::int64_t value) { return static_cast<std::int32_t>(std::min(value, int32_max)); }

}  // namespace

void FlashReference::compute(const FlashBatch& batch, std::int64_t room, std::int64_t width, std::int64_t schedule) {
  batch_ = batch;
  room_ = room;
  width_ = width;
  total_q_ = total_k_ = 0;
  status_ = 0;
  for (auto* list : {&prefixes_, &keys_}) list->clear();
  owners_.clear();
  reads_ = {};
  tables_.clear();
  sum_q_ = {0};
  sum_k_ = {0};
  schedule_.assign(static_cast<std::size_t>(schedule), 0);
  std::int64_t line = 0;
  for (std::int64_t row = 0; row < batch.rows; ++row) switch (batch.op) {
      case FlashOp::draft_expand: branches(row); break;
      case FlashOp::verify_expand:
      case FlashOp::merged_verify: tree(row, line); break;
      case FlashOp::local_blocks: blocks(row); break;
      case FlashOp::prompt_window: prompt(row); break;
      case FlashOp::encoder_table:
      case FlashOp::text_table: crossed(row); break;
      case FlashOp::schedule: scheduled(row); break;
    }
  if (batch.op != FlashOp::local_blocks) return;
  while (rows() < room) add(-1, 0, 0, {});
}

std::int64_t FlashReference::length(std::int64_t given, bool& negative) {
  negative = given < 0;
  flag(negative, Status::negative_length);
  flag(given > int32_max, Status::length_saturated);
  return std::clamp<std::int64_t>(given, 0, int32_max);
}

void FlashReference::branches(std::int64_t row) {
  bool negative = false;
  const std::int64_t length = this->length(element(batch_.seq_lens, row), negative);
  const fa::BranchLayout layout = fa::branch_layout(length, {batch_.page_size, batch_.branches, batch_.draft_steps});
  prefixes_.push_back(static_cast<std::int32_t>(layout.base));
  for (std::int64_t branch = 0; branch < batch_.branches; ++branch) {
    if (negative) {
      add(row, 0, 1, {});
      continue;
    }
    // A column for each page that a token up to the step begins, or that the branch itself begins in.
    std::vector<Key> columns;
    for (std::int64_t step = 0; step <= batch_.draft_step; ++step)
      if (step == 0 || (layout.tail + step) % batch_.page_size == 0)
        columns.push_back({.token = (row * batch_.branches + branch) * batch_.draft_steps + step});
    add(row, layout.tail + batch_.draft_step + 1, 1, columns);
  }
}

// `line` is the element at which the lines of the row begin; it goes on to those of the next.
void FlashReference::tree(std::int64_t row, std::int64_t& line) {
  bool negative = false;
  const std::int64_t n = batch_.tokens_per_row;
  const std::int64_t length = this->length(element(batch_.seq_lens, row), negative);
  const std::int64_t skipped = batch_.whole_mask ? length : 0;
  for (std::int64_t j = 0; j < n; ++j, line += n) {
    line += skipped;
    if (keeps_reads_ && !negative) reads_.lines.push_back(line);
    std::vector<Key> seen;
    for (std::int64_t t = 0; t < n && !negative; ++t) {
      flag(line + t >= batch_.tree_mask.size, Status::mask_outside);
      if (line + t < batch_.tree_mask.size && batch_.tree_mask.data[(line + t) * batch_.tree_mask.stride] != 0)
        seen.push_back({.token = row * n + t});
    }
    if (batch_.op == FlashOp::verify_expand || negative) {
      add(row, static_cast<std::int64_t>(seen.size()), 1, seen);
      continue;
    }
    const std::int64_t all = length + static_cast<std::int64_t>(seen.size());
    const std::int64_t keys = batch_.window > 0 ? std::min<std::int64_t>(all, batch_.window) : all;
    std::vector<Key> columns;
    for (std::int64_t key = all - keys; key < all && static_cast<std::int64_t>(columns.size()) < width_; ++key)
      columns.push_back(key < length ? Key{.position = key} : seen[static_cast<std::size_t>(key - length)]);
    add(row, keys, 1, columns);
  }
}

void FlashReference::blocks(std::int64_t row) {
  bool negative = false;
  const std::int64_t keys = length(element(batch_.seq_lens, row), negative);
  const bool given = batch_.query_lens.data != nullptr;
  const std::int64_t asked = given ? length(element(batch_.query_lens, row), negative) : batch_.tokens_per_row;
  flag(asked > keys, Status::queries_clamped);
  const std::int64_t queries = std::min(asked, keys);
  // Chunk by chunk, as far as there is room and one further: a row may claim to be very long.
  std::int64_t query = keys - queries;
  while (query < keys && rows() <= room_) {
    const std::int64_t first = query / batch_.chunk * batch_.chunk;
    const std::int64_t stop = std::min(first + batch_.chunk, keys);
    flag(rows() == room_, Status::rows_clamped);
    if (rows() == room_) return;
    std::vector<Key> columns;
    for (std::int64_t position = first; position < stop && static_cast<std::int64_t>(columns.size()) < width_;
         position += batch_.page_size)
      columns.push_back({.position = position});
    add(row, stop - first, stop - query, columns);
    query = stop;
  }
}

void FlashReference::prompt(std::int64_t row) {
  bool negative = false;
  const std::int64_t length = this->length(element(batch_.seq_lens, row), negative);
  if (negative) return add(row, 0, 1, {});
  const std::int64_t given = element(batch_.prompt_lens, row);
  flag(given < 0, Status::negative_length);
  const std::int64_t kept = std::clamp<std::int64_t>(given, 0, length);
  const std::int64_t window = batch_.window > 0 ? batch_.window : length;
  std::vector<Key> columns;
  std::int64_t keys = 0;
  const std::int64_t from = std::max(kept, length - window);
  for (std::int64_t position = 0; position < kept && keys < width_; ++position, ++keys)
    columns.push_back({.position = position});
  for (std::int64_t position = from; position < length && keys < width_; ++position, ++keys)
    columns.push_back({.position = position});
  add(row, kept + length - from, 1, columns);
}

// A request row is the encoder's tokens, then the decoder's.
void FlashReference::crossed(std::int64_t row) {
  bool negative = false;
  const std::int64_t text = length(element(batch_.seq_lens, row), negative);
  if (negative) return add(row, 0, 1, {});
  const std::int64_t encoder = length(element(batch_.prompt_lens, row), negative);
  const bool self = batch_.op == FlashOp::text_table;
  const std::int64_t keys = self ? text : encoder;
  std::vector<Key> columns;
  for (std::int64_t key = 0; key < std::min(keys, width_); ++key)
    columns.push_back({.position = self ? encoder + key : key});
  add(row, keys, 1, columns);
}

void FlashReference::scheduled(std::int64_t row) {
  bool negative = false;
  const std::int64_t keys = length(element(batch_.seq_lens, row), negative);
  // The splits that begin before the last key, and the one that it is in.
  const std::int64_t splits = keys == 0 ? 0 : (keys - 1) / batch_.chunk + 1;
  schedule_[static_cast<std::size_t>(row) + 1] = static_cast<std::int32_t>(splits);
  add(row, keys, 1, {});
}

void FlashReference::add(std::int64_t row, std::int64_t keys, std::int64_t queries, const std::vector<Key>& columns) {
  flag(keys > int32_max, Status::length_saturated);
  keys = std::min(keys, int32_max);
  total_q_ += queries;
  total_k_ += keys;
  flag(row >= 0 && std::max(total_q_, total_k_) > int32_max, Status::sum_saturated);
  owners_.push_back(row);
  keys_.push_back(static_cast<std::int32_t>(keys));
  sum_q_.push_back(at_most_int32(total_q_));
  sum_k_.push_back(at_most_int32(total_k_));
  const std::int64_t wanted = names_slots(batch_.op) ? keys : (keys + batch_.page_size - 1) / batch_.page_size;
  flag(wanted > width_ && batch_.op != FlashOp::schedule, Status::row_clamped);
  auto& cells = tables_.emplace_back();
  for (const Key& key : columns)
    if (static_cast<std::int64_t>(cells.size()) < width_) cells.push_back(name(row, key));
}

std::int32_t FlashReference::name(std::int64_t row, const Key& key) {
  std::int64_t slot = absent_slot;
  if (key.position < 0) {
    if (keeps_reads_) reads_.tokens.push_back(key.token);
    slot = element(batch_.out_cache_loc, key.token);
    flag(slot < 0, Status::absent_slot);
  } else {
    const Matrix<const std::int32_t>& slots = batch_.req_to_token;
    const std::int64_t pool_row = element(batch_.req_pool_indices, row);
    const bool outside = pool_row < 0 || pool_row >= slots.rows;
    const bool past = !outside && key.position >= slots.cols;
    flag(outside, Status::row_outside_pool);
    flag(past, Status::position_outside_row);
    const std::int64_t cell = pool_row * slots.row_stride + key.position * slots.col_stride;
    if (keeps_reads_ && !outside && !past) reads_.cells.push_back(cell);
    if (!outside && !past) slot = slots.data[cell];
    flag(!outside && !past && slot < 0, Status::absent_slot);
  }
  if (slot < 0) return absent_page;
  if (batch_.full_to_swa.data != nullptr) {
    flag(slot >= batch_.full_to_swa.size, Status::slot_outside_map);
    if (slot >= batch_.full_to_swa.size) return absent_page;
    if (keeps_reads_) reads_.slots.push_back(slot);
    slot = element(batch_.full_to_swa, slot);
    if (slot < 0) return absent_page;
  }
  return static_cast<std::int32_t>(names_slots(batch_.op) ? slot : slot / batch_.page_size);
}

}  // namespace pagestorm::sim
