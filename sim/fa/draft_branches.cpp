#include "draft_branches.hpp"

#include "require.hpp"

namespace pagestorm::sim::fa {
namespace {

std::int64_t pages_of(std::int64_t tokens, std::int64_t page_size) { return (tokens + page_size - 1) / page_size; }

}  // namespace

void require_shape(const DraftShape& shape) {
  require(shape.page_size > 0, "page_size must be above 0, is {}", shape.page_size);
  require(shape.branches > 0, "branches must be above 0, is {}", shape.branches);
  require(shape.steps > 0, "steps must be above 0, is {}", shape.steps);
}

BranchLayout branch_layout(std::int64_t length, const DraftShape& shape) {
  require_shape(shape);
  require(length >= 0, "length must be 0 or more, is {}", length);
  const std::int64_t tail = length % shape.page_size;
  return {
      .base = length - tail, .stride = shape.page_size * pages_of(tail + shape.steps, shape.page_size), .tail = tail};
}

std::vector<std::vector<std::int64_t>> branch_positions(std::int64_t length, const DraftShape& shape) {
  const BranchLayout layout = branch_layout(length, shape);
  std::vector<std::vector<std::int64_t>> positions;
  for (std::int64_t branch = 0; branch < shape.branches; ++branch) {
    auto& row = positions.emplace_back();
    for (std::int64_t step = 0; step < shape.steps; ++step) row.push_back(layout.position(branch, step));
  }
  return positions;
}

std::vector<TokenCopy> tail_copies(std::int64_t length, const DraftShape& shape) {
  const BranchLayout layout = branch_layout(length, shape);
  std::vector<TokenCopy> copies;
  for (std::int64_t branch = 1; branch < shape.branches; ++branch)
    for (std::int64_t offset = 0; offset < layout.tail; ++offset)
      copies.push_back({layout.base + offset, layout.base + branch * layout.stride + offset});
  return copies;
}

std::int64_t branch_room(const DraftShape& shape) { return shape.branches * shape.page_size * branch_pages(shape); }

std::int64_t branch_pages(const DraftShape& shape) {
  require_shape(shape);
  return pages_of(shape.page_size - 1 + shape.steps, shape.page_size);
}

}  // namespace pagestorm::sim::fa
