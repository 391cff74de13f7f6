#pragma once
// A scenario's memory on the device: what the engine would hold, what the world knows, and two images for each of the
// rounds that may be under way.

#include <array>
#include <cstdint>

#include "mirror.hpp"
#include "pagestorm/device_judge.hpp"

namespace pagestorm::cuda {

/// Memory for one image at a time.
class ImageMemory {
 public:
  /// Is an image of this shape from now on; its content is unspecified. Where word 0 is.
  std::int32_t* place(const ImageShape& shape) {
    constexpr std::size_t alignment = 256;
    constexpr std::size_t least = std::size_t{1} << 16;  // so that it seldom grows
    const std::size_t below = (static_cast<std::size_t>(shape.below) * 4 + alignment - 1) / alignment * alignment;
    const std::size_t bytes = below + static_cast<std::size_t>(shape.words) * 4;
    if (buffer_.capacity() >= huge_bytes && bytes < huge_bytes) buffer_.release();
    buffer_.reserve(bytes < least ? least : bytes);
    words_ = reinterpret_cast<std::int32_t*>(buffer_.data() + below);
    return words_;
  }

  std::int32_t* words() const { return words_; }

 private:
  DeviceBuffer buffer_;
  std::int32_t* words_ = nullptr;
};

struct Seat {
  Seating seating;
  Mirror inputs, truth;
  std::array<std::array<ImageMemory, 2>, DeviceJudge::rounds_max> images;  ///< by round, by poison

  /// Takes another scenario in. Images of the last one stay.
  void place(const Seating& next) {
    seating = next;
    inputs.place(next.inputs, true);
    if (next.owned.data != nullptr) truth.place(next.truth, true);
  }

  void make_room(std::size_t round) {
    for (ImageMemory& image : images[round]) image.place(seating.image);
  }
};

/// Views of an image whose word 0 is `words`, for a call of so many rows and write slots.
inline Metadata views_of(const ImageShape& image, std::int32_t* words, std::int64_t rows, std::int64_t write_slots) {
  const auto vector = [&](const Plot& plot, std::int64_t size) {
    return Vector<std::int32_t>{words + plot.first, size, plot.col_stride};
  };
  const auto table = [&](const Plot& plot) {
    return Matrix<std::int32_t>{words + plot.first, rows, plot.cols, plot.row_stride, plot.col_stride};
  };
  Metadata out{.cache_seqlens = vector(image.cache_seqlens, rows),
               .cu_seqlens_q = vector(image.cu_seqlens_q, rows + 1),
               .cu_seqlens_k = vector(image.cu_seqlens_k, rows + 1),
               .page_table = table(image.page_table),
               .status = reinterpret_cast<std::uint32_t*>(words + image.status.first)};
  if (image.swa_page_table.rows == 0) return out;
  out.swa_page_table = table(image.swa_page_table);
  out.swa_out_cache_loc = {reinterpret_cast<std::int64_t*>(words + image.swa_out_cache_loc.first), write_slots,
                           image.swa_out_cache_loc.col_stride / 2};
  return out;
}

}  // namespace pagestorm::cuda
