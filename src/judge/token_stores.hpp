#pragma once
// KV stores as bodies for kernels: tags go to the slots that a call names, as a KV store kernel writes K and V, and to
// slots that the engine filled by other means.

#include <cstdint>

#include "hd.hpp"
#include "job.hpp"
#include "pagestorm/device_reader.hpp"

namespace pagestorm::judge {

/// The tags of all pools. All pointers are of the side that stores.
struct KvMemory {
  std::uint64_t* tags[kv_models][kv_pools] = {};  ///< each [(pages + 1) x page size]; null where there is no SWA
  std::int64_t pages[kv_pools] = {};              ///< besides the sink
  std::int32_t page_size = 1;                     ///< tokens

  PAGESTORM_JUDGE_HD bool holds(std::size_t pool, std::int64_t slot) const {
    return slot >= 0 && slot < (pages[pool] + 1) * page_size;
  }
};

/// The tokens of one pass, and where they go.
struct TokenStore {
  IntVector full;                             ///< out_cache_loc
  Vector<std::int64_t> swa;                   ///< swa_out_cache_loc; may have fewer elements, or more; null without SWA
  const std::uint64_t* tags[kv_models] = {};  ///< [full.size]; null: the model does not run
};

/// Write slots below 0 or outside of their pool, by pool.
struct Unwritten {
  std::int64_t slots[kv_pools] = {};
};

/// An element of a vector whose integer type is known at run time.
PAGESTORM_JUDGE_HD std::int64_t slot_at(const IntVector& vector, std::int64_t i) {
  return vector.type == IntType::int64 ? static_cast<const std::int64_t*>(vector.data)[i * vector.stride]
                                       : static_cast<const std::int32_t*>(vector.data)[i * vector.stride];
}

/// Token `i` of every model that runs goes to `slot`; false, and nothing is written, where the pool has no such slot.
PAGESTORM_JUDGE_HD bool store_token(const KvMemory& memory, const TokenStore& store, std::size_t pool, std::int64_t i,
                                    std::int64_t slot) {
  if (!memory.holds(pool, slot)) return false;
  for (std::size_t model = 0; model < kv_models; ++model)
    // Many padded rows write to one slot of the sink: it must hold the same in any order.
    if (store.tags[model] != nullptr)
      memory.tags[model][pool][slot] = slot < memory.page_size ? poison_tag : store.tags[model][i];
  return true;
}

/// One lane's share of a pass's tokens. Lanes write different slots as far as the call names different ones.
PAGESTORM_JUDGE_HD Unwritten store_tokens(const KvMemory& memory, const TokenStore& store, const Lane& lane) {
  Unwritten unwritten;
  for (std::int64_t i = lane.index; i < store.full.size; i += lane.count) {
    if (!store_token(memory, store, 0, i, slot_at(store.full, i))) ++unwritten.slots[0];
    if (store.swa.data == nullptr || i >= store.swa.size) continue;
    if (!store_token(memory, store, 1, i, store.swa.data[i * store.swa.stride])) ++unwritten.slots[1];
  }
  return unwritten;
}

/// One lane's share of all fills. A slot is always the same lane's, so fills of it are done in their order.
PAGESTORM_JUDGE_HD void fill_slots(const KvMemory& memory, const SlotFill* fills, std::int64_t count,
                                   const Lane& lane) {
  for (std::int64_t i = 0; i < count; ++i) {
    const SlotFill& fill = fills[i];
    std::uint64_t* tags = memory.tags[static_cast<std::size_t>(fill.model)][static_cast<std::size_t>(fill.pool)];
    const std::int64_t before = fill.slot % lane.count;
    const std::int64_t first = lane.index - before + (lane.index < before ? lane.count : 0);
    for (std::int64_t k = first; k < fill.count; k += lane.count)
      tags[fill.slot + k] = fill.tag + fill.step * static_cast<std::uint64_t>(k);
  }
}

}  // namespace pagestorm::judge
