#include <algorithm>

#include "core/flash_check.hpp"
#include "pagestorm/builder.hpp"
#include "stopwatch.hpp"
#include "timed_flash.hpp"

namespace pagestorm {
namespace {

constexpr std::int64_t sector = 32;

/// Positions of a request row that a row of the batch looks up, each once however many expanded rows name it.
std::int64_t positions_a_row(const TimedFlash& shape) {
  switch (shape.op) {
    case FlashOp::draft_expand:
    case FlashOp::verify_expand:
    case FlashOp::schedule: return 0;
    case FlashOp::merged_verify:
      return shape.window > 0 ? std::min<std::int64_t>(shape.window, shape.length) : shape.length;
    case FlashOp::local_blocks: {
      const std::int64_t first = (shape.length - shape.tokens_per_row) / shape.chunk * shape.chunk;
      return (shape.length - first + shape.page_size - 1) / shape.page_size;
    }
    case FlashOp::prompt_window: return std::min(shape.length, shape.prompt + shape.window);
    case FlashOp::encoder_table: return shape.prompt;
    case FlashOp::text_table: return shape.length;
  }
  return 0;
}

/// Draft slots of a row of the batch.
std::int64_t drafts_a_row(const TimedFlash& shape) {
  if (shape.op == FlashOp::draft_expand) return std::int64_t{shape.branches} * shape.draft_steps;
  const bool verifies = shape.op == FlashOp::verify_expand || shape.op == FlashOp::merged_verify;
  return verifies ? shape.tokens_per_row : 0;
}

std::int64_t bytes_read(const TimedFlash& shape) {
  const bool apart = shape.op == FlashOp::local_blocks && shape.page_size * 4 >= sector;
  const std::int64_t masks = shape.op == FlashOp::verify_expand || shape.op == FlashOp::merged_verify
                                 ? std::int64_t{shape.tokens_per_row} * shape.tokens_per_row
                                 : 0;
  return shape.rows * (positions_a_row(shape) * (apart ? sector : 4) + drafts_a_row(shape) * 8 + masks + 8);
}

}  // namespace

TimedFlashCall device_time(const TimedFlash& shape, int repeats) {
  const cuda::Stream stream = cuda::make_stream();
  const cuda::Stopwatch watch(stream.get(), repeats);
  cuda::load_flash_kernels();
  cuda::TimedFlashWorld world(shape, stream.get());
  world.verify(stream.get());
  const FlashBatch in = world.in();
  const FlashMetadata out = world.out();
  TimedFlashCall result;
  result.call = watch.both([&] {
    if (const char* problem = core::complaint(in, out)) throw BuilderError(problem);
    cuda::launch_flash(in, out, 0, Fault::none, stream.get());
  });
  result.bytes = world.cells_written() * 4 + bytes_read(shape);
  if (shape.swa) result.gathers = shape.rows * (positions_a_row(shape) + drafts_a_row(shape));
  return result;
}

}  // namespace pagestorm
