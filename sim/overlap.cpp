#include "overlap.hpp"

#include <algorithm>
#include <iterator>
#include <span>

#include "pagestorm/ids.hpp"

namespace pagestorm::sim {
namespace {

constexpr std::int32_t to_id(std::int64_t number) { return static_cast<std::int32_t>(number); }

/// Positions that attention sees in a row.
std::int64_t keys_of(const Forward& forward, const ForwardRow& row) {
  switch (forward.mode) {
    case Mode::draft_decode: return row.length + forward.draft_step + 1;
    case Mode::target_verify: return row.length + forward.tokens_per_row;
    case Mode::ragged_verify: return row.length + row.new_tokens;
    default: return row.length;
  }
}

/// Pages of columns [first, end).
std::span<const std::int32_t> columns(const std::vector<std::int32_t>& pages, std::int64_t first, std::int64_t end) {
  end = std::min(end, static_cast<std::int64_t>(pages.size()));
  if (first >= end) return {};
  return std::span(pages).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(end - first));
}

void add_pages(std::vector<std::int32_t>& to, std::span<const std::int32_t> pages) {
  to.insert(to.end(), pages.begin(), pages.end());
}

/// Columns without an SWA page are left out.
void add_swa_pages(std::vector<std::int32_t>& to, std::span<const std::int32_t> pages) {
  std::copy_if(pages.begin(), pages.end(), std::back_inserter(to), [](std::int32_t page) { return page != sink; });
}

}  // namespace

void Overlap::start(const Config& config, Fault fault) {
  plan_.start(config.timing, fault);
  row_owners_.assign(static_cast<std::size_t>(config.requests) + 1, -1);
}

void Overlap::follow(const World& world, Outcome outcome) {
  const StepKind kind = world.step().kind;
  work_.clear();
  work_.name = has_batch(kind) ? "reserve" : name_of(kind);
  work_.plans_batch =
      has_batch(kind) || kind == StepKind::admit || kind == StepKind::arrive || kind == StepKind::readmit;
  note_owners(world);
  note_writes(world);
  if (outcome == Outcome::batch) note_forward(world);
  plan_.play(work_);
}

// A row has a new owner when another request lives in it than before, whoever was there in between.
void Overlap::note_owners(const World& world) {
  for (const Request& request : world.requests()) {
    std::int64_t& owner = row_owners_[static_cast<std::size_t>(request.row)];
    if (owner == request.serial) continue;
    owner = request.serial;
    work_.rows_issued.push_back(to_id(request.row));
  }
}

void Overlap::note_writes(const World& world) {
  const std::int64_t requests = world.config().requests;
  for (const Inputs::Cells& cells : world.inputs().cells_written()) {
    const std::int64_t of = cells.row > requests ? cells.row - requests : cells.row;
    work_.rows_written.push_back(
        {to_id(cells.row), {to_id(cells.first), to_id(cells.end)}, to_id(row_owners_[static_cast<std::size_t>(of)])});
  }
  const auto mapped = world.inputs().pages_mapped();
  work_.maps_written.assign(mapped.begin(), mapped.end());
  for (const PoolEvent& event : world.events()) {
    if (event.kind == EventKind::loaded) note_load(world, event.tokens);
    const bool frees = event.kind == EventKind::freed && event.pool == Pool::swa;
    work_.frees_by_window = work_.frees_by_window || (frees && world.step().kind == StepKind::evict);
  }
}

void Overlap::note_load(const World& world, std::int64_t tokens) {
  const Request& request = world.requests().back();
  const std::int64_t end = (tokens + world.config().page_size - 1) / world.config().page_size;
  work_.rows_loaded.push_back({to_id(request.row), {0, to_id(tokens)}, to_id(request.serial)});
  add_pages(work_.pages_loaded, columns(request.pages, 0, end));
  add_swa_pages(work_.swa_pages_loaded, columns(request.swa_pages, 0, end));
}

void Overlap::note_forward(const World& world) {
  const Forward& forward = world.forward();
  const StepKind kind = world.step().kind;
  work_.has_forward = true;
  work_.captured = forward.captured;
  work_.prefills = forward.mode == Mode::extend;
  work_.may_plan =
      forward.mode == Mode::target_verify || forward.mode == Mode::ragged_verify || forward.mode == Mode::draft_extend;
  // A draft extend goes by the lengths that its verify began with.
  work_.speculates = forward.mode == Mode::draft_decode || (work_.may_plan && forward.mode != Mode::draft_extend);
  work_.commits = kind == StepKind::verify || kind == StepKind::ragged;
  work_.ragged = kind == StepKind::ragged;
  for (const ForwardRow& row : forward.rows)
    if (row.request >= 0 && row.odd == Odd::none) note_row(world, row);
}

void Overlap::note_row(const World& world, const ForwardRow& row) {
  const Request& request = world.requests()[static_cast<std::size_t>(row.request)];
  const Config& config = world.config();
  const std::int64_t size = config.page_size;
  const std::int64_t keys = std::min(keys_of(world.forward(), row), config.columns());
  const std::int64_t first = row.start / size;
  const std::int64_t end = first + (keys + size - 1) / size;
  work_.rows_read.push_back({to_id(row.pool_row), {0, to_id(keys)}, to_id(request.serial)});
  work_.relays.push_back(to_id(request.row));
  add_pages(work_.pages_read, columns(request.pages, first, end));
  if (config.swa) {
    const std::int64_t windowed = world.first_windowed_column(row.first_write);
    add_pages(work_.maps_read, columns(request.pages, first, end));
    add_swa_pages(work_.swa_pages_read, columns(request.swa_pages, std::max(first, windowed), end));
  }
  if (row.writes == 0) return;
  const std::int64_t from = row.first_write / size;
  const std::int64_t to = (row.first_write + row.writes - 1) / size + 1;
  add_pages(work_.pages_written, columns(request.pages, from, to));
  add_swa_pages(work_.swa_pages_written, columns(request.swa_pages, from, to));
}

}  // namespace pagestorm::sim
