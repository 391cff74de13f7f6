#pragma once
// A scenario whose passes are built and judged elsewhere: the world, what the device is told, and, when it is asked for,
// the host's own judgement of the images that came back.

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "law.hpp"
#include "pagestorm/device_judge.hpp"
#include "truth.hpp"

namespace pagestorm::sim {

class Scene {
 public:
  Scene();

  /// Starts a scenario. Throws std::runtime_error when memory cannot be reserved.
  void start(const Config& config);

  /// Applies a step, and stages the batch that it yields.
  Outcome apply(const Step& step);

  const World& world() const { return world_; }
  Place place(std::int64_t word) const { return layout_.locate(word); }  ///< in an image

  /// What a judge must know before it is sent passes of this scenario; `inputs` and `truth` do not move until start().
  Seating seating() const;

  /// The pass of the last Outcome::batch, valid until the next call of a function that is not const. It carries what
  /// changed since the last forget_changes().
  Pass pass(std::size_t seat);
  void forget_changes();

  /// The words of an image that the host judges, in bytes; for the last batch. Makes both images ready to take them.
  std::span<const Window> zone();

  /// Word 0 of the image over the first poison (0) or the second (1), once zone() was asked for.
  std::byte* image(int which) const { return (which == 0 ? first_ : second_).region().base; }

  /// What laws that need no more than the two images say of them, in their order. `builder` is the one that made them.
  std::vector<Violation> judge(std::span<const std::unique_ptr<Law>> laws, Builder& builder, std::int64_t step);

 private:
  void note_truth();
  std::int64_t pages_of_longest() const;

  World world_;
  Inputs inputs_;
  Truth truth_;
  std::vector<RowTruth> rows_;
  ImageLayout layout_;
  Image first_, second_;
  Extent extent_;
  Reference expected_;
  Zone zone_;
};

}  // namespace pagestorm::sim
