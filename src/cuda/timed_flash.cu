#include "timed_flash.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>
#include <random>

#include "check.hpp"
#include "pagestorm/builder.hpp"

namespace pagestorm::cuda {
namespace {

constexpr int poison = 0x5a;
constexpr std::size_t alignment = 256;

/// Bytes for everything that a shape asks for, with room for the alignment of each array.
std::size_t arena_bytes(std::int64_t elements) { return static_cast<std::size_t>(elements) * 8 + 64 * alignment; }

std::int64_t columns_of(const TimedFlash& shape) { return shape.prompt + shape.length + shape.tokens_per_row; }

std::int64_t drafts_of(const TimedFlash& shape) {
  if (shape.op == FlashOp::draft_expand) return shape.rows * shape.branches * shape.draft_steps;
  return shape.rows * shape.tokens_per_row;
}

/// Expanded rows that a row can have at the most.
std::int64_t members_most(const TimedFlash& shape, const FlashBatch& batch) {
  const std::int64_t members = members_of(batch);
  return members > 0 ? members : shape.tokens_per_row / shape.chunk + 2;
}

std::int64_t width_of(const TimedFlash& shape) {
  switch (shape.op) {
    case FlashOp::draft_expand: return shape.draft_steps + 1;
    case FlashOp::verify_expand: return shape.tokens_per_row;
    case FlashOp::merged_verify: return shape.window > 0 ? shape.window : shape.length + shape.tokens_per_row;
    case FlashOp::local_blocks: return shape.chunk / shape.page_size;
    case FlashOp::prompt_window: return shape.prompt + shape.window;
    case FlashOp::encoder_table: return shape.prompt;
    case FlashOp::text_table: return shape.length;
    case FlashOp::schedule: return 0;
  }
  return 0;
}

/// Pages from 1 on in a random order, the same every time.
std::vector<std::int64_t> shuffled_pages(std::int64_t count) {
  std::vector<std::int64_t> pages(static_cast<std::size_t>(count));
  std::iota(pages.begin(), pages.end(), 1);
  std::shuffle(pages.begin(), pages.end(), std::mt19937(20));
  return pages;
}

std::int64_t differing(const void* data, std::int64_t words) {
  std::vector<std::int32_t> values(static_cast<std::size_t>(words));
  std::memcpy(values.data(), data, values.size() * 4);
  return std::count_if(values.begin(), values.end(), [](std::int32_t value) { return value != 0x5a5a5a5a; });
}

}  // namespace

template <class T>
T* TimedFlashWorld::room(std::vector<std::byte>& arena, std::int64_t elements) {
  const std::size_t bytes = (static_cast<std::size_t>(elements) * sizeof(T) + alignment - 1) / alignment * alignment;
  const std::size_t at = arena.size();
  // Views point into the arena: it was reserved in one piece.
  if (at + bytes > arena.capacity()) throw std::logic_error("timed_flash: the arena is too small");
  arena.resize(at + bytes);
  return reinterpret_cast<T*>(arena.data() + at);
}

IntVector TimedFlashWorld::integers(std::vector<std::int64_t> values) {
  auto* data = room<std::int64_t>(inputs_, static_cast<std::int64_t>(values.size()));
  std::copy(values.begin(), values.end(), data);
  return {data, static_cast<std::int64_t>(values.size()), 1, IntType::int64};
}

void TimedFlashWorld::add_rows(const TimedFlash& shape) {
  const std::int64_t columns = columns_of(shape);
  const std::int64_t pages_a_row = (columns + shape.page_size - 1) / shape.page_size;
  const std::vector<std::int64_t> pages = shuffled_pages(shape.rows * pages_a_row + drafts_of(shape));
  FlashBatch& in = call_.batch;
  auto* slots = room<std::int32_t>(inputs_, (shape.rows + 1) * columns);
  for (std::int64_t row = 0; row < shape.rows; ++row)
    for (std::int64_t at = 0; at < columns; ++at)
      slots[(row + 1) * columns + at] = static_cast<std::int32_t>(
          pages[static_cast<std::size_t>(row * pages_a_row + at / shape.page_size)] * shape.page_size +
          at % shape.page_size);
  in.req_to_token = {slots, shape.rows + 1, columns, columns, 1};
  const auto count = static_cast<std::size_t>(shape.rows);
  std::vector<std::int64_t> indices(count);
  std::iota(indices.begin(), indices.end(), 1);
  in.req_pool_indices = integers(indices);
  in.seq_lens = integers(std::vector<std::int64_t>(count, shape.length));
  in.prompt_lens = integers(std::vector<std::int64_t>(count, shape.prompt));
  std::vector<std::int64_t> drafts(pages.end() - drafts_of(shape), pages.end());
  for (std::int64_t& slot : drafts) slot *= shape.page_size;
  in.out_cache_loc = integers(drafts);
  if (!shape.swa) return;
  std::vector<std::int64_t> map((pages.size() + 1) * static_cast<std::size_t>(shape.page_size));
  for (std::size_t slot = 0; slot < map.size(); ++slot)
    map[slot] = slot < static_cast<std::size_t>(shape.page_size)
                    ? 0
                    : pages[slot / static_cast<std::size_t>(shape.page_size) - 1] * shape.page_size +
                          static_cast<std::int64_t>(slot % static_cast<std::size_t>(shape.page_size));
  in.full_to_swa = integers(map);
}

void TimedFlashWorld::add_drafts(const TimedFlash& shape) {
  const std::int64_t n = shape.tokens_per_row;
  if (shape.op != FlashOp::verify_expand && shape.op != FlashOp::merged_verify) return;
  auto* mask = room<std::uint8_t>(inputs_, shape.rows * n * n);
  for (std::int64_t i = 0; i < shape.rows * n * n; ++i) mask[i] = i % n <= i / n % n ? 1 : 0;
  call_.batch.tree_mask = {mask, shape.rows * n * n, 1};
}

void TimedFlashWorld::add_outputs(const TimedFlash& shape) {
  FlashMetadata& out = call_.out;
  const std::int64_t rows = shape.rows * members_most(shape, call_.batch);
  const std::int64_t width = width_of(shape);
  out.status = room<std::uint32_t>(image_, 1);
  out.prefix_seqlens = {room<std::int32_t>(image_, shape.rows), shape.rows, 1};
  out.cache_seqlens = {room<std::int32_t>(image_, rows), rows, 1};
  out.cu_seqlens_q = {room<std::int32_t>(image_, rows + 1), rows + 1, 1};
  out.cu_seqlens_k = {room<std::int32_t>(image_, rows + 1), rows + 1, 1};
  out.schedule = {room<std::int32_t>(image_, schedule_size(shape.rows)), schedule_size(shape.rows), 1};
  out.page_table = {room<std::int32_t>(image_, rows * width), rows, width, width, 1};
}

TimedFlashWorld::TimedFlashWorld(const TimedFlash& shape, cudaStream_t stream) {
  FlashBatch& in = call_.batch;
  in.op = shape.op;
  in.page_size = shape.page_size;
  in.rows = shape.rows;
  in.branches = shape.branches;
  in.draft_steps = shape.draft_steps;
  in.draft_step = shape.draft_steps - 1;
  in.tokens_per_row = shape.tokens_per_row;
  in.window = shape.window;
  in.chunk = shape.chunk;
  inputs_.reserve(arena_bytes((shape.rows + 2) * (columns_of(shape) + shape.page_size) * 3 +
                              drafts_of(shape) * (shape.page_size + shape.tokens_per_row + 2)));
  image_.reserve(arena_bytes(shape.rows * members_most(shape, in) * (width_of(shape) + 4) + schedule_size(shape.rows)));
  add_rows(shape);
  add_drafts(shape);
  add_outputs(shape);
  call_.inputs = {inputs_.data(), 0, static_cast<std::int64_t>(inputs_.size())};
  call_.image = {image_.data(), 0, static_cast<std::int64_t>(image_.size())};
  inputs_mirror_.place(call_.inputs, true);
  image_mirror_.place(call_.image, true);
  PAGESTORM_CUDA(cudaMemcpyAsync(inputs_mirror_.at(0), inputs_.data(), inputs_.size(), cudaMemcpyHostToDevice, stream));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream));
}

void TimedFlashWorld::verify(cudaStream_t stream) {
  const auto start = [&](void* image, std::uint32_t* status, bool here) {
    if (here) {
      PAGESTORM_CUDA(cudaMemsetAsync(image, poison, image_.size(), stream));
      PAGESTORM_CUDA(cudaMemsetAsync(status, 0, sizeof(*status), stream));
      return;
    }
    std::memset(image, poison, image_.size());
    *status = 0;
  };
  start(image_.data(), call_.out.status, false);
  host_builders().front().make(Fault::none)->run(call_);
  start(image_mirror_.at(0), out().status, true);
  launch_flash(in(), out(), 0, Fault::none, stream);
  std::vector<std::byte> got(image_.size());
  PAGESTORM_CUDA(cudaMemcpyAsync(got.data(), image_mirror_.at(0), got.size(), cudaMemcpyDeviceToHost, stream));
  PAGESTORM_CUDA(cudaStreamSynchronize(stream));
  if (got != image_) throw BuilderError("a timed operation differs from the host builder: it is not worth timing");
  cells_written_ = differing(image_.data(), static_cast<std::int64_t>(image_.size() / 4));
}

}  // namespace pagestorm::cuda
