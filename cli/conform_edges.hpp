#pragma once
// Calls at the edges of the contract, in a campaign that goes by clauses: no engine makes them, so they are no scenarios.

#include <cstdint>
#include <set>
#include <string>

#include "board.hpp"
#include "options.hpp"
#include "props/conform/edge_judge.hpp"
#include "worker.hpp"

namespace pagestorm::cli {

inline constexpr std::string_view edge_call = "edge_call";  ///< stands for the law of such a failure

/// One call beside each case. A failure is neither shrunk nor saved: it says what the call was, and which command comes to it
/// again.
class EdgeCalls {
 public:
  /// All must outlive this.
  EdgeCalls(Builder& builder, const Campaign& campaign, Desk& desk, const OnFailure& on_failure)
      : builder_(builder), campaign_(campaign), desk_(desk), on_failure_(on_failure), judge_(builder) {}

  /// Makes the call of a case, counts what it tried, and reports the first breach of each clause.
  void play(std::int64_t index, props::ClauseTally& tally);

  /// Calls that the builder was given.
  std::int64_t calls() const { return judge_.given(); }

 private:
  std::vector<props::Breach> breaches(std::uint64_t seed, props::ClauseTally& tally);
  void report(const props::Breach& breach, std::int64_t index, std::uint64_t seed);

  Builder& builder_;
  const Campaign& campaign_;
  Desk& desk_;
  const OnFailure& on_failure_;
  props::EdgeJudge judge_;
  std::set<std::string_view> seen_;  ///< clauses that were reported
  int lost_ = 0;                     ///< calls from which the builder did not come back
};

}  // namespace pagestorm::cli
