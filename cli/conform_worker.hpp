#pragma once
// One worker of a campaign that goes by the clauses of the contract.

#include "worker.hpp"

namespace pagestorm::cli {

/// As work(), on one builder. Scenarios are played to their end, whatever is broken on the way, and the first breach of each
/// clause is shrunk and saved; Result::clauses counts the passes that tried each clause. Throws what the environment refuses.
Result work_by_clauses(const Campaign& campaign, Share share, Board& board, Desk& desk, const OnFailure& on_failure);

}  // namespace pagestorm::cli
