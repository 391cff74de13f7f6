#include "edge_inputs.hpp"

#include <algorithm>

#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t int32_limit = INT32_MAX;

}  // namespace

FlashEdgeInputs::FlashEdgeInputs(std::uint64_t seed) : rng_(seed) {
  draw_scalars();
  draw_shapes();
  draw_vectors();
  draw_slots();
  draw_mask();
}

void FlashEdgeInputs::draw_scalars() {
  in_.op = static_cast<FlashOp>(rng_.below(flash_op_count));
  in_.page_size = static_cast<std::int32_t>(one_of({1, 1, 2, 3, 4, 4, 7, 16, page_size_max, 1 + up_to(63)}));
  in_.rows = up_to(4);
  in_.branches = static_cast<std::int32_t>(1 + up_to(3));
  in_.draft_steps = static_cast<std::int32_t>(1 + up_to(once_in(4) ? 20 : 4));
  in_.draft_step = static_cast<std::int32_t>(up_to(in_.draft_steps - 1));
  // A word of what a draft token sees has 64 bits.
  in_.tokens_per_row =
      static_cast<std::int32_t>(verifies() && once_in(8) ? one_of({63, 64, 65, 127, 128, 129}) : 1 + up_to(5));
  in_.window = static_cast<std::int32_t>(one_of({0, 0, 1, 2, 1 + up_to(20), 1 + up_to(20), int32_limit}));
  in_.chunk = static_cast<std::int32_t>(in_.page_size * (1 + up_to(3)));
  huge_ = once_in(6);
  if (huge_) in_.chunk = static_cast<std::int32_t>(int32_limit / in_.page_size * in_.page_size);
  if (is(FlashOp::schedule)) in_.chunk = static_cast<std::int32_t>(one_of({1, 2, 1 + up_to(40), int32_limit}));
  in_.whole_mask = once_in(2);
}

void FlashEdgeInputs::draw_shapes() {
  pool_rows_ = 1 + up_to(3);
  columns_ = once_in(10) ? 0 : up_to(40);
  width_ = once_in(10) ? 0 : up_to(is(FlashOp::merged_verify) || once_in(3) ? 40 : 8);
  if (in_.tokens_per_row > 60 && once_in(2)) width_ = one_of({63, 64, 65, 150});
  if (is(FlashOp::schedule)) width_ = 0;
  map_size_ = 1 + up_to(once_in(2) ? 8 : 60);
  room_ = is(FlashOp::local_blocks) ? up_to(9) : in_.rows * members_of(in_) + (once_in(4) ? up_to(2) : 0);
  schedule_ = schedule_size(in_.rows) + (once_in(2) ? up_to(5) : 0);
  vector_step_ = stride();
  table_step_ = stride();
  table_row_ = width_ * table_step_ + up_to(3);
}

std::int64_t FlashEdgeInputs::length() {
  const std::int64_t page = in_.page_size, chunk = in_.chunk;
  if (huge_) return one_of({0, 0, 1, int32_limit - 1, int32_limit});
  if (!once_in(odd_lengths_)) return up_to(once_in(3) ? 3 * page : 20);
  return one_of({-2,
                 -1,
                 0,
                 1,
                 page - 1,
                 page,
                 page + 1,
                 chunk - 1,
                 chunk,
                 chunk + 1,
                 2 * chunk,
                 width_ - 1,
                 width_,
                 width_ + 1,
                 columns_,
                 columns_ + 1,
                 std::int64_t{in_.window} + 1,
                 int32_limit - 2,
                 int32_limit - 1,
                 int32_limit,
                 int32_limit + 1,
                 2 * int32_limit + 7});
}

std::int64_t FlashEdgeInputs::slot() {
  if (!once_in(odd_slots_)) return up_to(map_size_ - 1);
  return one_of({-2, -1, 0, 1, map_size_ - 1, map_size_, map_size_ + 1, int32_limit, int32_limit - up_to(9000)});
}

std::int64_t FlashEdgeInputs::entry() {
  if (!once_in(odd_entries_)) return up_to(5000);
  return one_of({-2, -1, 0, 1, in_.page_size - 1, in_.page_size, int32_limit - 1, int32_limit});
}

void FlashEdgeInputs::draw_vectors() {
  odd_slots_ = static_cast<std::uint64_t>(one_of({2, 10, 60, 1'000'000}));
  odd_entries_ = static_cast<std::uint64_t>(one_of({2, 10, 60, 1'000'000}));
  odd_lengths_ = static_cast<std::uint64_t>(one_of({1, 2, 6, 1'000'000}));
  const auto column = [&](Column& column, std::int64_t size, auto draw) {
    Numbers values(static_cast<std::size_t>(size));
    for (std::int64_t& value : values) value = draw();
    column.lay_out(values, once_in(2), stride());
  };
  column(indices_, in_.rows, [&] { return once_in(6) ? one_of({-1, pool_rows_}) : up_to(pool_rows_ - 1); });
  column(lengths_, in_.rows, [&] { return length(); });
  column(queries_, in_.rows, [&] { return !huge_ && once_in(2) ? up_to(6) : length(); });
  column(prompts_, in_.rows, [&] { return once_in(2) ? up_to(6) : length(); });
  const std::int64_t drafts = verifies() ? in_.tokens_per_row : in_.branches * in_.draft_steps;
  column(locations_, in_.rows * drafts + (once_in(4) ? 1 : 0), [&] { return slot(); });
  column(map_, map_size_, [&] { return entry(); });
  in_.req_pool_indices = indices_.view;
  in_.seq_lens = lengths_.view;
  if (!once_in(3)) in_.query_lens = queries_.view;
  in_.prompt_lens = prompts_.view;
  in_.out_cache_loc = locations_.view;
  if (!once_in(3)) in_.full_to_swa = map_.view;
}

void FlashEdgeInputs::draw_slots() {
  const std::int64_t step = stride();
  const std::int64_t row = columns_ * step + up_to(3);
  slots_.resize(static_cast<std::size_t>(pool_rows_ * row + 1));
  for (std::int32_t& value : slots_) value = static_cast<std::int32_t>(slot());
  in_.req_to_token = {slots_.data(), pool_rows_, columns_, row, step};
}

void FlashEdgeInputs::draw_mask() {
  const std::int64_t n = in_.tokens_per_row;
  std::int64_t size = in_.rows * n * n;
  for (std::int64_t row = 0; row < in_.rows && in_.whole_mask && verifies(); ++row) {
    const void* data = lengths_.view.data;
    const std::int64_t at = row * lengths_.view.stride;
    const std::int64_t length = lengths_.view.type == IntType::int64 ? static_cast<const std::int64_t*>(data)[at]
                                                                     : static_cast<const std::int32_t*>(data)[at];
    size += n * std::clamp<std::int64_t>(length, 0, 200);
  }
  if (in_.whole_mask && once_in(3)) size = once_in(2) ? up_to(size) : std::max<std::int64_t>(size - 1, 0);
  const std::int64_t step = stride();
  const std::uint64_t seen = static_cast<std::uint64_t>(one_of({1, 2, 2, 4}));
  mask_.assign(static_cast<std::size_t>(size * step + 1), 0);
  for (std::uint8_t& element : mask_)
    if (once_in(seen)) element = static_cast<std::uint8_t>(one_of({1, 1, 2, 128, 255}));
  in_.tree_mask = {mask_.data(), size, step};
}

}  // namespace pagestorm::sim
