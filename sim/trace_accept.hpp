#pragma once
// How many draft tokens a verify accepts, so that a run has the mean that was asked for.

#include <cstdint>

#include "rng.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// Draws verify steps. What one step accepts too much or too little, later ones make up for.
class AcceptDraw {
 public:
  /// `mean` tokens a row, 1 to `draft_tokens`.
  AcceptDraw(double mean, std::int64_t draft_tokens, std::uint64_t seed);

  /// A verify of all `rows` live requests.
  Step next(std::int64_t rows);

  std::int64_t accepted() const { return accepted_; }  ///< tokens, over all steps drawn
  std::int64_t verified() const { return verified_; }  ///< rows, over all steps drawn

 private:
  std::int64_t total(Step step, std::int64_t amount, std::int64_t rows) const;

  double mean_;
  std::int64_t draft_tokens_;
  Rng rng_;
  std::int64_t accepted_ = 0;
  std::int64_t verified_ = 0;
};

}  // namespace pagestorm::sim
