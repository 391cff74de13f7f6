#pragma once
// Runs the operations of the FlashAttention family that a forward pass asks for, one after the other.

#include <vector>

#include "arrays.hpp"
#include "moment.hpp"

namespace pagestorm::sim {

class FlashStand {
 public:
  /// All must outlive the stand.
  FlashStand(const World& world, Inputs& inputs, Builder& builder);

  void start(const Config& config);

  /// What the world's last forward asks for; its batch must be staged.
  std::vector<Ask> asks() const;

  /// Runs one operation on both poisons.
  FlashMoment& run(const Ask& ask);

 private:
  const World* world_;
  FlashArrays arrays_;
  FlashMoment moment_;
};

}  // namespace pagestorm::sim
