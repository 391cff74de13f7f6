#pragma once
// One worker of a campaign that is judged on a device.

#include "worker.hpp"

namespace pagestorm::cli {

/// As work(), with every n-th scenario played in packs: some thousands on one builder, then the same on the next. Throws what
/// the environment refuses.
Result work_in_packs(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure);

}  // namespace pagestorm::cli
