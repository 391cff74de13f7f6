#include "transfer.hpp"

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace pagestorm::cuda {
namespace {

constexpr int threads = 128;
constexpr int warp = 32;

enum class Way { in, out };

/// A warp a piece.
template <Way way>
__global__ void __launch_bounds__(threads) carry(const Piece* pieces, std::int64_t count, std::uint32_t* staged) {
  asm volatile("griddepcontrol.launch_dependents;");  // what comes next waits where it needs what was carried
  const std::int64_t warps = static_cast<std::int64_t>(gridDim.x) * (threads / warp);
  const std::int64_t first = (static_cast<std::int64_t>(blockIdx.x) * threads + threadIdx.x) / warp;
  for (std::int64_t i = first; i < count; i += warps) {
    const Piece piece = pieces[i];
    for (std::uint32_t word = threadIdx.x % warp; word < piece.words; word += warp) {
      if constexpr (way == Way::in)
        piece.device[word] = staged[piece.first + word];
      else
        staged[piece.first + word] = piece.device[word];
    }
  }
}

template <Way way>
void start(const Piece* pieces, std::int64_t count, std::uint32_t* staged, cudaStream_t stream) {
  if (count == 0) return;
  constexpr std::int64_t blocks_max = 4096;
  const std::int64_t blocks = (count + threads / warp - 1) / (threads / warp);
  cudaLaunchConfig_t config{};
  config.gridDim = dim3(static_cast<unsigned>(std::min(blocks, blocks_max)));
  config.blockDim = dim3(threads);
  config.stream = stream;
  PAGESTORM_CUDA(cudaLaunchKernelEx(&config, carry<way>, pieces, count, staged));
}

void count(const Cargo& cargo, std::int64_t& pieces, std::int64_t& words) {
  pieces = words = 0;
  for (const Window& window : cargo.windows) {
    require_whole(window, cargo.mirror.region());
    words += window.bytes / 4;
    pieces += (window.bytes / 4 + piece_words_max - 1) / piece_words_max;
  }
}

/// Stages the windows of `cargo`; `words` counts the words that are staged.
Piece* stage(const Cargo& cargo, Piece* piece, std::uint32_t* staged, std::int64_t& words) {
  for (const Window& window : cargo.windows) {
    std::memcpy(staged + words, cargo.mirror.region().base + window.first, static_cast<std::size_t>(window.bytes));
    cut_into_pieces(cargo.mirror.at(window.first), words, window.bytes, [&](const Piece& one) { *piece++ = one; });
    words += window.bytes / 4;
  }
  return piece;
}

}  // namespace

void carry_in(const Piece* pieces, std::int64_t count, std::uint32_t* staged, cudaStream_t stream) {
  start<Way::in>(pieces, count, staged, stream);
}

void carry_out(const Piece* pieces, std::int64_t count, std::uint32_t* staged, cudaStream_t stream) {
  start<Way::out>(pieces, count, staged, stream);
}

void require_whole(const Window& window, const Region& region) {
  if (window.first % 4 != 0 || window.bytes % 4 != 0) throw std::invalid_argument("windows: must be whole words");
  if (window.bytes < 0 || window.first < -region.below || window.first > region.above - window.bytes)
    throw std::invalid_argument("windows: must lie in their region");
}

void Transfer::carry_in(const Cargo& inputs, const Cargo& image, cudaStream_t stream) {
  count(inputs, layout_.input_pieces, layout_.input_words);
  count(image, layout_.image_pieces, layout_.image_words);
  if (layout_.input_words + layout_.image_words > UINT32_MAX)
    throw std::invalid_argument("windows: more than 16 GiB in one call");
  const auto bytes = static_cast<std::size_t>(layout_.bytes());
  if (bytes == 0) return;
  host_.reserve(bytes);
  device_.reserve(bytes);
  auto* pieces = reinterpret_cast<Piece*>(host_.data());
  auto* staged = reinterpret_cast<std::uint32_t*>(host_.data() + layout_.words_at());
  std::int64_t words = 0;
  stage(image, stage(inputs, pieces, staged, words), staged, words);
  PAGESTORM_CUDA(cudaMemcpyAsync(device_.data(), host_.data(), bytes, cudaMemcpyHostToDevice, stream));
  start<Way::in>(reinterpret_cast<const Piece*>(device_.data()), layout_.input_pieces + layout_.image_pieces,
                 reinterpret_cast<std::uint32_t*>(device_.data() + layout_.words_at()), stream);
}

void Transfer::carry_out(const Cargo& image, cudaStream_t stream) {
  const std::int64_t at = layout_.words_at() + layout_.input_words * 4;
  const auto bytes = static_cast<std::size_t>(layout_.image_words * 4);
  start<Way::out>(reinterpret_cast<const Piece*>(device_.data()) + layout_.input_pieces, layout_.image_pieces,
                  reinterpret_cast<std::uint32_t*>(device_.data() + layout_.words_at()), stream);
  if (bytes > 0)
    PAGESTORM_CUDA(cudaMemcpyAsync(host_.data() + at, device_.data() + at, bytes, cudaMemcpyDeviceToHost, stream));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream));
  const std::byte* staged = host_.data() + at;
  for (const Window& window : image.windows) {
    std::memcpy(image.mirror.region().base + window.first, staged, static_cast<std::size_t>(window.bytes));
    staged += window.bytes;
  }
}

}  // namespace pagestorm::cuda
