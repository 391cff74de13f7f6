#include "trace_tally.hpp"

#include <algorithm>

namespace pagestorm::sim {
namespace {

double ratio(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

}  // namespace

double DriveTally::mean_accepted() const { return ratio(accepted, verified); }
double DriveTally::mean_pages() const { return ratio(pages_sum, forwards); }
double DriveTally::mean_running() const { return ratio(running_sum, forwards); }

double DriveTally::median_live_share() const {
  std::int64_t left = forwards / 2;
  for (std::size_t part = 0; part < live_share.size(); ++part) {
    left -= live_share[part];
    if (left < 0) return static_cast<double>(part) / share_parts;
  }
  return 0;
}

DriveTally& DriveTally::operator+=(const DriveTally& other) {
  for (const auto sum :
       {&DriveTally::requests, &DriveTally::steps, &DriveTally::forwards, &DriveTally::rows, &DriveTally::cells,
        &DriveTally::prefilled, &DriveTally::accepted, &DriveTally::verified, &DriveTally::prompt_tokens,
        &DriveTally::hit_tokens, &DriveTally::prompt_blocks, &DriveTally::hit_blocks, &DriveTally::retractions,
        &DriveTally::readmissions, &DriveTally::reclaimed, &DriveTally::tombstones, &DriveTally::window_freed,
        &DriveTally::pages_sum, &DriveTally::running_sum})
    this->*sum += other.*sum;
  for (const auto peak : {&DriveTally::rows_peak, &DriveTally::pages_peak, &DriveTally::running_peak})
    this->*peak = std::max(this->*peak, other.*peak);
  for (std::size_t i = 0; i < mode_steps.size(); ++i) mode_steps[i] += other.mode_steps[i];
  for (std::size_t i = 0; i < mode_rows.size(); ++i) mode_rows[i] += other.mode_rows[i];
  virtual_s = std::max(virtual_s, other.virtual_s);
  for (std::size_t i = 0; i < live_share.size(); ++i) live_share[i] += other.live_share[i];
  return *this;
}

}  // namespace pagestorm::sim
