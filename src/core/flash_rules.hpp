#pragma once
// The decisions of the FlashAttention family, one function each: what is right, and where a fault can bend one of them.

#include <cstdint>

#include "hd.hpp"
#include "page_size.hpp"
#include "pagestorm/flash.hpp"

namespace pagestorm::core {

/// The contract. Stateless; src/fault derives from it.
struct FlashSound {
  /// Whether the old content of a cell may matter. Never, in the contract.
  static constexpr bool reads_old = false;

  /// Tokens of the prefix that a branch has in its first page, of `tail` that are there.
  PAGESTORM_HD std::int64_t tail(std::int64_t tail) const { return tail; }
  PAGESTORM_HD std::int64_t prefix(std::int64_t length, std::int64_t tail) const { return length - tail; }
  /// Columns that a branch has, of `columns` that its keys need and `width` that there are.
  PAGESTORM_HD std::int64_t branch_columns(const FlashBatch&, std::int64_t, std::int64_t columns,
                                           std::int64_t width) const {
    return columns < width ? columns : width;
  }
  /// The step whose slot names a column, `ahead` tokens after the branch's first; a page may begin before that.
  PAGESTORM_HD std::int64_t step(std::int64_t ahead) const { return ahead < 0 ? 0 : ahead; }
  /// Whether the table of SWA layers names slots of their own pool.
  PAGESTORM_HD bool translates() const { return true; }
  PAGESTORM_HD std::int32_t branch_page(std::int32_t page, std::int64_t) const { return page; }

  PAGESTORM_HD bool sees(std::int64_t, std::int64_t, bool seen) const { return seen; }
  PAGESTORM_HD bool reads_unseen() const { return false; }
  /// Elements of the tree mask before those of row `row`, which has `own`: all that earlier rows have.
  PAGESTORM_HD std::int64_t mask_before(std::int64_t before, std::int64_t, std::int64_t) const { return before; }

  /// Keys of a draft token that sees `seen` of its kind after `length` tokens.
  PAGESTORM_HD std::int64_t merged_keys(std::int64_t length, std::int64_t seen, std::int64_t window) const {
    const std::int64_t all = length + seen;
    return window > 0 && window < all ? window : all;
  }

  PAGESTORM_HD std::int64_t chunk(const FlashBatch& batch, std::int64_t) const { return batch.chunk; }
  /// Where the chunks of a row begin to be counted.
  PAGESTORM_HD std::int64_t origin(std::int64_t, std::int64_t) const { return 0; }
  PAGESTORM_HD std::int64_t local_position(std::int64_t first, std::int64_t column, PageSize size) const {
    return first + column * size.tokens;
  }
  PAGESTORM_HD bool divides(const FlashBatch&) const { return true; }
  PAGESTORM_HD std::int64_t prompt(std::int64_t tokens) const { return tokens; }
  /// Whether the decoder's tokens begin where the longest encoder of the batch ends, not the row's own.
  PAGESTORM_HD bool takes_longest_encoder() const { return false; }
  PAGESTORM_HD std::int64_t text_keys(std::int64_t text, std::int64_t) const { return text; }
  /// Keys that a row's splits are counted of.
  PAGESTORM_HD std::int64_t scheduled(std::int64_t keys) const { return keys; }
  PAGESTORM_HD bool zeroes_schedule() const { return true; }
  PAGESTORM_HD bool empties_rest() const { return true; }
  /// Puts bits into the status word.
  template <class Memory>
  PAGESTORM_HD void raise(const Memory& memory, std::uint32_t* status, std::uint32_t bits) const {
    memory.raise(status, bits);
  }
  /// True where the length of an expanded row is left as it is; asked only when reads_old.
  template <class Memory>
  PAGESTORM_HD bool keeps_keys(const Memory&, const std::int32_t*, std::int64_t) const {
    return false;
  }
};

}  // namespace pagestorm::core
