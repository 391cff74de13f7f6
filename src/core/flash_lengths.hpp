#pragma once
// How many rows the FlashAttention family makes of a row, and how long they are.

#include <cstdint>

#include "flash_bits.hpp"
#include "flash_rules.hpp"
#include "hd.hpp"
#include "memory.hpp"
#include "page_size.hpp"
#include "pagestorm/flash.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::core {

/// A length as given, made fit for use.
struct FlashLength {
  std::int64_t tokens = 0;  ///< 0 to INT32_MAX
  bool negative = false;
  std::uint32_t status = 0;
};

/// What rows have in all: of a row its own, or of all rows before one.
struct FlashShare {
  std::int64_t rows = 0;  ///< expanded rows
  std::int64_t mask = 0;  ///< elements of the tree mask

  PAGESTORM_HD void add(const FlashShare& other) {
    rows += other.rows;
    mask += other.mask;
  }
};

/// One expanded row.
struct FlashRow {
  std::int64_t keys = 0;     ///< K, 0 to INT32_MAX
  std::int64_t queries = 0;  ///< likewise
  std::int64_t first = 0;    ///< position of the first key, where keys are not all of the row
  std::uint32_t status = 0;
};

template <class MemoryPolicy, class Rules>
struct FlashLengths {
  using Memory = MemoryPolicy;

  FlashBatch in;
  FlashMetadata out;
  PageSize size;
  Memory memory;
  Rules rules;

  PAGESTORM_HD std::int64_t load(const IntVector& vector, std::int64_t index) const {
    const std::int64_t at = index * vector.stride;
    if (vector.type == IntType::int64) return memory.load(static_cast<const std::int64_t*>(vector.data) + at);
    return memory.load(static_cast<const std::int32_t*>(vector.data) + at);
  }

  PAGESTORM_HD static FlashLength fit(std::int64_t given) {
    const bool negative = given < 0;
    const bool long_one = given > INT32_MAX;
    return {.tokens = negative   ? 0
                      : long_one ? std::int64_t{INT32_MAX}
                                 : given,
            .negative = negative,
            .status = bits_if(negative, Status::negative_length) | bits_if(long_one, Status::length_saturated)};
  }
  PAGESTORM_HD FlashLength length(std::int64_t row) const { return fit(load(in.seq_lens, row)); }

  PAGESTORM_HD bool verifies() const { return in.op == FlashOp::verify_expand || in.op == FlashOp::merged_verify; }
  /// Columns of a line of the tree mask before those of the draft tokens.
  PAGESTORM_HD std::int64_t skipped(std::int64_t length) const { return in.whole_mask ? length : 0; }

  /// Whether what earlier rows have depends on contents.
  PAGESTORM_HD bool shares_vary() const { return in.op == FlashOp::local_blocks || (verifies() && in.whole_mask); }

  /// What a row has.
  PAGESTORM_HD FlashShare share(std::int64_t row) const {
    if (in.op == FlashOp::local_blocks) return {blocks(row).count, 0};
    FlashShare own{members_of(in), 0};
    if (!verifies()) return own;
    const std::int64_t n = in.tokens_per_row;
    own.mask = n * ((in.whole_mask ? length(row).tokens : 0) + n);
    return own;
  }

  /// What all rows before one have, where that is the same for each of them.
  PAGESTORM_HD FlashShare shares_before(std::int64_t row) const {
    const std::int64_t n = in.tokens_per_row;
    return {row * members_of(in), verifies() ? row * n * n : 0};
  }

  /// Member `member` of a row, given what all rows before it have. All lanes of the row ask together.
  PAGESTORM_HD FlashRow row_of(std::int64_t row, std::int64_t member, const FlashShare& before, Lane lane = {}) const {
    const FlashLength own = length(row);
    if (in.op == FlashOp::local_blocks) return block(row, member);
    FlashRow result{.queries = 1, .status = own.status};
    if (own.negative) return result;
    switch (in.op) {
      case FlashOp::draft_expand: result.keys = rules.tail(own.tokens % size.tokens) + in.draft_step + 1; break;
      case FlashOp::verify_expand: result.keys = seen_by(row, member, own, before, lane, result.status); break;
      case FlashOp::merged_verify: {
        const std::int64_t seen = seen_by(row, member, own, before, lane, result.status);
        result.keys = rules.merged_keys(own.tokens, seen, in.window);
        result.first = own.tokens + seen - result.keys;
        break;
      }
      case FlashOp::prompt_window: {
        const std::int64_t kept = prompt(row, own, result.status);
        const std::int64_t rest = own.tokens - kept;
        result.keys = kept + (in.window > 0 && in.window < rest ? in.window : rest);
        result.first = own.tokens - result.keys;
        break;
      }
      case FlashOp::encoder_table: result.keys = encoder(row, result.status); break;
      case FlashOp::text_table: {
        const std::int64_t own_encoder = encoder(row, result.status);
        result.first = text_start(own_encoder);
        result.keys = rules.text_keys(own.tokens, own_encoder);
        break;
      }
      case FlashOp::schedule: result.keys = own.tokens; break;
      case FlashOp::local_blocks: break;
    }
    if (result.keys <= INT32_MAX) return result;
    result.keys = INT32_MAX;
    result.status |= bits_if(true, Status::length_saturated);
    return result;
  }

  /// Tokens of the prompt that a row's window keeps.
  PAGESTORM_HD std::int64_t prompt(std::int64_t row, const FlashLength& own, std::uint32_t& status) const {
    const std::int64_t given = load(in.prompt_lens, row);
    status |= bits_if(given < 0, Status::negative_length);
    return rules.prompt(given < 0 ? 0 : given < own.tokens ? given : own.tokens);
  }

  /// Tokens of the encoder that a row begins with.
  PAGESTORM_HD std::int64_t encoder(std::int64_t row, std::uint32_t& status) const {
    const FlashLength given = fit(load(in.prompt_lens, row));
    status |= given.status;
    return given.tokens;
  }

  /// The position of the decoder's first token.
  PAGESTORM_HD std::int64_t text_start(std::int64_t own_encoder) const {
    if (!rules.takes_longest_encoder()) return own_encoder;
    std::int64_t longest = own_encoder;
    std::uint32_t ignored = 0;
    for (std::int64_t row = 0; row < in.rows; ++row) {
      const std::int64_t tokens = encoder(row, ignored);
      if (tokens > longest) longest = tokens;
    }
    return longest;
  }

  /// Where the line of a draft token begins, behind the columns of the prefix.
  PAGESTORM_HD std::int64_t line(std::int64_t row, std::int64_t member, const FlashLength& own,
                                 const FlashShare& before) const {
    const std::int64_t n = in.tokens_per_row;
    const std::int64_t columns = skipped(own.tokens) + n;
    return rules.mask_before(before.mask, row, n * columns) + member * columns + skipped(own.tokens);
  }

  /// Whether draft token `member` sees `token`; `line` is its own. An element that is not there says no.
  PAGESTORM_HD bool sees(std::int64_t line, std::int64_t member, std::int64_t token, std::uint32_t& status) const {
    const std::int64_t at = line + token;
    const bool outside = at >= in.tree_mask.size;
    status |= bits_if(outside, Status::mask_outside);
    const bool seen = !outside && memory.load(in.tree_mask.data + at * in.tree_mask.stride) != 0;
    return rules.sees(member, token, seen);
  }

  PAGESTORM_HD std::int64_t seen_by(std::int64_t row, std::int64_t member, const FlashLength& own,
                                    const FlashShare& before, Lane lane, std::uint32_t& status) const {
    const std::int64_t from = line(row, member, own, before);
    std::int64_t seen = 0;
    for (std::int64_t token = 0; token < in.tokens_per_row; token += bits)
      seen += ones(seen_from(from, member, token, lane, status));
    return seen;
  }

  static constexpr std::int64_t bits = 64;

  /// Which of the next 64 draft tokens from `first` on a draft token sees.
  PAGESTORM_HD std::uint64_t seen_from(std::int64_t line, std::int64_t member, std::int64_t first, Lane lane,
                                       std::uint32_t& status) const {
    const std::int64_t left = in.tokens_per_row - first;
    return bits_together(memory, lane, left < bits ? left : bits,
                         [&](std::int64_t t) { return sees(line, member, first + t, status); });
  }

  /// How a row is cut into blocks of local attention.
  struct Blocks {
    std::int64_t keys = 0;         ///< of the row
    std::int64_t first_query = 0;  ///< its position
    std::int64_t chunk = 1;
    std::int64_t origin = 0;  ///< position at which chunks begin to be counted
    std::int64_t before = 0;  ///< chunks that end before the first query
    std::int64_t count = 0;
    std::uint32_t status = 0;
  };

  PAGESTORM_HD Blocks blocks(std::int64_t row) const {
    const FlashLength own = length(row);
    const FlashLength asked =
        in.query_lens.data != nullptr ? fit(load(in.query_lens, row)) : FlashLength{.tokens = in.tokens_per_row};
    const bool too_many = asked.tokens > own.tokens;
    const std::int64_t queries = too_many ? own.tokens : asked.tokens;
    Blocks cut{.keys = own.tokens,
               .first_query = own.tokens - queries,
               .status = own.status | asked.status | bits_if(too_many, Status::queries_clamped)};
    cut.chunk = rules.chunk(in, cut.keys);
    cut.origin = rules.origin(cut.first_query, cut.chunk);
    cut.before = (cut.first_query - cut.origin) / cut.chunk;
    cut.count = queries == 0 ? 0 : (cut.keys - cut.origin + cut.chunk - 1) / cut.chunk - cut.before;
    return cut;
  }

  PAGESTORM_HD FlashRow block(std::int64_t row, std::int64_t member) const {
    const Blocks cut = blocks(row);
    const std::int64_t first = cut.origin + (cut.before + member) * cut.chunk;
    const std::int64_t end = first + cut.chunk < cut.keys ? first + cut.chunk : cut.keys;
    const std::int64_t query = first < cut.first_query ? cut.first_query : first;
    return {.keys = end - first, .queries = end - query, .first = first, .status = cut.status};
  }
};

}  // namespace pagestorm::core
