#pragma once
// Passes that no engine makes: plain shapes, with contents at the edges of what the contract speaks of.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "edge_contents.hpp"
#include "excuse.hpp"
#include "pass_stand.hpp"

namespace pagestorm::sim {

/// One pass at a time, drawn from a seed, laid out and judged as a pass of a scenario is; but it is none, and no step leads
/// to it. Memory is as plain as the builder lets it be, so that what is wrong is about contents.
class EdgePass {
 public:
  /// `builder` must outlive this.
  explicit EdgePass(Builder& builder);

  /// Draws a pass. With `twin` above 0 it has the same shapes, and contents that an engine could have: another twin, others.
  void draw(std::uint64_t seed, std::uint64_t twin = 0);

  /// Why the builder is not given the pass; nothing where it is.
  std::optional<Excuse> excuse();

  /// Runs the builder over both poisons. What is returned is valid until the next draw. Throws what the builder throws.
  Moment& run();

  /// The pass in one line: "extend, 2 rows, page size 4, table width 3, 9 positions a row, ...".
  std::string describe() const;

 private:
  PassStand pass_;  ///< inputs may have fewer positions than outputs were laid out for
  std::optional<Excuse> misfit_;
};

}  // namespace pagestorm::sim
