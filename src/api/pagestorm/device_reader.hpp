#pragma once
// Reading KV slots where attention would: on a device, tokens are stored through the write slots of a call and read back
// through its lengths and tables, and only what was misread first comes back.

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>

#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm {

/// Whose pools: target and draft model share slots and pages, and each has pools of its own.
enum class KvModel : std::uint8_t { target, draft };

enum class KvPool : std::uint8_t { full, swa };

inline constexpr std::size_t kv_models = 2;
inline constexpr std::size_t kv_pools = 2;

// In the place of K and V, a slot holds a tag: one 64-bit word that says which token was stored there. A token at position
// p has the tag base + p.
inline constexpr std::uint64_t poison_tag = 0;     ///< in a slot: no token; in a slot of the sink: always
inline constexpr std::uint64_t unwritten_tag = 1;  ///< in a slot: a write could not arrive, and nobody is to blame
inline constexpr std::uint64_t any_token_base =
    0;  ///< as a base: the page must be one of the pool, its tokens may be any
inline constexpr std::uint64_t any_page_base = 1;  ///< as a base: nothing is asked, not even which page it is

/// The pools of a scenario. Slots [0, page_size) of each are the sink.
struct KvShape {
  std::int32_t page_size = 1;  ///< tokens, 1 to page_size_max
  std::int64_t pages = 0;      ///< of the full pools, besides the sink
  bool swa = false;            ///< there are SWA pools
  std::int64_t swa_pages = 0;  ///< of the SWA pools, besides the sink
  std::int64_t window = 1;     ///< tokens that a query of an SWA layer sees, itself included
};

/// Slots [slot, slot + count) get the tags tag, tag + step, ... They must be slots of the pool.
struct SlotFill {
  KvModel model = KvModel::target;
  KvPool pool = KvPool::full;
  std::int64_t slot = 0;
  std::int64_t count = 0;
  std::uint64_t tag = poison_tag;
  std::uint64_t step = 0;  ///< 0 or 1
};

/// Tokens from position `first` on, up to the next run, have the tags base + position.
struct ReadRun {
  std::int64_t first = 0;
  std::uint64_t base = any_token_base;
};

/// What a row of a batch must read.
struct RowReads {
  std::span<const ReadRun> runs;  ///< of its request, by rising position; empty: the row is not looked at
  std::int64_t start = 0;         ///< position that column 0 of the tables stands for, a multiple of the page size
  std::int64_t keys = 0;          ///< K, counted from `start`, up to and including its last query
  std::int64_t queries = 0;       ///< at most `keys`; they are the last keys
};

/// One forward pass, built. Everything lies on the host.
struct ReaderPass {
  std::int64_t rows = 0;                                            ///< of the batch
  IntVector out_cache_loc = {};                                     ///< [n] full slots that the pass writes
  Metadata out = {};                                                ///< what the builder made: views in `image`
  Region image;                                                     ///< may be far larger than what is used of it
  std::span<const Window> windows = {};                             ///< of the image: all that may be read
  std::array<std::span<const std::uint64_t>, kv_models> tags = {};  ///< by model: [n], or empty where it does not run
  std::span<const SlotFill> lost = {};  ///< slots to be filled after the store and before anybody reads
  std::array<std::span<const RowReads>, kv_models> reads = {};  ///< by model: [rows], or empty where it does not run
  bool sums_say_queries = true;  ///< whether cu_seqlens_q must rise by the queries of each row
};

/// What is wrong, in the order in which a row is looked at.
enum class MisreadKind : std::uint8_t {
  none,
  keys,       ///< cache_seqlens is not K
  queries,    ///< cu_seqlens_q does not rise by the row's queries
  page,       ///< page_table names no page of the pool
  token,      ///< the slot holds another token
  swa_page,   ///< the same of swa_page_table
  swa_token,  ///< the same of the SWA pool
};

/// What a pass misreads first: by row, then lengths, then the target model before the draft model, the full table before
/// the SWA table, and key by key.
struct KvMisread {
  MisreadKind what = MisreadKind::none;
  KvModel model = KvModel::target;  ///< target for lengths
  std::int64_t row = 0;
  std::int64_t key = 0;    ///< index of the key in its row, from 0; 0 for lengths
  std::uint64_t want = 0;  ///< a length or a tag; 0 for pages
  std::uint64_t got = 0;   ///< a length, a tag, or the page as it stands in the table

  bool operator==(const KvMisread&) const = default;
};

/// What a reader says of one pass.
struct ReaderVerdict {
  std::array<std::int64_t, kv_pools> unwritten = {};  ///< by pool: write slots below 0 or outside of it
  KvMisread first;
};

/// The KV pools of one scenario at a time, and the kernels that store to them and read from them.
class DeviceReader {
 public:
  virtual ~DeviceReader() = default;

  /// Starts a scenario: every slot holds poison. Throws BuilderError that begins with "not enough device memory" when
  /// there is too little.
  virtual void start(const KvShape& shape) = 0;

  /// What happens to slots besides passes: pages that went back, tokens that were loaded. The fills are read before this
  /// returns, and done in their order, before the next pass.
  virtual void fill(std::span<const SlotFill> fills) = 0;

  /// Stores the tokens of a pass through out_cache_loc and, as far as it has elements, out.swa_out_cache_loc; does the
  /// fills of `lost`; then reads every row that is looked at. Slots outside of their pool are not written, and counted.
  /// What is stored in the sink is poison. Waits for the verdict. Throws as start(), for memory that mirrors the image.
  virtual ReaderVerdict pass(const ReaderPass& pass) = 0;
};

/// Why no reader can work here; empty when one can. Initialises the CUDA runtime where it was built in.
std::string device_reader_absent_because();

/// A reader on the device of this process. Throws BuilderError when none can work here.
std::unique_ptr<DeviceReader> device_reader();

}  // namespace pagestorm
