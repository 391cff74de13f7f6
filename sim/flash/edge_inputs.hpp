#pragma once
// The inputs of an edge call of the FlashAttention family, drawn from a seed.

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "../edge_column.hpp"
#include "../rng.hpp"
#include "pagestorm/flash.hpp"

namespace pagestorm::sim {

/// A batch of up to four rows, the memory that it views, and the shapes of the outputs that it asks for.
class FlashEdgeInputs {
 public:
  explicit FlashEdgeInputs(std::uint64_t seed);
  FlashEdgeInputs(const FlashEdgeInputs&) = delete;
  FlashEdgeInputs& operator=(const FlashEdgeInputs&) = delete;

  const FlashBatch& batch() const { return in_; }
  std::int64_t room() const { return room_; }          ///< expanded rows
  std::int64_t width() const { return width_; }        ///< columns of the table; 0 of a schedule
  std::int64_t schedule() const { return schedule_; }  ///< elements, whatever the operation
  std::int64_t vector_step() const { return vector_step_; }
  std::int64_t table_step() const { return table_step_; }
  std::int64_t table_row() const { return table_row_; }

 private:
  std::int64_t one_of(std::initializer_list<std::int64_t> values) { return values.begin()[rng_.below(values.size())]; }
  bool once_in(std::uint64_t n) { return rng_.below(n) == 0; }
  std::int64_t up_to(std::int64_t most) {
    return static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(most) + 1));
  }
  std::int64_t stride() { return once_in(3) ? 2 : 1; }

  void draw_scalars();
  void draw_shapes();
  void draw_vectors();
  void draw_slots();
  void draw_mask();
  std::int64_t length();
  std::int64_t slot();
  std::int64_t entry();
  bool is(FlashOp op) const { return in_.op == op; }
  bool verifies() const { return is(FlashOp::verify_expand) || is(FlashOp::merged_verify); }

  Rng rng_;
  FlashBatch in_;
  std::int64_t room_ = 0, width_ = 0, schedule_ = 0;
  std::int64_t vector_step_ = 1, table_step_ = 1, table_row_ = 0;
  std::int64_t pool_rows_ = 1, columns_ = 0, map_size_ = 1;
  std::uint64_t odd_slots_ = 2, odd_entries_ = 2, odd_lengths_ = 2;  ///< one in so many
  Column indices_, lengths_, queries_, prompts_, locations_, map_;
  bool huge_ = false;  ///< lengths are about as long as they can be, and so are chunks
  std::vector<std::int32_t> slots_;
  std::vector<std::uint8_t> mask_;
};

}  // namespace pagestorm::sim
