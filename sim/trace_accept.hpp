#pragma once
// How many draft tokens each verify accepts: around a mean that was asked for, or as a file says.

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "rng.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// How often a verify accepts how many tokens, the bonus token included.
struct AcceptLengths {
  struct Entry {
    double tokens = 1;  ///< 1 to N; of a fraction, the numbers beside it are drawn so that it is their mean
    double weight = 1;  ///< 0 or more
  };
  std::vector<Entry> entries;

  bool empty() const { return entries.empty(); }
  double mean() const;
};

/// Reads accept lengths: one number a line; or CSV with a header that has a column
///   length                 with a column weight, if there is one
///   mean_tokens_per_step   means of turns (EAGLE); they weigh as many steps as column verify_steps_minus1 says, plus 1
///   accept_length          means of runs (SpecForge); where there is a column num_draft_tokens, only runs with
///                          `draft_tokens` count, and never those of length 1, which drafted nothing
/// Throws TraceError: for what is malformed, for lengths outside 1 to `draft_tokens`, and when no line counts.
AcceptLengths read_accept_lengths(std::string_view text, std::string_view file, std::int64_t draft_tokens);

/// Draws verify steps.
class AcceptDraw {
 public:
  /// Around `mean` tokens a row, 1 to `draft_tokens`. What one step accepts too much or too little, later ones make up
  /// for.
  AcceptDraw(double mean, std::int64_t draft_tokens, std::uint64_t seed);

  /// As often as `lengths` says, which must not be empty, each row for itself.
  AcceptDraw(AcceptLengths lengths, std::int64_t draft_tokens, std::uint64_t seed);

  /// A verify of all `rows` live requests.
  Step next(std::int64_t rows);

  /// What the rows of the last step accept; empty where the step itself says it.
  std::span<const std::int64_t> by_row() const { return by_row_; }

  /// What became of it: `rows` rows accepted `tokens` tokens.
  void note(std::int64_t tokens, std::int64_t rows);

 private:
  std::int64_t total(Step step, std::int64_t amount, std::int64_t rows) const;
  Step around_mean(std::int64_t rows);
  std::int64_t one_length();

  AcceptLengths lengths_;
  std::vector<double> up_to_;  ///< sums of the weights of lengths_
  double mean_;
  std::int64_t draft_tokens_;
  Rng rng_;
  std::vector<std::int64_t> by_row_;
  std::int64_t accepted_ = 0;
  std::int64_t verified_ = 0;
};

}  // namespace pagestorm::sim
