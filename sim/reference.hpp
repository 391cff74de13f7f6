#pragma once
// What every output must be, cell by cell, written from docs/contract.md alone.

#include <cstdint>
#include <span>
#include <vector>

#include "pagestorm/batch.hpp"
#include "pagestorm/ids.hpp"
#include "pagestorm/promise.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::sim {

/// The page of one column in both tables.
struct PagePair {
  std::int32_t full = absent_page;
  std::int32_t swa = absent_page;
};

/// The expected result of a call. Reads the inputs as they are now, which must be host memory. Rows are computed when
/// they are asked for; status bits that depend on them are complete once every row was asked for.
class Reference {
 public:
  /// Lengths, sums and live columns of a call whose tables are `width` wide. `promise` says what absent slots and
  /// tombstones become.
  void compute(const Batch& batch, std::int64_t width, std::int64_t write_room, const Promise& promise = {});

  const Promise& promise() const { return promise_; }
  std::int64_t write_room() const { return write_room_; }
  std::int64_t writes_given() const { return batch_.out_cache_loc.size; }

  std::int64_t rows() const { return batch_.rows; }
  std::int64_t width() const { return width_; }
  bool sums() const { return batch_.entry == Entry::apply; }
  bool swa() const { return batch_.full_to_swa.data != nullptr; }

  /// K of a row (contract, "Lengths").
  std::int32_t keys(std::int64_t row) const { return keys_[static_cast<std::size_t>(row)]; }

  /// Columns of a row that are written (contract, "Live prefix").
  std::int64_t live(std::int64_t row) const { return live_[static_cast<std::size_t>(row)]; }

  /// Elements 0 to rows of the cumulative lengths (contract, "Cumulative lengths").
  std::int32_t sum_q(std::int64_t i) const { return sum_q_[static_cast<std::size_t>(i)]; }
  std::int32_t sum_k(std::int64_t i) const { return sum_k_[static_cast<std::size_t>(i)]; }

  /// The live cells of a row of the tables (contract, "Cells"); valid until another row is asked for. There are no
  /// swa_pages() without SWA.
  std::span<const std::int32_t> pages(std::int64_t row);
  std::span<const std::int32_t> swa_pages(std::int64_t row);

  /// One of them in both tables.
  PagePair page(std::int64_t row, std::int64_t column);

  /// Element i of swa_out_cache_loc, tail included (contract, "Write slots").
  std::int64_t write_slot(std::int64_t i);

  std::uint32_t status() const { return status_; }

  /// Whether the promise leaves it open what some cells hold, and whether it does for this one.
  bool any_open() const { return promise_.absent == Becomes::anything || promise_.tombstone == Becomes::anything; }
  bool is_open(std::int64_t row, std::int64_t column, bool in_swa_table);

  /// Asks for every row and write slot: then status() is complete, and so are the three below where the promise speaks
  /// of such cells.
  void complete();
  bool absent_cells() const { return absent_cells_; }    ///< a live cell has no slot (contract, "Absent slots")
  bool zero_mappings() const { return zero_mappings_; }  ///< the slot of a live cell is mapped to 0, the sink's too
  bool tombstones() const { return tombstones_; }        ///< another slot than the sink's is

 private:
  void flag(Status bit) { status_ |= static_cast<std::uint32_t>(bit); }
  void open(std::int64_t row);
  template <class PageOf>
  void fill(const std::int32_t* from, std::int64_t step, std::int64_t readable, PageOf page_of);
  template <class PageOf>
  void fill_full(std::span<const std::int32_t> slots, bool plain, std::int32_t* pages, PageOf page_of);
  template <class Int, class PageOf>
  void fill_swa(std::span<const std::int32_t> slots, bool plain, std::int32_t* pages, PageOf page_of);
  std::int64_t kv_length(std::int64_t row);
  std::int64_t query_length(std::int64_t row, std::int64_t keys);
  std::int64_t fresh_tokens(std::int64_t row);
  void keep_promise(std::int64_t row);

  Batch batch_;
  Promise promise_;
  std::int64_t width_ = 0;
  std::int64_t write_room_ = 0;
  std::int64_t open_row_ = -1;  ///< the row that the next two are of
  std::vector<std::int32_t> full_, swa_;
  std::vector<std::int32_t> keys_, sum_q_, sum_k_;
  std::vector<std::int64_t> live_;
  std::uint32_t status_ = 0;
  bool bends_ = false;  ///< the promise speaks of absent slots or tombstones
  bool absent_cells_ = false, zero_mappings_ = false, tombstones_ = false;
  std::vector<bool> open_full_, open_swa_;  ///< of the open row, where any_open()
};

}  // namespace pagestorm::sim
