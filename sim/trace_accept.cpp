#include "trace_accept.hpp"

#include <algorithm>

#include "forward.hpp"

namespace pagestorm::sim {

AcceptDraw::AcceptDraw(double mean, std::int64_t draft_tokens, std::uint64_t seed)
    : mean_(mean), draft_tokens_(draft_tokens), rng_(seed) {}

// What the rows of a step accept together: they repeat after three.
std::int64_t AcceptDraw::total(Step step, std::int64_t amount, std::int64_t rows) const {
  step.amount = amount;
  std::int64_t sum = 0;
  for (std::int64_t position = 0; position < std::min<std::int64_t>(3, rows); ++position)
    sum += (rows - position + 2) / 3 * accepted_tokens(step, position, draft_tokens_);
  return sum;
}

Step AcceptDraw::next(std::int64_t rows) {
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
  accepted_ += total(step, step.amount, rows);
  verified_ += rows;
  return step;
}

}  // namespace pagestorm::sim
