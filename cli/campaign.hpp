#pragma once
// Runs a campaign in worker processes, shows how it goes, and survives what they do.

#include "options.hpp"
#include "result.hpp"

namespace pagestorm::cli {

/// Runs to the end of the campaign's cases or time, or until it is asked to stop (Interrupts). A worker that crashes or hangs is a failure of the
/// scenario that it was playing. Progress goes to stderr.
Result run_campaign(const Campaign& campaign);

}  // namespace pagestorm::cli
