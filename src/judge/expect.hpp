#pragma once
// What every output of an `apply` must be, from docs/contract.md alone. Clauses are cited.

#include <cstdint>

#include "job.hpp"
#include "pagestorm/ids.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::judge {

inline constexpr std::int64_t int32_top = INT32_MAX;

/// A number, and the status bits that finding it raises.
struct Count {
  std::int64_t value = 0;
  std::uint32_t status = 0;
};

PAGESTORM_JUDGE_HD std::uint32_t bit(Status status) { return static_cast<std::uint32_t>(status); }

PAGESTORM_JUDGE_HD std::int64_t element(const IntVector& vector, std::int64_t i) {
  if (vector.type == IntType::int64) return static_cast<const std::int64_t*>(vector.data)[i * vector.stride];
  return static_cast<const std::int32_t*>(vector.data)[i * vector.stride];
}

/// `number div page size` of a number that is not negative.
PAGESTORM_JUDGE_HD std::int64_t pages_in(const Job& job, std::int64_t number) {
  if (job.page_shift >= 0) return number >> job.page_shift;
  const auto size = static_cast<std::uint32_t>(job.in.page_size);
  if (number <= UINT32_MAX) return static_cast<std::uint32_t>(number) / size;
  return number / job.in.page_size;
}

/// Pages that hold so many tokens.
PAGESTORM_JUDGE_HD std::int64_t pages_for(const Job& job, std::int64_t tokens) {
  return pages_in(job, tokens + job.in.page_size - 1);
}

/// New tokens of a row, as they are given (C1.4, C4.4).
PAGESTORM_JUDGE_HD Count fresh_tokens(const Batch& in, std::int64_t row) {
  constexpr std::int64_t beyond_any_sum = std::int64_t{1} << 32;
  const std::int64_t fresh = element(in.extend_seq_lens, row);
  if (fresh < 0) return {0, bit(Status::negative_length)};
  return {fresh < beyond_any_sum ? fresh : beyond_any_sum, 0};
}

/// K of a row (C1.1, C4.2, C4.3).
PAGESTORM_JUDGE_HD Count kv_length(const Batch& in, std::int64_t row) {
  const std::int64_t given = element(in.seq_lens, row);
  if (given < 0) return {0, bit(Status::negative_length)};
  std::int64_t added = 0;
  if (in.mode == Mode::draft_decode) added = std::int64_t{in.draft_step} + 1;
  if (in.mode == Mode::target_verify) added = in.tokens_per_row;
  if (in.mode == Mode::ragged_verify) added = fresh_tokens(in, row).value;
  if (given > int32_top - added) return {int32_top, bit(Status::length_saturated)};
  return {given + added, 0};
}

/// Queries of a row that has `keys` (C1.1, C1.4, C4.4).
PAGESTORM_JUDGE_HD Count query_length(const Batch& in, std::int64_t row, std::int64_t keys) {
  switch (in.mode) {
    case Mode::target_verify:
    case Mode::draft_extend: return {in.tokens_per_row, 0};
    case Mode::extend: return in.has_cached_prefix ? fresh_tokens(in, row) : Count{keys, 0};
    case Mode::ragged_verify: return fresh_tokens(in, row);
    default: return {1, 0};
  }
}

/// What a cumulative length holds (C8.3).
PAGESTORM_JUDGE_HD std::int32_t saturated(std::int64_t sum) {
  return static_cast<std::int32_t>(sum > int32_top ? int32_top : sum);
}

/// Live columns of a row (C5.1).
PAGESTORM_JUDGE_HD std::int64_t live_columns(const Job& job, std::int64_t row) {
  const std::int64_t needed = pages_for(job, kv_length(job.in, row).value);
  return needed < job.image.page_table.cols ? needed : job.image.page_table.cols;
}

/// A row of both tables.
struct Row {
  std::int64_t live = 0;
  const std::int32_t* slots = nullptr;  ///< of position 0
  std::int64_t named = 0;               ///< columns that `slots` has a position for; the other live ones are absent
  std::uint32_t status = 0;             ///< bits of the row itself, not of its slots
};

PAGESTORM_JUDGE_HD Row row_of(const Job& job, std::int64_t r) {
  const Matrix<const std::int32_t>& slots = job.in.req_to_token;
  const Count keys = kv_length(job.in, r);
  const std::int64_t needed = pages_for(job, keys.value);
  const std::int64_t width = job.image.page_table.cols;
  Row row{.live = needed, .status = keys.status};
  if (needed > width) {
    row.live = width;
    row.status |= bit(Status::row_clamped);  // C5.2
  }
  if (row.live == 0) return row;
  const std::int64_t owner = element(job.in.req_pool_indices, r);
  if (owner < 0 || owner >= slots.rows) {
    row.status |= bit(Status::row_outside_pool);  // C7.2
    return row;
  }
  const std::int64_t has = pages_for(job, slots.cols);
  row.slots = slots.data + owner * slots.row_stride;
  row.named = has < row.live ? has : row.live;
  if (has < row.live) row.status |= bit(Status::position_outside_row);  // C7.3
  return row;
}

/// Elements of req_to_token between the first slots of neighbouring pages.
PAGESTORM_JUDGE_HD std::int64_t slots_apart(const Job& job) {
  return job.in.page_size * job.in.req_to_token.col_stride;
}

/// The slot that column `c` names; -1 where it names none (C6.1, C7).
PAGESTORM_JUDGE_HD std::int32_t slot_of(const Job& job, const Row& row, std::int64_t c) {
  return c < row.named ? row.slots[c * slots_apart(job)] : -1;
}

/// The page of a slot in page_table (C6.2, C7.1).
PAGESTORM_JUDGE_HD std::int32_t page_of(const Job& job, std::int32_t slot) {
  return slot < 0 ? absent_page : static_cast<std::int32_t>(pages_in(job, slot));
}

/// What the map says of a slot; -1 for one that is absent or beyond it, the latter with a status bit (C6.5, C7.1, C9.2).
PAGESTORM_JUDGE_HD Count mapped(const Job& job, std::int64_t slot) {
  if (slot < 0) return {-1, 0};
  if (slot >= job.in.full_to_swa.size) return {-1, bit(Status::slot_outside_map)};
  return {element(job.in.full_to_swa, slot), 0};
}

/// The page of what the map says, in swa_page_table (C6.3 to C6.5).
PAGESTORM_JUDGE_HD std::int32_t swa_page_of(const Job& job, std::int64_t swa_slot) {
  return swa_slot < 0 ? absent_page : static_cast<std::int32_t>(pages_in(job, swa_slot));
}

/// Element `e` of swa_out_cache_loc (C9.1 to C9.3).
PAGESTORM_JUDGE_HD Count write_slot(const Job& job, std::int64_t e) {
  if (e >= job.in.out_cache_loc.size) return {0, 0};
  return mapped(job, element(job.in.out_cache_loc, e));
}

}  // namespace pagestorm::judge
