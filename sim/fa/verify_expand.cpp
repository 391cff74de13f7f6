#include "verify_expand.hpp"

#include "require.hpp"

namespace pagestorm::sim::fa {

VerifyExpand expand_verify(const TreeMask& mask, std::span<const std::int32_t> draft_slots) {
  const std::int64_t n = mask.draft_tokens;
  const auto slots = static_cast<std::int64_t>(draft_slots.size());
  const auto elements = static_cast<std::int64_t>(mask.sees.size());
  require(n > 0 && elements % (n * n) == 0, "a mask of {} draft tokens cannot have {} elements", n, elements);
  require(slots == mask.rows() * n, "draft_slots must have {} elements, has {}", mask.rows() * n, slots);
  VerifyExpand expand{.draft_tokens = n};
  for (std::int64_t i = 0; i < slots; ++i) {
    const std::int64_t row = i / n;
    require(mask.at(row, i % n, i % n), "draft token {} of row {} must see itself", i % n, row);
    std::vector<std::int32_t> seen, unseen;
    for (std::int64_t t = 0; t < n; ++t)
      (mask.at(row, i % n, t) ? seen : unseen).push_back(draft_slots[static_cast<std::size_t>(row * n + t)]);
    expand.cache_seqlens.push_back(static_cast<std::int64_t>(seen.size()));
    seen.insert(seen.end(), unseen.begin(), unseen.end());
    expand.slots.push_back(std::move(seen));
  }
  expand.cu_seqlens_k = cu_seqlens(expand.cache_seqlens);
  return expand;
}

}  // namespace pagestorm::sim::fa
