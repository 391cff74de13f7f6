#pragma once
// What a step did to the pools, in order, for those who keep an account of their own.

#include <cstdint>

namespace pagestorm::sim {

enum class Pool : std::uint8_t { full, swa };

enum class EventKind : std::uint8_t {
  freed,    ///< `page` of `pool` went back: its content means nothing any longer
  refused,  ///< the allocator refused to take `page` back: it was free already, or no page at all
  loaded,   ///< the first `tokens` positions of the youngest request were filled from elsewhere, in all pools
  moved,    ///< the KV of a token was copied to `slot` of `pool`: of the draft model's where `draft` says so
};

struct PoolEvent {
  EventKind kind = EventKind::freed;
  Pool pool = Pool::full;
  std::int32_t page = 0;
  std::int64_t tokens = 0;
  std::int64_t slot = 0;
  std::uint64_t id = 0;  ///< of the token, 0 = nobody knows
  bool draft = false;
};

}  // namespace pagestorm::sim
