#include "motifs.hpp"

#include <algorithm>

namespace pagestorm::sim {
namespace {

constexpr std::int64_t everything = std::int64_t{1} << 20;

// Two prompts that begin alike: the second finds what the first left.
std::vector<Step> reuse(std::int64_t family, std::int64_t length) {
  return {{.kind = StepKind::admit, .amount = length, .family = family},
          {.kind = StepKind::share, .rows = 0},
          {.kind = StepKind::arrive, .amount = length + 1, .family = family},
          {.kind = StepKind::extend, .rows = 0, .amount = length}};
}

// The same prompt computed twice at once: the second to be shared goes over to the pages of the first.
std::vector<Step> twins(std::int64_t family, std::int64_t length) {
  return {{.kind = StepKind::admit, .amount = length, .family = family},
          {.kind = StepKind::admit, .amount = length, .family = family},
          {.kind = StepKind::share, .rows = 0},
          {.kind = StepKind::decode, .rows = 0}};
}

// A shared prompt loses its SWA pages, and somebody computes it again; whoever still uses it keeps the full pages.
std::vector<Step> recovery(std::int64_t family, std::int64_t length, bool ends) {
  std::vector<Step> steps = {{.kind = StepKind::admit, .amount = length, .family = family},
                             {.kind = StepKind::share, .rows = 0},
                             {.kind = StepKind::decode, .rows = 0},
                             {.kind = StepKind::evict}};
  if (ends) steps.push_back({.kind = StepKind::finish, .who = everything - 1});
  steps.push_back({.kind = StepKind::tombstone, .amount = everything});
  steps.push_back({.kind = StepKind::admit, .amount = length, .family = family});
  steps.push_back({.kind = StepKind::share, .rows = 0});
  steps.push_back({.kind = StepKind::decode, .rows = 0});
  return steps;
}

// One is done with its prompt and decodes while the next is still being prefilled.
std::vector<Step> mixture(std::int64_t family, std::int64_t length) {
  return {{.kind = StepKind::finish},
          {.kind = StepKind::finish},
          {.kind = StepKind::arrive, .amount = 1 + length / 2, .family = family},
          {.kind = StepKind::extend, .rows = 0, .amount = everything},
          {.kind = StepKind::arrive, .amount = 2 + length, .family = 0},
          {.kind = StepKind::extend, .rows = 0, .amount = 1 + length / 2},
          {.kind = StepKind::extend, .rows = 0, .amount = everything}};
}

// Somebody has to wait, comes back, and goes on from the tokens that it had.
std::vector<Step> retreat(std::int64_t length) {
  return {{.kind = StepKind::admit, .amount = length},
          {.kind = StepKind::verify, .rows = 0, .amount = 1},
          {.kind = StepKind::retract, .who = everything - 1},
          {.kind = StepKind::readmit},
          {.kind = StepKind::extend, .rows = 0, .amount = everything},
          {.kind = StepKind::decode, .rows = 0}};
}

}  // namespace

std::vector<Step> draw_motif(Rng& rng, const Config& config, std::int64_t length, std::int64_t alike) {
  const std::int64_t family = rng.between(1, alike);
  length = std::max<std::int64_t>(1, std::min(length, config.context));
  const bool retracts = config.retract && (!config.cache || rng.one_in(3));
  if (retracts) return retreat(length);
  switch (rng.below(config.swa ? 5 : 3)) {
    case 0: return reuse(family, length);
    case 1: return twins(family, length);
    case 2: return mixture(family, length);
    default: return recovery(family, std::min(config.columns(), std::max(length, 2 * config.page_size)), rng.one_in(2));
  }
}

}  // namespace pagestorm::sim
