#include "trace_accept.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>
#include <utility>

#include "forward.hpp"

namespace pagestorm::sim {
namespace {

// Uniform in [0, 1).
double fraction(Rng& rng) { return static_cast<double>(rng.next() >> 11) * 0x1p-53; }

}  // namespace

double AcceptLengths::mean() const {
  double tokens = 0;
  double weight = 0;
  for (const Entry& entry : entries) {
    tokens += entry.tokens * entry.weight;
    weight += entry.weight;
  }
  return weight > 0 ? tokens / weight : 0;
}

AcceptDraw::AcceptDraw(double mean, std::int64_t draft_tokens, std::uint64_t seed)
    : mean_(mean), draft_tokens_(draft_tokens), rng_(seed) {}

AcceptDraw::AcceptDraw(AcceptLengths lengths, std::int64_t draft_tokens, std::uint64_t seed)
    : lengths_(std::move(lengths)), mean_(lengths_.mean()), draft_tokens_(draft_tokens), rng_(seed) {
  assert(!lengths_.empty());
  double sum = 0;
  for (const AcceptLengths::Entry& entry : lengths_.entries) up_to_.push_back(sum += entry.weight);
}

// What the rows of a step accept together: they repeat after three.
std::int64_t AcceptDraw::total(Step step, std::int64_t amount, std::int64_t rows) const {
  step.amount = amount;
  std::int64_t sum = 0;
  for (std::int64_t position = 0; position < std::min<std::int64_t>(3, rows); ++position)
    sum += (rows - position + 2) / 3 * accepted_tokens(step, position, draft_tokens_);
  return sum;
}

void AcceptDraw::note(std::int64_t tokens, std::int64_t rows) {
  accepted_ += tokens;
  verified_ += rows;
}

Step AcceptDraw::next(std::int64_t rows) {
  if (lengths_.empty()) return around_mean(rows);
  by_row_.clear();
  for (std::int64_t row = 0; row < rows; ++row) by_row_.push_back(one_length());
  const std::int64_t sum = std::accumulate(by_row_.begin(), by_row_.end(), std::int64_t{0});
  return {.kind = StepKind::verify, .rows = 0, .amount = (sum + rows / 2) / std::max<std::int64_t>(1, rows)};
}

std::int64_t AcceptDraw::one_length() {
  const auto found = std::ranges::upper_bound(up_to_, fraction(rng_) * up_to_.back());
  const auto at = std::min<std::size_t>(static_cast<std::size_t>(found - up_to_.begin()), up_to_.size() - 1);
  const double tokens = lengths_.entries[at].tokens;
  const double whole = std::floor(tokens);
  return static_cast<std::int64_t>(whole) + (fraction(rng_) < tokens - whole ? 1 : 0);
}

Step AcceptDraw::around_mean(std::int64_t rows) {
  // Whole turns of the live list: the order of the batch stays, the luck goes round.
  Step step{.kind = StepKind::verify, .who = rows * static_cast<std::int64_t>(rng_.below(3)), .rows = 0};
  const double owed = mean_ * static_cast<double>(verified_) - static_cast<double>(accepted_);
  const double wanted = owed + mean_ * static_cast<double>(rows);
  const std::int64_t most = draft_tokens_ + 1;
  while (step.amount < most && static_cast<double>(total(step, step.amount + 1, rows)) <= wanted) ++step.amount;
  if (step.amount < most) {
    const auto low = static_cast<double>(total(step, step.amount, rows));
    const auto high = static_cast<double>(total(step, step.amount + 1, rows));
    constexpr std::int64_t parts = 1 << 20;
    const double share = std::clamp((wanted - low) / std::max(1.0, high - low), 0.0, 1.0);
    if (static_cast<double>(rng_.below(parts)) < share * parts) ++step.amount;
  }
  // Luck beyond that, only in the direction that nothing is owed in: a mean at the edge could not be made up for.
  const std::int64_t luck = rng_.between(-1, 1);
  const bool affordable = luck > 0 ? owed >= 0 : owed <= 0;
  if (affordable) step.amount = std::clamp<std::int64_t>(step.amount + luck, 0, most);
  return step;
}

}  // namespace pagestorm::sim
