#pragma once
// Which operations of the FlashAttention family a forward pass asks for, and how large their outputs are.

#include <cstdint>
#include <string>
#include <vector>

#include "../forward.hpp"
#include "../scenario.hpp"
#include "pagestorm/flash.hpp"

namespace pagestorm::sim {

/// One operation for one kind of layers.
struct Ask {
  FlashOp op = FlashOp::draft_expand;
  bool swa = false;  ///< the table is for SWA layers

  bool operator==(const Ask&) const = default;
};

/// "draft_expand", "merged_verify", ...
std::string_view name_of(FlashOp op);

/// In the order in which they are made; none where the scenario is of another family.
std::vector<Ask> asks_of(const Config& config, const Forward& forward);

/// Room for expanded rows, and columns of the table. Shapes alone decide: what rows hold does not.
struct AskShape {
  std::int64_t rows = 0;      ///< of the batch
  std::int64_t room = 0;      ///< expanded rows
  std::int64_t width = 0;     ///< columns
  std::int64_t schedule = 0;  ///< elements; those of the largest batch
};

AskShape shape_of(const Ask& ask, const Config& config, const Forward& forward);

/// The same where the batch is the largest of the scenario: what a captured graph has its buffers for.
AskShape capacity_of(const Ask& ask, const Config& config, const Forward& forward);

}  // namespace pagestorm::sim
