#pragma once
// How long the device operations take, and how long the device itself needs for what they must move.

#include <cstdint>
#include <string>

#include "pagestorm/batch.hpp"
#include "pagestorm/flash.hpp"

namespace pagestorm {

/// A call to time: decode, rows of equal length over pages in random order; indices, lengths, write slots and map are
/// int64, one write slot a row.
struct TimedShape {
  std::int64_t rows = 1;
  std::int64_t length = 1;
  std::int32_t page_size = 1;
  std::int64_t context = 1;  ///< tokens that a row has room for
  bool swa = false;
  Entry entry = Entry::apply;

  constexpr std::int64_t pages() const { return rows * ((length + page_size - 1) / page_size); }
};

/// An operation of the FlashAttention family to time: rows of equal length over pages in random order, trees that are chains;
/// indices, lengths, slots and map are int64.
struct TimedFlash {
  FlashOp op = FlashOp::draft_expand;
  std::int64_t rows = 1;
  std::int64_t length = 1;  ///< L, or K where the operation is given that
  std::int32_t page_size = 1;
  std::int32_t branches = 1;        ///< k
  std::int32_t draft_steps = 1;     ///< T; the last step is timed
  std::int32_t tokens_per_row = 1;  ///< N; queries of local_blocks
  std::int32_t window = 0;
  std::int32_t chunk = 1;
  std::int64_t prompt = 0;  ///< prompt_lens of every row
  bool swa = false;
};

/// Microseconds of one call: the median of repeats, and the repeats furthest from it.
struct Spread {
  double median = 0;
  double least = 0;
  double most = 0;
};

/// One thing timed in both ways.
struct Timed {
  Spread graph;  ///< device time: the median replay of a graph of 50 calls, divided by 50
  Spread eager;  ///< host time: 300 calls and one synchronization, divided by 300
};

/// A call, and what the device needs for its parts when nothing else is to be done. All but `call` are graph times with
/// the launch in them; 0 where the call has no such part.
struct TimedCall {
  Timed call;
  double copy = 0;     ///< page size 1: a copy of as many bytes as the live cells of the table have
  double sectors = 0;  ///< other page sizes: reading the first slot of every live page, from the same addresses
  double gather = 0;   ///< SWA: as many reads of the same map, in random order
};

/// An operation, and what it must move at the least.
struct TimedFlashCall {
  Timed call;
  std::int64_t bytes = 0;    ///< written, and read as whole sectors of 32 bytes where slots lie apart
  std::int64_t gathers = 0;  ///< look-ups in the full-to-SWA map
};

/// What the device can do, whatever the call.
struct DeviceRates {
  Timed empty;            ///< a kernel that does nothing with as many bytes of arguments, launched plainly
  double copy_bytes = 0;  ///< device to device, 1 GiB: bytes read and bytes written, a second
  double sectors = 0;     ///< 32-byte sectors a second, one in every 256 bytes of 2 GiB
  double gathers = 0;     ///< random 8-byte reads a second, from 64 MiB
};

/// Why nothing can be timed here; empty when it can.
std::string device_timing_absent_because();

DeviceRates device_rates(int repeats);

/// Times a call once its results have been found equal to those of the host builder. Throws BuilderError when they are not.
TimedCall device_time(const TimedShape& shape, int repeats);

/// The same of an operation of the family.
TimedFlashCall device_time(const TimedFlash& shape, int repeats);

}  // namespace pagestorm
