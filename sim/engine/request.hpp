#pragma once
// One request as the engine keeps it.

#include <cstdint>
#include <optional>
#include <vector>

#include "content.hpp"
#include "prefix_cache.hpp"

namespace pagestorm::sim {

struct Request {
  std::int64_t serial = 0;               ///< how many were admitted before it
  std::int64_t row = 0;                  ///< its row of req_to_token
  std::int64_t family = 0;               ///< whose prompts it begins like; 0 = nobody's
  std::int64_t length = 0;               ///< tokens committed, as the device knows
  std::int64_t known_length = 0;         ///< the same, as the host knows: behind by what the last verify accepted
  std::int64_t prompt = 0;               ///< tokens up to which it is prefilled before it decodes
  bool generated = false;                ///< whether tokens of its own follow the prompt
  std::int64_t allocated = 0;            ///< positions of its row that hold slots
  std::optional<std::int64_t> verified;  ///< length at the last verify, until its draft extend
  std::vector<std::int64_t> path;        ///< draft tokens of the last verify that were accepted and not moved yet
  std::int64_t verifies = 0;             ///< so far
  std::int64_t shared_columns = 0;       ///< first columns, whose pages belong to the prefix cache
  PrefixLock lock;                       ///< of the prefix cache
  std::int64_t evicted_pages = 0;        ///< columns below have given their SWA page back
  std::vector<std::int32_t> pages;       ///< page ids of the full pool, by column
  std::vector<std::int32_t> swa_pages;   ///< page ids of the SWA pool, by column; 0 = none
  std::vector<std::int64_t> punctured;   ///< columns whose slot was taken from req_to_token
  Content target;                        ///< what the slots of its positions hold in the target's pools
  Content draft;                         ///< the same in the draft model's

  /// A request of no tokens again; storage is kept.
  void clear() {
    serial = row = family = length = known_length = prompt = allocated = verifies = shared_columns = evicted_pages = 0;
    verified.reset();
    path.clear();
    lock = {};
    generated = false;
    pages.clear();
    swa_pages.clear();
    punctured.clear();
    target.clear();
    draft.clear();
  }
};

}  // namespace pagestorm::sim
