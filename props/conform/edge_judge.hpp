#pragma once
// Judges passes that no engine makes, clause by clause.

#include <cstdint>
#include <string>
#include <vector>

#include "clause_judge.hpp"
#include "sim/edge_pass.hpp"

namespace pagestorm::props {

class EdgeJudge {
 public:
  /// `builder` must outlive this.
  explicit EdgeJudge(Builder& builder) : pass_(builder) {}

  /// Plays the pass of a seed, where the builder is given it. Returns the clauses that it breaks, each once: only of outputs
  /// that passes of the same shape with ordinary contents have right, since the others are a matter of scenarios. Counts
  /// in `tally` what the pass tried, unless something was left out. Throws what the builder throws.
  std::vector<Breach> play(std::uint64_t seed, ClauseTally& tally);

  /// How many passes the builder was given, twins aside.
  std::int64_t given() const { return given_; }

  /// The pass of a seed in one line.
  std::string describe(std::uint64_t seed);

 private:
  bool leave_out_ordinary(std::uint64_t seed, std::vector<Breach>& breaches);

  sim::EdgePass pass_;
  std::int64_t given_ = 0;
};

}  // namespace pagestorm::props
