#pragma once
// What laws get to see of one operation of the FlashAttention family, and the means to run it again.

#include <cstdint>

#include "../image.hpp"
#include "../inputs.hpp"
#include "../zone.hpp"
#include "arrays.hpp"
#include "asks.hpp"
#include "reference.hpp"

namespace pagestorm::sim {

class World;

class FlashMoment {
 public:
  const World& world() const { return *world_; }
  const Forward& forward() const;
  const Ask& ask() const { return ask_; }
  const FlashBatch& batch() const { return batch_; }
  Inputs& inputs() const { return *inputs_; }
  const ImageLayout& layout() const { return layout_; }
  const Zone& zone() const { return zone_; }
  const FlashReference& expected() const { return expected_; }

  /// The builder's result on the two poisons of Moment.
  const Image& first() const { return first_; }
  const Image& second() const { return second_; }
  Builder& builder() const { return *builder_; }

  /// Lengths and cells as the builder left them in the first image.
  std::int32_t word(Part part, std::int64_t row, std::int64_t column) const {
    return first_.words()[layout_.section(part).at(row, column)];
  }

  /// How to run the builder once more.
  struct Variant {
    const FlashBatch* batch = nullptr;  ///< null: that of the moment
    std::uint64_t order = 0;
    bool keep_contents = false;  ///< run on what the image holds; only the status word is set
    bool capture = false;
    std::uint32_t status = 0;  ///< what the status word holds before
  };

  /// Runs the builder on an image of the laws; returns it, poisoned with the first poison before.
  const Image& rerun(const Variant& variant);

  /// Runs the builder on an image of the caller's, laid out for at least as many rows, as it is; only the status word is
  /// cleared.
  void rerun_on(Image& image, const ImageLayout& layout, const Zone& zone);

  /// As rerun(), but enqueued while lengths are blank and completed once they are there; under a capture where the builder can.
  const Image& rerun_ahead_of_lengths();

 private:
  friend class FlashStand;

  FlashCall call(const Image& image, const Variant& variant) const;
  FlashCall call_on(const Image& image, const ImageLayout& layout, const Zone& zone, const Variant& variant) const;

  const World* world_ = nullptr;
  Inputs* inputs_ = nullptr;
  Builder* builder_ = nullptr;
  FlashArrays* arrays_ = nullptr;
  Ask ask_;
  FlashBatch batch_;
  ImageLayout layout_;
  FlashReference expected_;
  Zone zone_;
  Image first_, second_, scratch_;
};

}  // namespace pagestorm::sim
