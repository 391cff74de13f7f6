#pragma once
// Carries windows of host regions to their mirrors and back: many small ones in one copy and one kernel.

#include <cstdint>
#include <span>

#include "buffer.hpp"
#include "mirror.hpp"

namespace pagestorm::cuda {

/// Windows of the region that `mirror` stands for.
struct Cargo {
  const Mirror& mirror;
  std::span<const Window> windows;
};

/// A short run of words: where it is on the device, and where in the staging memory.
struct Piece {
  std::uint32_t* device;
  std::uint32_t first;
  std::uint32_t words;
};

inline constexpr std::int64_t piece_words_max = 1024;

/// Enqueue the copy of pieces from or to the staging memory, all of which lies on the device.
void carry_in(const Piece* pieces, std::int64_t count, std::uint32_t* staged, cudaStream_t stream);
void carry_out(const Piece* pieces, std::int64_t count, std::uint32_t* staged, cudaStream_t stream);

/// Throws std::invalid_argument for a window of `region` that is ragged or outside of it.
void require_whole(const Window& window, const Region& region);

/// Hands out the pieces of `bytes` from `device` on, staged from word `first` on, in order.
template <class Take>
void cut_into_pieces(std::byte* device, std::int64_t first, std::int64_t bytes, const Take& take) {
  for (std::int64_t word = 0; word < bytes / 4; word += piece_words_max) {
    const std::int64_t length = bytes / 4 - word < piece_words_max ? bytes / 4 - word : piece_words_max;
    take(Piece{reinterpret_cast<std::uint32_t*>(device + word * 4), static_cast<std::uint32_t>(first + word),
               static_cast<std::uint32_t>(length)});
  }
}

class Transfer {
 public:
  /// Enqueues the way in of both. Throws std::invalid_argument for a window that is ragged or outside its region.
  void carry_in(const Cargo& inputs, const Cargo& image, cudaStream_t stream);

  /// Brings the image of the last carry_in() back, and waits until it is there.
  void carry_out(const Cargo& image, cudaStream_t stream);

 private:
  /// Staging memory, the same on both sides: pieces of the inputs, pieces of the image, words of both.
  struct Layout {
    std::int64_t input_pieces = 0;
    std::int64_t image_pieces = 0;
    std::int64_t input_words = 0;
    std::int64_t image_words = 0;

    std::int64_t words_at() const { return (input_pieces + image_pieces) * std::int64_t{sizeof(Piece)}; }
    std::int64_t bytes() const { return words_at() + (input_words + image_words) * 4; }
  };

  Layout layout_;
  PinnedBuffer host_;
  DeviceBuffer device_;
};

}  // namespace pagestorm::cuda
