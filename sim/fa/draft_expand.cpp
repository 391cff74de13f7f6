#include "draft_expand.hpp"

#include "require.hpp"

namespace pagestorm::sim::fa {
namespace {

// The pages of one branch, in order; the first of them holds `tail` tokens before the branch's first.
std::vector<std::int32_t> pages_of(std::span<const std::int32_t> slots, std::int64_t tail, std::int64_t page_size) {
  std::vector<std::int32_t> pages;
  for (std::size_t s = 0; s < slots.size(); ++s) {
    const std::int64_t offset = (tail + static_cast<std::int64_t>(s)) % page_size;
    require(slots[s] >= 0 && slots[s] % page_size == offset, "slot {} of step {} must stand at offset {} of a page",
            slots[s], s, offset);
    const auto page = static_cast<std::int32_t>(slots[s] / page_size);
    if (pages.empty() || pages.back() != page) pages.push_back(page);
  }
  return pages;
}

}  // namespace

DraftExpand expand_draft(std::span<const std::int32_t> branch_slots, std::span<const std::int64_t> lengths,
                         const DraftShape& shape, std::int64_t step, std::int64_t width) {
  require_shape(shape);
  require(step >= 0 && step < shape.steps, "step must be 0 to {}, is {}", shape.steps - 1, step);
  DraftExpand expand;
  const auto steps = static_cast<std::size_t>(shape.steps);
  const auto given = static_cast<std::int64_t>(branch_slots.size());
  const std::int64_t wanted = static_cast<std::int64_t>(lengths.size()) * shape.branches * shape.steps;
  require(given == wanted, "branch_slots must have {} elements, has {}", wanted, given);
  for (const std::int64_t length : lengths) {
    const BranchLayout layout = branch_layout(length, shape);
    expand.prefix_seqlens.push_back(layout.base);
    for (std::int64_t branch = 0; branch < shape.branches; ++branch) {
      auto pages = pages_of(branch_slots.first(steps), layout.tail, shape.page_size);
      branch_slots = branch_slots.subspan(steps);
      const auto columns = static_cast<std::int64_t>(pages.size());
      require(columns <= width, "a branch has {} pages, the table {} columns", columns, width);
      pages.resize(static_cast<std::size_t>(width), 0);
      expand.page_table.push_back(std::move(pages));
      expand.cache_seqlens.push_back(layout.tail + step + 1);
    }
  }
  return expand;
}

}  // namespace pagestorm::sim::fa
