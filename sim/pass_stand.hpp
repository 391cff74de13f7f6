#pragma once
// One forward pass at a time on one builder: the world that it comes from, the memory that it lies in, and the moment.

#include "law.hpp"

namespace pagestorm::sim {

/// A moment and all that it looks at, bound once. Reuse one for many passes: nothing is allocated twice.
struct PassStand {
  /// Both must outlive the stand; `peer` may be null.
  explicit PassStand(Builder& builder, Builder* peer = nullptr);
  PassStand(const PassStand&) = delete;
  PassStand& operator=(const PassStand&) = delete;

  /// Makes the images ready for outputs of this configuration. The world is started, over `inputs`, by whoever knows how.
  void lay_out(const Config& outputs);

  /// Stages the world's forward, and computes what every output must be.
  void stage();

  /// Finds the zone of the pass that was staged.
  void find_zone();

  /// Runs the builder over both poisons. Throws what it throws.
  void run();

  Builder* builder;
  Capabilities capabilities;
  World world;
  Inputs inputs;
  Config outputs;
  ImageLayout layout;
  Image first, second, scratch;
  Reference expected;
  Zone zone;
  Moment moment;
};

}  // namespace pagestorm::sim
