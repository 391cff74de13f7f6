#include "tree_mask.hpp"

#include "require.hpp"

namespace pagestorm::sim::fa {

TreeMask tree_mask(std::span<const std::int64_t> parents, std::int64_t draft_tokens) {
  require(draft_tokens > 0, "draft_tokens must be above 0, is {}", draft_tokens);
  const auto n = static_cast<std::size_t>(draft_tokens);
  require(parents.size() % n == 0, "parents must have a multiple of {} elements, has {}", n, parents.size());
  TreeMask mask{draft_tokens, std::vector<std::uint8_t>(parents.size() * n, 0)};
  for (std::size_t i = 0; i < parents.size(); ++i) {
    const std::size_t j = i % n;
    const std::int64_t parent = parents[i];
    require(parent >= -1 && parent < static_cast<std::int64_t>(j), "parent of token {} must be -1 to {}, is {}", i,
            static_cast<std::int64_t>(j) - 1, parent);
    // What the parent sees is complete: it came before.
    for (std::size_t t = 0; parent >= 0 && t < j; ++t)
      mask.sees[i * n + t] = mask.sees[(i - j + static_cast<std::size_t>(parent)) * n + t];
    mask.sees[i * n + j] = 1;
  }
  return mask;
}

TreeMask draft_columns(std::span<const std::uint8_t> full, std::span<const std::int64_t> lengths,
                       std::int64_t draft_tokens, std::int64_t padded) {
  require(draft_tokens > 0, "draft_tokens must be above 0, is {}", draft_tokens);
  require(padded >= 0, "there must be 0 or more padded rows, not {}", padded);
  require(padded == 0 || !full.empty(), "padded rows read element 0 of the mask, which has none");
  const auto held = static_cast<std::int64_t>(full.size());
  std::int64_t elements = 0;
  for (const std::int64_t length : lengths) {
    require(length >= 0 && length <= held, "lengths must be 0 to {}, what the mask holds; one is {}", held, length);
    elements += draft_tokens * (length + draft_tokens);
  }
  require(held >= elements, "the mask must have {} elements or more, has {}", elements, held);

  TreeMask mask{draft_tokens, {}};
  auto line = full.begin();
  for (const std::int64_t length : lengths)
    for (std::int64_t j = 0; j < draft_tokens; ++j, line += length + draft_tokens)
      for (std::int64_t t = 0; t < draft_tokens; ++t) mask.sees.push_back(line[length + t] != 0 ? 1 : 0);
  const std::uint8_t first = !full.empty() && full[0] != 0 ? 1 : 0;
  mask.sees.insert(mask.sees.end(), static_cast<std::size_t>(padded * draft_tokens * draft_tokens), first);
  return mask;
}

}  // namespace pagestorm::sim::fa
