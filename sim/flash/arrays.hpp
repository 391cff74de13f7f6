#pragma once
// What an engine hands to an operation of the FlashAttention family, written from a forward pass of the world.

#include <cstdint>

#include "../inputs.hpp"
#include "asks.hpp"

namespace pagestorm::sim {

/// The arrays of an operation, in the annex of the inputs, laid out as the scenario says. Elements after the last one in
/// use are hostile.
class FlashArrays {
 public:
  /// Bytes that a scenario needs of the annex.
  static std::int64_t bytes(const Config& config);

  /// `inputs` were laid out for the scenario and must outlive the use.
  void start(const Config& config, Inputs& inputs);

  /// Writes the arrays of one operation and returns it. The forward must be staged already.
  FlashBatch stage(const Ask& ask, const Forward& forward);

  /// Sets every length to 0 until the next stage(): what a host would read too early. Not noted as a change.
  void blank_lengths(std::int64_t rows);

 private:
  struct Array {
    std::int64_t offset = 0;  ///< bytes from the start of the annex
    IntType type = IntType::int32;
    std::int64_t capacity = 0;
  };
  struct Plan {
    Array lengths, queries, prompts, slots;
    std::int64_t mask = 0;           ///< where it begins
    std::int64_t mask_capacity = 0;  ///< elements
    std::int64_t bytes = 0;
  };

  static Plan plan_of(const Config& config);
  void put(const Array& array, std::int64_t index, std::int64_t value);
  IntVector seal(const Array& array, std::int64_t used);
  std::int64_t slot(const ForwardRow& row, std::int64_t position) const;
  IntVector stage_branches(const Forward& forward);
  IntVector stage_draft_tokens(const Forward& forward);
  Vector<const std::uint8_t> stage_mask(const Forward& forward);
  void stage_lines(const ForwardRow& row, std::uint8_t* line, std::int64_t prefix);
  void stage_local(const Forward& forward, FlashBatch& batch);

  Config config_;
  Inputs* inputs_ = nullptr;
  Plan plan_;
};

}  // namespace pagestorm::sim
