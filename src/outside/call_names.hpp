#pragma once
// What the names in a kernel file stand for, of one call.

#include <cstdint>
#include <string_view>

#include "pagestorm/abi.h"

namespace pagestorm::outside {

/// The tensor of that name (as in pagestorm/abi.h); null when there is none.
const pagestorm_tensor* tensor_named(const pagestorm_batch& batch, const pagestorm_metadata& out,
                                     std::string_view name);

/// The value of a name: mode, draft_step, tokens_per_row, has_cached_prefix, page_size, rows; width, columns of page_table;
/// added, what the mode adds to every length (docs/contract.md, "Modes"; 0 where rows differ); queries,
/// of every row (1 where rows differ); swa, 1 with full_to_swa, else 0; and
/// of a tensor T: T.shape0, T.shape1, T.stride0, T.stride1 (0 where absent) and T.present. Throws ExpressionError.
std::int64_t value_named(const pagestorm_batch& batch, const pagestorm_metadata& out, std::string_view name);

}  // namespace pagestorm::outside
