#pragma once
// A set of page ids. Costs follow the pages that were put in, not the size of the pool that they come from.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace pagestorm::sim {

/// Each operation takes constant time. Page ids are 0 or more.
class PageSet {
 public:
  bool contains(std::int64_t page) const {
    const std::size_t at = block_of(page);
    return at < blocks_.size() && blocks_[at] != 0 && (bits_[blocks_[at] - 1][word_of(page)] & bit_of(page)) != 0;
  }

  void insert(std::int64_t page) {
    const std::size_t at = block_of(page);
    if (at >= blocks_.size()) blocks_.resize(at + 1, 0);
    if (blocks_[at] == 0) {
      bits_.emplace_back();
      blocks_[at] = static_cast<std::uint32_t>(bits_.size());
    }
    bits_[blocks_[at] - 1][word_of(page)] |= bit_of(page);
  }

  void erase(std::int64_t page) {
    const std::size_t at = block_of(page);
    if (at < blocks_.size() && blocks_[at] != 0) bits_[blocks_[at] - 1][word_of(page)] &= ~bit_of(page);
  }

  void clear() {
    blocks_.clear();
    bits_.clear();
  }

 private:
  static constexpr std::int64_t word_bits = 64;
  static constexpr std::int64_t block_words = 64;
  static constexpr std::int64_t block_pages = word_bits * block_words;

  static std::size_t block_of(std::int64_t page) { return static_cast<std::size_t>(page / block_pages); }
  static std::size_t word_of(std::int64_t page) { return static_cast<std::size_t>(page / word_bits % block_words); }
  static std::uint64_t bit_of(std::int64_t page) { return std::uint64_t{1} << (page % word_bits); }

  std::vector<std::uint32_t> blocks_;                         ///< by block_of(page): 1 + its place in bits_, 0 = empty
  std::vector<std::array<std::uint64_t, block_words>> bits_;  ///< blocks that some page was put into
};

}  // namespace pagestorm::sim
