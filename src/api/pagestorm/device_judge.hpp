#pragma once
// Judging where images live: many forward passes are built twice and judged on a device, and only verdicts come back.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"
#include "pagestorm/fault.hpp"

namespace pagestorm {

/// The laws that need no more than two images and what the world knows, as bits of a verdict.
enum class ImageLaw : std::uint32_t {
  writes_only_live_cells = 1u << 0,
  agrees_with_reference = 1u << 1,
  swa_slots_are_valid = 1u << 2,
};

inline constexpr ImageLaw image_laws[] = {ImageLaw::writes_only_live_cells, ImageLaw::agrees_with_reference,
                                          ImageLaw::swa_slots_are_valid};

/// The name that the law has in the catalogue of laws.
constexpr std::string_view name_of(ImageLaw law) {
  switch (law) {
    case ImageLaw::writes_only_live_cells: return "writes_only_live_cells";
    case ImageLaw::agrees_with_reference: return "agrees_with_reference";
    case ImageLaw::swa_slots_are_valid: return "swa_slots_are_valid";
  }
  return "";
}

/// What the words of the two images of a pass hold before it is built.
inline constexpr std::int32_t first_poison = static_cast<std::int32_t>(0xa5a5a5a5);
inline constexpr std::int32_t second_poison = 0x5c5c5c5c;

/// Where one output lies in an image, in words of 4 bytes from word 0. A vector has one row; an output that is absent
/// has none.
struct Plot {
  std::int64_t first = 0;
  std::int64_t rows = 0;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;
  std::int64_t cell_words = 1;
};

/// Where all outputs lie, in this order, with fences before, between and after.
struct ImageShape {
  Plot status, cache_seqlens, cu_seqlens_q, cu_seqlens_k, swa_page_table, page_table, swa_out_cache_loc;
  std::int64_t below = 0;  ///< words of the image before word 0
  std::int64_t words = 0;  ///< words of the image from word 0 on
  bool sweep = false;      ///< whole tables are judged, not only words near live cells
};

/// What the world knows of one row of a batch.
struct RowTruth {
  std::int64_t owner = -1;       ///< row of the table of owned pages; -1: the row was told something odd, or is padding
  std::int64_t start = 0;        ///< position that column 0 of the tables stands for, a multiple of the page size
  std::int64_t first_write = 0;  ///< position of the first token that the pass writes
  std::int64_t writes = 0;       ///< tokens that it writes
  std::int64_t write_slot = 0;   ///< index of the first of them among all write slots
};

/// A cell of the table of owned pages whose column lost its slot in req_to_token, and back.
constexpr std::int32_t punctured(std::int32_t page) { return ~page; }

/// A scenario's memory, as a judge must know it before it is sent passes.
struct Seating {
  Region inputs;
  Region truth;  ///< around `owned`; empty without SWA
  Matrix<const std::int32_t> owned =
      {};                   ///< [request rows, columns] in `truth`: the SWA page of each; absent without SWA
  std::int64_t window = 0;  ///< tokens that SWA layers look back
  ImageShape image;
};

/// One `apply` to be built over both poisons, and judged.
struct Pass {
  std::size_t seat = 0;
  Batch batch;                            ///< views in the inputs of the seat, on the host
  std::int64_t write_slots = 0;           ///< elements of swa_out_cache_loc that the call has
  std::span<const Window> changed;        ///< of the inputs, since the last pass of the seat, or since it was seated
  std::span<const Window> truth_changed;  ///< of the truth, likewise
  std::span<const RowTruth> rows;         ///< of each row of the batch; empty without SWA
  std::int64_t pages = 1;  ///< live columns of the longest row: shares the work out, and decides nothing else
};

/// What a judge says of one pass.
struct Verdict {
  static constexpr std::uint64_t nowhere = ~std::uint64_t{0};

  std::uint32_t laws = 0;        ///< a bit for each ImageLaw that is broken; 0: all hold
  std::uint32_t unused = 0;      ///< 0
  std::uint64_t word = nowhere;  ///< of the image: the lowest word that breaks a law

  bool breaks(ImageLaw law) const { return (laws & static_cast<std::uint32_t>(law)) != 0; }
};

/// An image that shall come back: its windows are copied to the same places behind `to`, the host's word 0.
struct Wanted {
  std::size_t seat = 0;
  int image = 0;  ///< 0 or 1: over which poison
  std::span<const Window> windows;
  std::byte* to = nullptr;
};

/// Builds and judges rounds of passes. Every seat is one scenario and has at most one pass in a round. Two rounds may be
/// under way; the images of the round that was taken last stay until the next but one is started.
class DeviceJudge {
 public:
  static constexpr std::size_t rounds_max = 2;

  virtual ~DeviceJudge() = default;

  /// Gives a seat memory for another scenario: nothing that was carried in for it before is valid. Throws BuilderError
  /// that begins with "not enough device memory" when there is too little; for images at once when no round is under way,
  /// otherwise from add().
  virtual void seat(std::size_t seat, const Seating& seating) = 0;

  /// Adds a pass to the next round. What changed is read before this returns. Throws std::invalid_argument for a shape
  /// that no builder takes.
  virtual void add(const Pass& pass) = 0;

  /// Starts the round, and does not wait for it. Throws std::logic_error when two are under way.
  virtual void start() = 0;

  /// Starts the last round `times` times more, each over fresh poison, nothing being carried in: its next verdicts are
  /// those of all. Must follow its take().
  virtual void again(int times) = 0;

  /// Waits for the oldest round under way; a verdict for each pass, in the order of add(), valid until the next but one
  /// start(). Throws std::logic_error when none is.
  virtual std::span<const Verdict> take() = 0;

  /// Brings images of the round taken last back.
  virtual void fetch(std::span<const Wanted> wanted) = 0;
};

/// Why no judge can work here; empty when one can. Initialises the CUDA runtime where it was built in.
std::string device_judge_absent_because();

/// A judge over the passes of a CUDA builder, named as in builders(). Throws BuilderError when it cannot work here, and
/// std::invalid_argument for another name.
std::unique_ptr<DeviceJudge> device_judge(std::string_view builder, Fault fault);

}  // namespace pagestorm
