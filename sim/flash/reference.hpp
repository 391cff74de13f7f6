#pragma once
// What every output of the FlashAttention family must be, written from docs/contract.md alone: each row as the list of
// what it names.

#include <cstdint>
#include <vector>

#include "pagestorm/flash.hpp"
#include "pagestorm/status.hpp"

namespace pagestorm::sim {

/// The expected result of an operation. Reads the inputs as they are now, which must be host memory.
class FlashReference {
 public:
  /// `room`, `width` and `schedule`, its elements, are those of the outputs.
  void compute(const FlashBatch& batch, std::int64_t room, std::int64_t width, std::int64_t schedule = 0);

  /// Inputs that decide a live cell, as elements of their arrays, in no order. Kept only where asked for before.
  struct Reads {
    std::vector<std::int64_t> cells;   ///< of req_to_token, by offset
    std::vector<std::int64_t> slots;   ///< of full_to_swa
    std::vector<std::int64_t> tokens;  ///< of out_cache_loc
    std::vector<std::int64_t> lines;   ///< of the tree mask: where the columns of the draft tokens begin
  };
  void keep_reads(bool on) { keeps_reads_ = on; }
  const Reads& reads() const { return reads_; }

  std::int64_t rows() const { return static_cast<std::int64_t>(tables_.size()); }  ///< expanded rows
  std::int64_t prefixes() const { return static_cast<std::int64_t>(prefixes_.size()); }
  std::int32_t prefix(std::int64_t row) const { return prefixes_[static_cast<std::size_t>(row)]; }
  std::int32_t keys(std::int64_t row) const { return keys_[static_cast<std::size_t>(row)]; }
  std::int32_t sum_q(std::int64_t i) const { return sum_q_[static_cast<std::size_t>(i)]; }
  std::int32_t sum_k(std::int64_t i) const { return sum_k_[static_cast<std::size_t>(i)]; }

  /// The live cells of a row of the table.
  const std::vector<std::int32_t>& cells(std::int64_t row) const { return tables_[static_cast<std::size_t>(row)]; }
  std::int64_t live(std::int64_t row) const { return static_cast<std::int64_t>(cells(row).size()); }

  /// The row of the batch that an expanded row is of; -1 of one that is empty.
  std::int64_t row_of(std::int64_t row) const { return owners_[static_cast<std::size_t>(row)]; }

  /// Every element of the schedule; none of another operation.
  const std::vector<std::int32_t>& schedule() const { return schedule_; }

  std::uint32_t status() const { return status_; }

 private:
  /// Where the slot of a key is found.
  struct Key {
    std::int64_t position = -1;  ///< of the request row; below 0: the key is a draft token
    std::int64_t token = 0;      ///< element of out_cache_loc
  };

  void flag(bool met, Status bit) {
    if (met) status_ |= static_cast<std::uint32_t>(bit);
  }
  std::int64_t length(std::int64_t given, bool& negative);
  void branches(std::int64_t row);
  void tree(std::int64_t row, std::int64_t& line);
  void blocks(std::int64_t row);
  void prompt(std::int64_t row);
  void crossed(std::int64_t row);
  void scheduled(std::int64_t row);
  void add(std::int64_t row, std::int64_t keys, std::int64_t queries, const std::vector<Key>& columns);
  std::int32_t name(std::int64_t row, const Key& key);

  bool keeps_reads_ = false;
  Reads reads_;
  FlashBatch batch_;
  std::int64_t room_ = 0;
  std::int64_t width_ = 0;
  std::int64_t total_q_ = 0, total_k_ = 0;
  std::vector<std::int32_t> schedule_;
  std::vector<std::int32_t> prefixes_, keys_, sum_q_, sum_k_;
  std::vector<std::int64_t> owners_;
  std::vector<std::vector<std::int32_t>> tables_;
  std::uint32_t status_ = 0;
};

}  // namespace pagestorm::sim
