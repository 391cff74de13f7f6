#include "inputs.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstring>

#include "pagestorm/ids.hpp"
#include "runs.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int64_t alignment = 64;
constexpr std::int64_t sealed = 4;  // hostile elements after the last one in use

std::int64_t bytes_of(IntType type) { return type == IntType::int64 ? 8 : 4; }

// Of all inputs of the process: memory of those that are gone may come back at the same address.
std::uint64_t next_generation() {
  static std::atomic<std::uint64_t> last = 0;
  return ++last;
}

}  // namespace

std::int64_t Inputs::row_capacity(const Config& config) {
  const std::int64_t largest = config.buckets.empty() ? 0 : config.buckets.back();
  return std::max(config.requests, largest);
}

std::int64_t Inputs::write_capacity(const Config& config) {
  return std::max(config.requests * config.columns(),
                  row_capacity(config) * std::max(config.draft_tokens, config.top_k));
}

Inputs::Array Inputs::place(std::int64_t& end, IntType type, std::int64_t stride, std::int64_t capacity) const {
  const Array array{end, type, stride, capacity + sealed};
  end += (array.capacity * stride * bytes_of(type) + alignment - 1) / alignment * alignment;
  return array;
}

void Inputs::lay_out(const Config& config, std::int64_t annex_bytes) {
  clean();
  config_ = config;
  const Layout& layout = config.layout;
  std::int64_t end = 0;
  const std::int64_t rows = row_capacity(config);
  indices_ = place(end, layout.index_type, layout.input_stride, rows);
  lengths_ = place(end, layout.length_type, layout.input_stride, rows);
  extends_ = place(end, layout.length_type, layout.input_stride, rows);
  finals_ = place(end, layout.length_type, layout.input_stride, rows);
  locations_ = place(end, layout.location_type, layout.input_stride, write_capacity(config));
  map_view_ = place(end, layout.map_type, layout.input_stride, config.swa ? (config.pages + 1) * config.page_size : 0);
  annex_ = end;
  end += (annex_bytes + alignment - 1) / alignment * alignment;
  slots_ = {.rows = config.request_rows(),
            .cols = config.columns(),
            .row_stride = config.columns() * layout.slots_stride + layout.slots_padding,
            .col_stride = layout.slots_stride};
  if (layout.far == Far::req_to_token) slots_.row_stride = far_stride;
  const std::int64_t slots_offset = end;
  end += slots_.rows * slots_.row_stride * 4 + alignment;
  memory_.reserve(layout.far == Far::req_to_token ? 4 * far_below : 0, end);
  slots_.data = reinterpret_cast<std::int32_t*>(memory_.base() + slots_offset);
  written_to_.assign(static_cast<std::size_t>(slots_.rows), 0);
  generation_ = next_generation();
  changed_.clear();
  forget_writes();
  if (!config.swa) return;
  map_.lay_out(memory_.base() + map_view_.offset, map_view_.type, map_view_.stride, config.pages, config.page_size);
  map_pages(std::array{sink}, std::array{sink});
}

void Inputs::clean() {
  if (memory_.base() == nullptr) return;
  if (config_.layout.far == Far::req_to_token) memory_.forget();
  for (std::int64_t row = 0; row < slots_.rows; ++row)
    std::memset(cell(row, 0), 0,
                static_cast<std::size_t>(written_to_[static_cast<std::size_t>(row)] * slots_.col_stride * 4));
  map_.clear();
  const std::int64_t location_bytes = locations_used_ * locations_.stride * bytes_of(locations_.type);
  std::memset(memory_.base(), 0, static_cast<std::size_t>(locations_.offset + location_bytes));
  locations_used_ = 0;
  std::memset(annex(), 0, static_cast<std::size_t>(annex_used_));
  annex_used_ = 0;
}

void Inputs::note_annex(std::int64_t first, std::int64_t bytes) {
  annex_used_ = std::max(annex_used_, first + bytes);
  note(annex_ + first, bytes);
}

std::int32_t* Inputs::cell(std::int64_t row, std::int64_t position) const {
  return slots_.data + row * slots_.row_stride + position * slots_.col_stride;
}

void Inputs::forget_writes() {
  cells_written_.clear();
  pages_mapped_.clear();
}

std::int32_t Inputs::slot(std::int64_t row, std::int64_t position) const { return *cell(row, position); }

void Inputs::note(std::int64_t first, std::int64_t bytes) {
  if (!tracked_ || bytes == 0) return;
  if (!changed_.empty() && changed_.back().first + changed_.back().bytes == first) {
    changed_.back().bytes += bytes;
    return;
  }
  changed_.push_back({first, bytes});
}

void Inputs::note_cells(std::int64_t row, std::int64_t position, std::int64_t count) {
  if (count <= 0) return;
  assert(row >= 0 && row < slots_.rows && position >= 0 && position + count <= slots_.cols);
  auto& written = written_to_[static_cast<std::size_t>(row)];
  const std::int64_t end = position + count;
  // What is left out in between reads as zero, and may be read by whoever takes positions one by one.
  const std::int64_t from = std::min(position, written);
  written = std::max(written, end);
  note(reinterpret_cast<std::byte*>(cell(row, from)) - memory_.base(), ((end - from - 1) * slots_.col_stride + 1) * 4);
}

// Cells that nothing wrote still read as zero, but a builder with memory of its own must be told so.
void Inputs::reach(std::int64_t row, std::int64_t positions) {
  if (row < 0 || row >= slots_.rows) return;
  const std::int64_t from = written_to_[static_cast<std::size_t>(row)];
  note_cells(row, from, std::min(positions, slots_.cols) - from);
}

void Inputs::write_slots(std::int64_t row, std::int64_t from, std::int64_t to, std::span<const std::int32_t> pages) {
  const auto size = static_cast<std::int32_t>(config_.page_size);
  const std::int64_t step = slots_.col_stride;
  std::int32_t* at = cell(row, from);
  note_cells(row, from, to - from);
  if (from < to) cells_written_.push_back({row, from, to});
  if (size == 1 && step == 1) {
    std::copy_n(pages.begin() + from, to - from, at);
    return;
  }
  auto column = static_cast<std::size_t>(from / size);
  auto offset = static_cast<std::int32_t>(from % size);
  for (std::int64_t left = to - from; left > 0; ++column, offset = 0) {
    const std::int64_t count = std::min<std::int64_t>(left, size - offset);
    const std::int32_t slot = pages[column] * size + offset;
    count_up(at, step, count, slot);
    at += count * step;
    left -= count;
  }
}

void Inputs::write_value(std::int64_t row, std::int64_t position, std::int32_t value, std::int64_t count) {
  repeat(cell(row, position), slots_.col_stride, count, value);
  note_cells(row, position, count);
  if (count > 0) cells_written_.push_back({row, position, position + count});
}

std::int64_t Inputs::mapped(std::int64_t slot) const { return map_.at(slot); }

void Inputs::unmap_slots(std::int32_t page, std::int64_t slots) {
  map_.unmap_slots(page, slots);
  note(map_view_.offset + page * map_.page_bytes(), map_.page_bytes());
  pages_mapped_.push_back(page);
}

void Inputs::map_pages(std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages) {
  map_.map_pages(pages, swa_pages);
  pages_mapped_.insert(pages_mapped_.end(), pages.begin(), pages.end());
  if (!tracked_) return;
  const std::int64_t bytes = map_.page_bytes();
  for (const std::int32_t page : pages) note(map_view_.offset + page * bytes, bytes);
}

void Inputs::put(const Array& array, std::int64_t index, std::int64_t value) {
  std::byte* at = memory_.base() + array.offset + index * array.stride * bytes_of(array.type);
  if (array.type == IntType::int64)
    *reinterpret_cast<std::int64_t*>(at) = value;
  else
    *reinterpret_cast<std::int32_t*>(at) = static_cast<std::int32_t>(value);
}

void Inputs::seal(const Array& array, std::int64_t used) {
  for (std::int64_t i = used; i < std::min(used + sealed, array.capacity); ++i) put(array, i, hostile);
  note(array.offset, std::min(used + sealed, array.capacity) * array.stride * bytes_of(array.type));
}

IntVector Inputs::view(const Array& array, std::int64_t size) const {
  return {memory_.base() + array.offset, size, array.stride, array.type};
}

std::int32_t Inputs::write_slot(const Forward& forward, const ForwardRow& row, std::int64_t j) const {
  if (row.owner == 0) return sink;
  return forward.extrapolates ? slot(row.owner, row.first_write) + static_cast<std::int32_t>(j)
                              : slot(row.owner, row.position(j));
}

const Batch& Inputs::stage(const Forward& forward) {
  const auto rows = static_cast<std::int64_t>(forward.rows.size());
  std::int64_t write = 0;
  for (std::int64_t b = 0; b < rows; ++b) {
    const ForwardRow& row = forward.rows[static_cast<std::size_t>(b)];
    put(indices_, b, row.pool_row);
    put(lengths_, b, row.length);
    put(extends_, b, forward.counts_tokens() ? row.new_tokens : hostile);
    // Write slots follow the request that owns them, whatever row the device is told to read.
    for (std::int64_t j = 0; j < row.writes; ++j, ++write) put(locations_, write, write_slot(forward, row, j));
    reach(row.pool_row, std::max<std::int64_t>(row.length, 0) + forward.tokens_per_row + row.new_tokens +
                            forward.draft_step + 1 + 2 * config_.page_size);
    if (row.odd == Odd::negative_slot && row.writes > 0) put(locations_, write - row.writes, absent_slot);
  }
  for (const Array* array : {&indices_, &lengths_, &extends_}) seal(*array, rows);
  seal(locations_, write);
  locations_used_ = std::max(locations_used_, write + sealed);
  batch_ = {.mode = forward.mode,
            .draft_step = static_cast<std::int32_t>(forward.draft_step),
            .tokens_per_row = static_cast<std::int32_t>(forward.tokens_per_row),
            .has_cached_prefix = forward.has_cached_prefix,
            .page_size = static_cast<std::int32_t>(config_.page_size),
            .rows = rows,
            .req_to_token = {slots_.data, slots_.rows, slots_.cols, slots_.row_stride, slots_.col_stride},
            .req_pool_indices = view(indices_, rows),
            .seq_lens = view(lengths_, rows),
            .extend_seq_lens = view(extends_, rows),
            .out_cache_loc = view(locations_, write)};
  if (config_.swa) batch_.full_to_swa = view(map_view_, (config_.pages + 1) * config_.page_size);
  return batch_;
}

Batch Inputs::build_batch(std::span<const std::int32_t> keys) {
  const auto rows = static_cast<std::int64_t>(keys.size());
  for (std::int64_t b = 0; b < rows; ++b) put(finals_, b, keys[static_cast<std::size_t>(b)]);
  seal(finals_, rows);
  Batch build = batch_;
  build.entry = Entry::build;
  build.seq_lens = view(finals_, rows);
  build.out_cache_loc.size = 0;
  return build;
}

void Inputs::blank_lengths() {
  for (std::int64_t b = 0; b < batch_.rows; ++b) put(lengths_, b, 0);
}

void Inputs::disturb(const Forward& forward, std::span<const std::int64_t> live) {
  constexpr std::int32_t flip = 0x01010101;  // its own inverse under exclusive or
  const std::int64_t size = config_.page_size;
  const auto flip_cells = [&](std::int64_t row, std::int64_t from, std::int64_t to) {
    to = std::min(to, slots_.cols);
    if (from >= to) return;
    for (std::int64_t p = from; p < to; ++p) *cell(row, p) ^= flip;
    note_cells(row, from, to - from);
  };
  std::vector<std::int64_t> reads(static_cast<std::size_t>(slots_.rows), 0);
  for (std::size_t b = 0; b < forward.rows.size(); ++b) {
    const std::int64_t row = forward.rows[b].pool_row;
    if (row >= 0 && row < slots_.rows)
      reads[static_cast<std::size_t>(row)] = std::max(reads[static_cast<std::size_t>(row)], live[b]);
  }
  for (std::int64_t row = 0; row < slots_.rows; ++row) {
    const std::int64_t pages = reads[static_cast<std::size_t>(row)];
    if (pages == 0) continue;
    flip_cells(row, 1, size);
    if (pages > 1) flip_cells(row, (pages - 1) * size + 1, pages * size);
    flip_cells(row, pages * size, pages * size + 2);
  }
}

Batch Inputs::batch_of_first(const Forward& forward, std::int64_t rows) const {
  Batch part = batch_;
  part.rows = rows;
  part.req_pool_indices.size = part.seq_lens.size = part.extend_seq_lens.size = rows;
  part.out_cache_loc.size = 0;
  for (std::int64_t b = 0; b < rows; ++b) part.out_cache_loc.size += forward.rows[static_cast<std::size_t>(b)].writes;
  return part;
}

}  // namespace pagestorm::sim
