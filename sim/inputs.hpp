#pragma once
// The engine's side of device memory: the pools' tables and the batch's arrays, laid out as a scenario says.

#include <cstdint>
#include <span>
#include <vector>

#include "forward.hpp"
#include "memory.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"
#include "scenario.hpp"
#include "slot_map.hpp"

namespace pagestorm::sim {

/// Owns req_to_token, the full-to-SWA map and the arrays of a batch, and remembers what changed. Cells that no builder
/// may read hold hostile values, and everything a scenario does not write reads as zero, so that a scenario plays the
/// same whatever was played before.
class Inputs {
 public:
  /// Positions [first, end) of a row of req_to_token.
  struct Cells {
    std::int64_t row = 0;
    std::int64_t first = 0;
    std::int64_t end = 0;
  };

  /// A value that is no slot, no length and no row of anything.
  static constexpr std::int32_t hostile = 0x3a5c3a5c;

  /// Starts a scenario: everything zero.
  void lay_out(const Config& config, std::int64_t annex_bytes = 0);

  /// Slots of a request's pages at positions `from` to `to` of its row; `pages` are all its pages, by column.
  void write_slots(std::int64_t row, std::int64_t from, std::int64_t to, std::span<const std::int32_t> pages);

  /// One value at `count` positions.
  void write_value(std::int64_t row, std::int64_t position, std::int32_t value, std::int64_t count);

  std::int32_t slot(std::int64_t row, std::int64_t position) const;

  /// Maps every slot of full pages to the same offset of their SWA pages; SWA page 0 takes a mapping away.
  void map_pages(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages);

  /// Takes the mappings of the first `slots` slots of a page away, and of no others.
  void unmap_slots(std::int32_t page, std::int64_t slots);

  /// What the map holds for a slot.
  std::int64_t mapped(std::int64_t slot) const;

  /// Writes the batch's arrays and returns the batch.
  const Batch& stage(const Forward& forward);

  /// The batch of the last stage().
  const Batch& batch() const { return batch_; }

  /// build() of the same rows: the tables alone, from final KV lengths (one for each row).
  Batch build_batch(std::span<const std::int32_t> keys);

  /// Sets every length of the batch to 0 until the next stage(): what a host would read too early. Not noted as a
  /// change: no builder must carry it in.
  void blank_lengths();

  /// Exchanges cells that the batch must not read, near those that it reads, for other values; calling it again puts
  /// them back. `live` columns of every row are read.
  void disturb(const Forward& forward, std::span<const std::int64_t> live);

  /// The same, over its first `rows` rows and the write slots that they own.
  Batch batch_of_first(const Forward& forward, std::int64_t rows) const;

  /// Where req_to_token was written since forget_writes(), and the full pages whose mapping was.
  std::span<const Cells> cells_written() const { return cells_written_; }
  std::span<const std::int32_t> pages_mapped() const { return pages_mapped_; }
  void forget_writes();

  /// Memory for what a family of backends is given besides the batch, of as many bytes as lay_out() was told. Whoever
  /// writes there says so.
  std::byte* annex() const { return memory_.base() + annex_; }
  void note_annex(std::int64_t first, std::int64_t bytes);

  Region region() const { return memory_.region(); }
  std::uint64_t generation() const { return generation_; }  ///< another one after each lay_out() of any inputs

  /// Whether changed() is kept: only builders with memory of their own need it.
  void track_changes(bool on) { tracked_ = on; }

  /// What changed since the last forget_changes().
  std::span<const Window> changed() const { return changed_; }
  void forget_changes() { changed_.clear(); }

  /// Elements that every array of a batch has room for.
  static std::int64_t row_capacity(const Config& config);

  /// Write slots that one forward may have.
  static std::int64_t write_capacity(const Config& config);

 private:
  struct Array {
    std::int64_t offset = 0;  ///< bytes from the base
    IntType type = IntType::int32;
    std::int64_t stride = 1;
    std::int64_t capacity = 0;
  };

  void clean();
  Array place(std::int64_t& end, IntType type, std::int64_t stride, std::int64_t capacity) const;
  std::int32_t write_slot(const Forward& forward, const ForwardRow& row, std::int64_t j) const;
  void put(const Array& array, std::int64_t index, std::int64_t value);
  void seal(const Array& array, std::int64_t used);
  IntVector view(const Array& array, std::int64_t size) const;
  void note(std::int64_t first, std::int64_t bytes);
  std::int32_t* cell(std::int64_t row, std::int64_t position) const;
  void note_cells(std::int64_t row, std::int64_t position, std::int64_t count);
  void reach(std::int64_t row, std::int64_t positions);

  Config config_;
  Memory memory_;
  std::uint64_t generation_ = 0;
  Array indices_, lengths_, extends_, finals_, locations_, map_view_;
  SlotMap map_;
  Matrix<std::int32_t> slots_;
  std::vector<std::int64_t> written_to_;  ///< positions of each row that were ever written or noted as changed
  std::int64_t annex_ = 0;                ///< where it begins, in bytes from the base
  std::int64_t annex_used_ = 0;           ///< bytes of it that were ever written
  std::int64_t locations_used_ = 0;
  bool tracked_ = true;
  std::vector<Window> changed_;
  std::vector<Cells> cells_written_;
  std::vector<std::int32_t> pages_mapped_;
  Batch batch_;
};

}  // namespace pagestorm::sim
