#include "image.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>

#include "inputs.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::array part_names = {"status",   "prefix_seqlens", "cache_seqlens", "cu_seqlens_q",      "cu_seqlens_k",
                                   "schedule", "swa_page_table", "page_table",    "swa_out_cache_loc", "fence"};

}  // namespace

std::string_view name_of(Part part) { return part_names[static_cast<std::size_t>(part)]; }

void ImageLayout::place(Part part, std::int64_t rows, std::int64_t cols, std::int64_t row_stride,
                        std::int64_t col_stride, std::int64_t cell_words) {
  Section& section = sections_[static_cast<std::size_t>(part)];
  section = {words_, rows, cols, row_stride, col_stride, cell_words};
  words_ = std::max(words_, rows == 0 ? words_ : words_ + (rows - 1) * row_stride + cols * col_stride) + fence;
  words_ += words_ % 2;
}

void ImageLayout::begin() {
  sections_.assign(part_count, Section{.rows = 0});
  words_ = fence;
}

void ImageLayout::lay_out_flash(const Config& config, std::int64_t rows, std::int64_t room, std::int64_t width,
                                std::int64_t schedule) {
  const Layout& layout = config.layout;
  begin();
  swa_ = false;
  sweeps_ = layout.sweep && layout.far == Far::none;
  below_ = layout.far == Far::page_table ? far_below : 0;
  place(Part::status, 1, 1, 0, 1, 1);
  place(Part::prefix_seqlens, 1, rows, 0, layout.output_stride, 1);
  place(Part::cache_seqlens, 1, room, 0, layout.output_stride, 1);
  place(Part::cu_seqlens_q, 1, room + 1, 0, layout.output_stride, 1);
  place(Part::cu_seqlens_k, 1, room + 1, 0, layout.output_stride, 1);
  place(Part::schedule, 1, schedule, 0, layout.output_stride, 1);
  const std::int64_t stride = layout.far == Far::page_table && room <= far_rows
                                  ? far_stride
                                  : width * layout.table_stride + layout.table_padding;
  place(Part::page_table, room, width, stride, layout.table_stride, 1);
}

void ImageLayout::lay_out(const Config& config) {
  const Layout& layout = config.layout;
  const std::int64_t rows = Inputs::row_capacity(config);
  const std::int64_t step = layout.output_stride;
  const std::int64_t width = config.width();
  const auto stride = [&](Far far, std::int64_t col_stride, std::int64_t padding) {
    return layout.far == far ? far_stride : width * col_stride + padding;
  };
  begin();
  swa_ = config.swa;
  sweeps_ = layout.sweep && layout.far == Far::none;
  below_ = layout.far == Far::page_table || layout.far == Far::swa_page_table ? far_below : 0;
  place(Part::status, 1, 1, 0, 1, 1);
  place(Part::cache_seqlens, 1, rows, 0, step, 1);
  place(Part::cu_seqlens_q, 1, rows + 1, 0, step, 1);
  place(Part::cu_seqlens_k, 1, rows + 1, 0, step, 1);
  const std::int64_t swa_stride = stride(Far::swa_page_table, layout.swa_table_stride, layout.swa_table_padding);
  place(Part::swa_page_table, swa_ ? rows : 0, width, swa_stride, layout.swa_table_stride, 1);
  place(Part::page_table, rows, width, stride(Far::page_table, layout.table_stride, layout.table_padding),
        layout.table_stride, 1);
  const std::int64_t writes = Inputs::write_capacity(config) + std::max<std::int64_t>(layout.write_room, 0);
  place(Part::swa_out_cache_loc, swa_ ? 1 : 0, writes, 0, 2 * step, 2);
}

Metadata ImageLayout::bind(std::byte* base, const Extent& extent) const {
  auto* words = reinterpret_cast<std::int32_t*>(base);
  const auto vector = [&](Part part, std::int64_t size) {
    return Vector<std::int32_t>{words + section(part).first, size, section(part).col_stride};
  };
  const auto matrix = [&](Part part) {
    const Section& s = section(part);
    return Matrix<std::int32_t>{words + s.first, extent.rows, s.cols, s.row_stride, s.col_stride};
  };
  Metadata out{.cache_seqlens = vector(Part::cache_seqlens, extent.rows),
               .cu_seqlens_q = vector(Part::cu_seqlens_q, extent.rows + 1),
               .cu_seqlens_k = vector(Part::cu_seqlens_k, extent.rows + 1),
               .page_table = matrix(Part::page_table),
               .status = reinterpret_cast<std::uint32_t*>(words + section(Part::status).first)};
  if (!swa_) return out;
  const Section& writes = section(Part::swa_out_cache_loc);
  out.swa_page_table = matrix(Part::swa_page_table);
  out.swa_out_cache_loc = {reinterpret_cast<std::int64_t*>(words + writes.first), extent.write_slots,
                           writes.col_stride / 2};
  return out;
}

FlashMetadata ImageLayout::bind_flash(std::byte* base, std::int64_t rows, std::int64_t room) const {
  auto* words = reinterpret_cast<std::int32_t*>(base);
  const auto vector = [&](Part part, std::int64_t size) {
    return Vector<std::int32_t>{words + section(part).first, size, section(part).col_stride};
  };
  const Section& table = section(Part::page_table);
  return {.prefix_seqlens = vector(Part::prefix_seqlens, rows),
          .cache_seqlens = vector(Part::cache_seqlens, room),
          .cu_seqlens_q = vector(Part::cu_seqlens_q, room + 1),
          .cu_seqlens_k = vector(Part::cu_seqlens_k, room + 1),
          .page_table = {words + table.first, room, table.cols, table.row_stride, table.col_stride},
          .schedule = vector(Part::schedule, section(Part::schedule).cols),
          .status = reinterpret_cast<std::uint32_t*>(words + section(Part::status).first)};
}

Place ImageLayout::locate(std::int64_t word) const {
  Place place;
  for (int i = 0; i < part_count; ++i) {
    const Section& s = sections_[static_cast<std::size_t>(i)];
    if (s.rows == 0 || word < s.first) continue;
    const std::int64_t offset = word - s.first;
    const std::int64_t row = s.row_stride == 0 ? 0 : std::min(offset / s.row_stride, s.rows - 1);
    const std::int64_t column = (offset - row * s.row_stride) / s.col_stride;
    const auto part = static_cast<Part>(i);
    const bool table = part == Part::page_table || part == Part::swa_page_table;
    if (word < s.last() && column < s.cols) {
      place = {part, row, column,
               table ? fmt::format("{}, row {}, column {}", name_of(part), row, column)
                     : fmt::format("{}, element {}", name_of(part), column)};
      const std::int64_t rest = (offset - row * s.row_stride) % s.col_stride;
      if (rest >= s.cell_words) place.text = fmt::format("the gap after {}", place.text);
    } else if (word < s.last()) {
      place = {Part::fence, row, column, fmt::format("the padding after row {} of {}", row, name_of(part))};
    } else {
      place = {Part::fence, row, column,
               fmt::format("the fence, word {} after {}", word - s.last() + 1, name_of(part))};
    }
  }
  if (place.text.empty()) place.text = fmt::format("word {} before the first output", word);
  return place;
}

void Image::prepare(const ImageLayout& layout) {
  if (far_) memory_.forget();
  far_ = layout.below() > 0;
  memory_.reserve(layout.below() * 4, layout.words() * 4);
}

void Image::poison(const ImageLayout& layout, std::span<const Range> zone, std::int32_t poison) {
  assert(static_cast<std::uint32_t>(poison) == (poison & 0xffu) * 0x01010101u);
  for (const Range& range : zone)
    std::memset(words() + range.first, poison & 0xff, static_cast<std::size_t>(range.last - range.first) * 4);
  words()[layout.section(Part::status).first] = 0;
}

}  // namespace pagestorm::sim
