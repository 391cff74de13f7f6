#pragma once
// One worker of a campaign: plays every n-th scenario on every builder, shrinks and saves what fails.

#include <functional>

#include "at_once.hpp"
#include "board.hpp"
#include "options.hpp"
#include "result.hpp"

namespace pagestorm::cli {

/// Which scenarios a worker plays: first, first + jobs, first + 2 jobs, ...
struct Share {
  std::int64_t first = 0;
  std::int64_t jobs = 1;
};

/// Told about failures.
struct OnFailure {
  Tell at_once;                              ///< what to say of one that is on disk, and being made smaller
  std::function<void(const Failure&)> done;  ///< each, as soon as it is as small as it gets, and saved
};

/// Plays until the campaign's cases are done or the board says stop. Never throws: what the environment refuses is in
/// Result::error.
Result work(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure);

/// The scenario of a case.
sim::Scenario scenario_of(const Campaign& campaign, std::int64_t case_index);

}  // namespace pagestorm::cli
