#pragma once
// What a builder's process did before the case in which it was lost, where that case alone does it no harm.

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "options.hpp"
#include "pagestorm/builder.hpp"
#include "sim/scenario.hpp"

namespace pagestorm::cli {

/// The cases that a worker played before a play of case `index`, the last one first, some thousands at most. Some were played
/// again, and stand there as often. The worker began with case `first`, and plays every `jobs`-th; `again`: it is a second
/// or third play of the case.
std::vector<std::int64_t> plays_before(std::int64_t index, std::int64_t first, std::int64_t jobs, bool again);

/// Such cases of a campaign on one builder, drawn again where they are needed.
class RunUp {
 public:
  RunUp(const Campaign& campaign, const std::string& spec, const Promise& promise, std::vector<std::int64_t> plays)
      : campaign_(campaign), spec_(spec), promise_(promise), plays_(std::move(plays)) {}

  /// The fewest of the last plays after which a fresh process breaks `law` by the time that it has played `scenario`, with
  /// `scenario` as the last; as `replay` plays them. Empty where none do, or none were found in time: this takes some seconds.
  std::vector<sim::Scenario> shortest(const sim::Scenario& scenario, std::string_view law) const;

 private:
  std::vector<sim::Scenario> with_last(std::size_t plays, const sim::Scenario& scenario) const;
  bool fails(const std::vector<sim::Scenario>& scenarios, std::string_view law, std::uint64_t deadline) const;

  const Campaign& campaign_;
  std::string spec_;
  Promise promise_;
  std::vector<std::int64_t> plays_;
};

}  // namespace pagestorm::cli
