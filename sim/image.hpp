#pragma once
// The complete output allocation of a call as plain words, with fences before, between and after.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "memory.hpp"
#include "pagestorm/batch.hpp"
#include "pagestorm/builder.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// A half-open range of words of an image.
struct Range {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// What a word of an image belongs to.
enum class Part : std::uint8_t {
  status,
  prefix_seqlens,
  cache_seqlens,
  cu_seqlens_q,
  cu_seqlens_k,
  schedule,
  swa_page_table,
  page_table,
  swa_out_cache_loc,
  fence
};

inline constexpr int part_count = 9;

std::string_view name_of(Part part);

/// Where one output lies, in words of 4 bytes. A vector has one row.
struct Section {
  std::int64_t first = 0;
  std::int64_t rows = 1;
  std::int64_t cols = 0;
  std::int64_t row_stride = 0;
  std::int64_t col_stride = 1;
  std::int64_t cell_words = 1;

  std::int64_t at(std::int64_t row, std::int64_t col) const { return first + row * row_stride + col * col_stride; }
  std::int64_t last() const { return rows == 0 ? first : first + (rows - 1) * row_stride + cols * col_stride; }
};

/// A word of an image, in domain terms.
struct Place {
  Part part = Part::fence;
  std::int64_t row = 0;
  std::int64_t column = 0;
  std::string text;  ///< "page_table, row 0, column 32", "the fence, word 4 after page_table", ...
};

/// How much of every output one call uses.
struct Extent {
  std::int64_t rows = 0;         ///< batch rows
  std::int64_t write_slots = 0;  ///< elements of swa_out_cache_loc
};

/// Where every output of a scenario lies. The same for all images of the scenario.
class ImageLayout {
 public:
  static constexpr std::int64_t fence = 64;  ///< words around every section

  void lay_out(const Config& config);

  /// The same for an operation of the FlashAttention family with `rows` rows of the batch, `room` expanded rows, a
  /// table of `width` columns and a schedule of `schedule` elements.
  void lay_out_flash(const Config& config, std::int64_t rows, std::int64_t room, std::int64_t width,
                     std::int64_t schedule);

  const Section& section(Part part) const { return sections_[static_cast<std::size_t>(part)]; }
  bool swa() const { return swa_; }
  bool sweeps() const { return sweeps_; }
  std::int64_t below() const { return below_; }  ///< words that belong to the image before word 0
  std::int64_t words() const { return words_; }
  Place locate(std::int64_t word) const;

  /// Views of an image at `base` for a call of this extent; of the family, for as many rows and expanded rows.
  Metadata bind(std::byte* base, const Extent& extent) const;
  FlashMetadata bind_flash(std::byte* base, std::int64_t rows, std::int64_t room) const;

 private:
  void begin();
  void place(Part part, std::int64_t rows, std::int64_t cols, std::int64_t row_stride, std::int64_t col_stride,
             std::int64_t cell_words);

  std::vector<Section> sections_;
  bool swa_ = false;
  bool sweeps_ = true;
  std::int64_t below_ = 0;
  std::int64_t words_ = 0;
};

/// One image: memory of the size of a layout.
class Image {
 public:
  /// Ready for a scenario; contents are unspecified.
  void prepare(const ImageLayout& layout);

  std::int32_t* words() const { return reinterpret_cast<std::int32_t*>(memory_.base()); }
  Region region() const { return memory_.region(); }

  /// Fills `zone` with `poison`, whose four bytes are equal, and clears the status word.
  void poison(const ImageLayout& layout, std::span<const Range> zone, std::int32_t poison);

 private:
  Memory memory_;
  bool far_ = false;
};

}  // namespace pagestorm::sim
