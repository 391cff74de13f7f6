#pragma once
// Follows a world step by step and says what each step is as queued work.

#include <cstdint>
#include <vector>

#include "forward.hpp"
#include "time/plan.hpp"
#include "world.hpp"

namespace pagestorm::sim {

class Overlap {
 public:
  void start(const Config& config, Fault fault);

  /// The world stands after a step.
  void follow(const World& world, Outcome outcome);

  const time::Plan& plan() const { return plan_; }

 private:
  void note_owners(const World& world);
  void note_writes(const World& world);
  void note_load(const World& world, std::int64_t tokens);
  void note_forward(const World& world);
  void note_row(const World& world, const ForwardRow& row);

  time::Plan plan_;
  time::StepWork work_;
  std::vector<std::int64_t> row_owners_;  ///< serial of the last owner of each request row
};

}  // namespace pagestorm::sim
