#include "holdings.hpp"

#include <algorithm>

#include "pagestorm/ids.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {

std::string owner_name(std::int64_t owner) {
  return owner == Holding::cache ? std::string("the prefix cache") : sim::letter(owner);
}

void Holdings::start() {
  nodes_.clear();
  for (const std::size_t row : held_) rows_[row] = {};
  held_.clear();
}

void Holdings::update(const sim::World& world) {
  gone_.clear();
  come_.clear();
  ++calls_;
  for (const sim::NodeId id : world.cache().nodes().changed()) {
    const auto at = static_cast<std::size_t>(id);
    if (at >= nodes_.size()) nodes_.resize(at + 1);
    const sim::PrefixNode& node = world.cache().nodes()[id];
    follow(nodes_[at], node.pages, node.swa_pages, 0, Holding::cache);
  }
  std::vector<std::size_t> held;
  held.reserve(world.requests().size());
  for (const sim::Request& request : world.requests()) {
    const auto row = static_cast<std::size_t>(request.row);
    if (row >= rows_.size()) {
      rows_.resize(row + 1);
      last_met_.resize(row + 1);
    }
    follow(rows_[row], request.pages, request.swa_pages, static_cast<std::size_t>(request.shared_columns),
           request.serial);
    last_met_[row] = calls_;
    held.push_back(row);
  }
  for (const std::size_t row : held_)
    if (last_met_[row] != calls_) leave(row);
  held_ = std::move(held);
}

// Columns before `first` belong to somebody else.
void Holdings::follow(Row& row, std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages,
                      std::size_t first, std::int64_t owner) {
  // Most rows are what they were: to see that costs less than to go through them.
  if (!row.kept.empty() && row.kept.front().owner == owner && row.is(pages, swa_pages, first)) return;
  row.pages.assign(pages.begin(), pages.end());
  row.swa_pages.assign(swa_pages.begin(), swa_pages.end());
  row.first = first;
  std::vector<Holding>& kept = row.kept;
  kept.resize(std::max(kept.size(), pages.size()));
  for (std::size_t c = 0; c < kept.size(); ++c) {
    Holding now{.owner = owner};
    if (c >= first && c < pages.size()) {
      now.page = pages[c];
      now.swa_page = swa_pages.empty() ? std::int32_t{sink} : swa_pages[c];
    }
    if (kept[c].same_pages(now)) continue;
    gone_.push_back(kept[c]);
    come_.push_back(now);
    kept[c] = now;
  }
  kept.resize(pages.size());
}

void Holdings::leave(std::size_t row) {
  gone_.insert(gone_.end(), rows_[row].kept.begin(), rows_[row].kept.end());
  rows_[row] = {};
}

}  // namespace pagestorm::props
