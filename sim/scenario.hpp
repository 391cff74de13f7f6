#pragma once
// A scenario: everything that a run depends on, as plain data. The same scenario plays the same way on every builder,
// compiler and machine.

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "pagestorm/mode.hpp"
#include "pagestorm/views.hpp"
#include "timing.hpp"

namespace pagestorm::sim {

/// Which matrix has rows so far apart that every row but row 0 starts past element 2^31.
enum class Far : std::uint8_t { none, req_to_token, page_table, swa_page_table };

inline constexpr std::int64_t far_stride = (std::int64_t{1} << 31) + 64;  ///< elements between such rows
inline constexpr std::int64_t far_below = std::int64_t{1} << 31;          ///< elements before, where 32 bits would land
inline constexpr std::int64_t far_rows = 8;  ///< rows of a batch, at most, with such a layout

/// How inputs and outputs lie in memory; no right builder's result depends on it.
struct Layout {
  IntType index_type = IntType::int64;     ///< req_pool_indices
  IntType length_type = IntType::int64;    ///< seq_lens, extend_seq_lens
  IntType location_type = IntType::int64;  ///< out_cache_loc
  IntType map_type = IntType::int64;       ///< full_to_swa
  std::int64_t input_stride = 1;           ///< elements between neighbours of every input vector, 1 to 4
  std::int64_t output_stride = 1;          ///< elements between neighbours of every output vector, 1 to 4
  std::int64_t slots_stride = 1;           ///< elements between columns of req_to_token, 1 to 4
  std::int64_t slots_padding = 0;          ///< further elements between its rows, 0 to 4096
  std::int64_t table_stride = 1;           ///< page_table, likewise
  std::int64_t table_padding = 0;
  std::int64_t swa_table_stride = 1;  ///< swa_page_table, likewise
  std::int64_t swa_table_padding = 0;
  std::int64_t write_room = 0;  ///< elements of swa_out_cache_loc beyond the slots given, -8 to 4096
  Far far = Far::none;          ///< with another value, at most far_rows rows and request rows
  bool sweep = true;            ///< judge every word of the image, not only those near live cells

  bool operator==(const Layout&) const = default;
};

/// The engine that a scenario plays in.
struct Config {
  std::int64_t page_size = 1;     ///< tokens, 1 to 4096
  std::int64_t context = 64;      ///< tokens, 0 to 2^20; the table is ceil(context / page_size) wide
  std::int64_t requests = 8;      ///< request rows besides row 0, 1 to 1024
  std::int64_t pages = 256;       ///< pages of the full pool besides page 0, 1 to 2^24, at most 2^28 tokens
  bool swa = false;               ///< hybrid model: a second pool, a window, and the full-to-SWA map
  std::int64_t swa_pages = 128;   ///< pages of the SWA pool besides page 0, 1 to 2^24, at most 2^28 tokens
  std::int64_t window = 64;       ///< tokens that SWA layers look back, 1 to 2^20
  std::int64_t draft_tokens = 4;  ///< N, 1 to 64
  std::int64_t draft_steps = 3;   ///< T, 1 to 64
  std::int64_t block_window = 0;  ///< tokens that a block draft model sees in rows of its own; 0 = all, in the target's
  std::uint64_t pool_seed = 0;    ///< the order in which pools hand out pages
  std::vector<std::int64_t> buckets;  ///< captured batch sizes, ascending, 1 to 1024; a larger batch is not padded
  bool cache = false;                 ///< a prefix cache keeps whole pages for requests that begin alike
  std::int64_t branch = 64;           ///< tokens after which prompts of different families may differ, 1 to 2^20
  bool retract = false;               ///< when pages run dry, the youngest requests wait instead of the batch
  bool flash = false;                 ///< tables for backends of the FlashAttention family, too
  std::int64_t top_k = 1;   ///< branches of a draft in that family, 1 to 8; above 1 what is verified is a tree
  std::int64_t chunk = 0;   ///< tokens of a chunk of local attention there, 0 to 2^20; 0 = none
  bool whole_mask = false;  ///< lines of a tree mask have a column for each token of the prefix
  Timing timing;            ///< what overlaps, and what waits for what
  Layout layout;

  std::int64_t width() const { return (context + page_size - 1) / page_size; }

  /// Whether drafts have branches, and what is verified is a tree.
  bool trees() const { return flash && top_k > 1; }

  /// Positions after a prefix that hold all branches of a draft, each in whole pages of its own.
  std::int64_t branch_room() const {
    return trees() ? top_k * ((page_size - 1 + draft_steps + page_size - 1) / page_size * page_size) : 0;
  }

  /// Tokens of a chunk of local attention: whole pages.
  std::int64_t chunk_tokens() const { return (chunk + page_size - 1) / page_size * page_size; }

  /// Columns of req_to_token: a speculative loop at the context limit still has slots.
  std::int64_t columns() const { return context + 2 * draft_tokens + draft_steps + 4 + branch_room(); }

  /// Rows of req_to_token: row 0, one a request, and one more for a windowed draft model.
  std::int64_t request_rows() const { return 1 + requests * (block_window > 0 ? 2 : 1); }

  bool operator==(const Config&) const = default;
};

/// Kinds of steps. All are total: what cannot apply is a counted no-op.
enum class StepKind : std::uint8_t {
  admit,         ///< a new request with `amount` tokens that are cached already
  extend,        ///< prefill of up to `amount` further tokens a row
  decode,        ///< one more token a row
  draft,         ///< draft decode at step `amount` modulo the number of draft steps
  verify,        ///< N draft tokens a row, of which about `amount` are then accepted (accepted_tokens)
  draft_extend,  ///< N tokens a row, from where the last verify stood, or from the end
  idle,          ///< no request takes part; `amount` rows of padding
  evict,         ///< every request gives back the SWA pages that have left its window
  finish,        ///< request `who` ends and gives everything back
  puncture,      ///< page `amount` of request `who` loses its slot in req_to_token
  arrive,        ///< a new request with a prompt of `amount` tokens, of which the prefix cache may have some
  share,         ///< the whole pages of `rows` requests go to the prefix cache, which may have them already
  reclaim,       ///< the prefix cache gives back `amount` pages that nobody uses
  tombstone,     ///< the prefix cache gives back `amount` SWA pages and keeps the full ones
  retract,       ///< request `who` gives everything back and waits
  readmit,       ///< the request that has waited longest comes back
  block,         ///< N tokens a row, drafted together by a block draft model
  ragged,        ///< a verify of 1 to N tokens a row (ragged_tokens), accepted as in `verify`
};

inline constexpr int step_kind_count = 18;

/// What is unusual about one row of a batch. The world is not told.
enum class Odd : std::uint8_t {
  none,
  duplicate,        ///< the row names the same request row as row 0 of the batch
  row_zero,         ///< the row names request row 0
  outside_pool,     ///< the row names a request row beyond the pool
  before_pool,      ///< the row names request row -1
  negative_length,  ///< length -3
  zero_length,      ///< length 0
  huge_length,      ///< length 2^32 + 5, or 2^31 - 1 where lengths are int32
  negative_slot,    ///< its first write slot is -1
};

inline constexpr int odd_count = 9;

/// One step. Requests are named by number, modulo how many are alive, so every step list is legal.
struct Step {
  StepKind kind = StepKind::admit;
  std::int64_t who = 0;     ///< first request of the batch, or the request
  std::int64_t rows = 1;    ///< requests of the batch, at most; 0 = all
  std::int64_t amount = 0;  ///< tokens, accepted tokens, draft step, padding rows or page, by kind
  std::int64_t family = 0;  ///< whose prompts a new request begins like, 1 to 8; 0 = nobody's
  bool eager = false;       ///< a batch that is not padded to a bucket
  Odd odd = Odd::none;
  std::int64_t odd_row = 0;  ///< row of the batch, modulo its rows

  bool operator==(const Step&) const = default;
};

/// A scenario and what it was found with.
struct Scenario {
  Config config;
  std::vector<Step> steps;

  bool operator==(const Scenario&) const = default;
};

/// What a saved failure says about itself, besides the scenario. All but the scenario may be empty.
struct Finding {
  std::string law;
  std::string builder;
  std::string fault;
  std::string note;  ///< one line: where the scenario came from
  Scenario scenario;

  bool operator==(const Finding&) const = default;
};

/// Names as in scenario files; by_name returns false for an unknown name.
std::string_view name_of(StepKind kind);
std::string_view name_of(Odd odd);
std::string_view name_of(Far far);
std::string_view name_of(Mode mode);
std::string_view name_of(IntType type);
std::string_view name_of(ReadEnd end);
std::string_view name_of(Tables tables);
std::string_view name_of(Barrier barrier);
std::string_view name_of(Algorithm algorithm);
bool by_name(std::string_view name, StepKind& kind);
bool by_name(std::string_view name, Odd& odd);
bool by_name(std::string_view name, Far& far);
bool by_name(std::string_view name, Mode& mode);
bool by_name(std::string_view name, IntType& type);
bool by_name(std::string_view name, ReadEnd& end);
bool by_name(std::string_view name, Tables& tables);
bool by_name(std::string_view name, Barrier& barrier);
bool by_name(std::string_view name, Algorithm& algorithm);

/// True for kinds that yield a batch.
bool has_batch(StepKind kind);

}  // namespace pagestorm::sim
