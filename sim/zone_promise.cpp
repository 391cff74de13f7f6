// What a zone leaves out because the builder promised nothing about it.

#include <algorithm>

#include "zone.hpp"

namespace pagestorm::sim {
namespace {

// What is left of ascending, disjoint ranges.
std::vector<Range> without(std::span<const Range> ranges, std::span<const Range> gone) {
  std::vector<Range> left;
  auto next = gone.begin();
  for (const Range& range : ranges) {
    std::int64_t at = range.first;
    while (next != gone.end() && next->last <= at) ++next;
    for (auto hole = next; hole != gone.end() && hole->first < range.last; ++hole) {
      if (at < hole->first) left.push_back({at, hole->first});
      at = std::max(at, hole->last);
    }
    if (at < range.last) left.push_back({at, range.last});
  }
  return left;
}

// The cells [from, to) of one row of a section.
void add_cells(std::vector<Range>& ranges, const Section& section, std::int64_t row, std::int64_t from,
               std::int64_t to) {
  for (std::int64_t c = from; c < to; ++c) {
    const std::int64_t first = section.at(row, c);
    if (!ranges.empty() && ranges.back().last == first)
      ranges.back().last += section.cell_words;
    else
      ranges.push_back({first, first + section.cell_words});
  }
}

}  // namespace

void Zone::leave_out(const ImageLayout& layout, const Extent& extent, Reference& expected) {
  const Promise& promise = expected.promise();
  std::vector<Range>& gone = left_out_;
  if (!promise.status) add_cells(gone, layout.section(Part::status), 0, 0, 1);
  if (expected.sums() && !promise.element_zero)
    for (const Part part : {Part::cu_seqlens_q, Part::cu_seqlens_k}) add_cells(gone, layout.section(part), 0, 0, 1);
  for (const Part part : {Part::swa_page_table, Part::page_table}) {
    const Section& table = layout.section(part);
    if (table.rows == 0) continue;
    for (std::int64_t row = 0; row < expected.rows(); ++row) {
      for (std::int64_t c = 0; expected.any_open() && c < expected.live(row); ++c)
        if (expected.is_open(row, c, part == Part::swa_page_table)) add_cells(gone, table, row, c, c + 1);
      if (promise.full_width) add_cells(gone, table, row, expected.live(row), table.cols);
    }
  }
  const std::int64_t given = promise.write_slots ? expected.writes_given() : 0;
  if (layout.swa() && expected.sums() && !(promise.write_slots && promise.tail_zeros))
    add_cells(gone, layout.section(Part::swa_out_cache_loc), 0, given, extent.write_slots);
  if (gone.empty()) return;
  std::ranges::sort(gone, {}, &Range::first);
  judged_ = without(judged_, gone);
  live_ = without(live_, gone);
}

}  // namespace pagestorm::sim
