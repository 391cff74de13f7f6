#pragma once
// A law: a property of one forward pass that must hold on every builder. Judgements are values.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "flash/moment.hpp"
#include "image.hpp"
#include "inputs.hpp"
#include "pagestorm/builder.hpp"
#include "reference.hpp"
#include "world.hpp"
#include "zone.hpp"

namespace pagestorm::sim {

/// A few cells of a row around the one that is wrong, for people.
struct RowMap {
  std::int64_t first_column = 0;
  std::vector<std::int32_t> expected = {};  ///< empty where nothing must be written
  std::vector<std::int32_t> got = {};
  std::int64_t width = 0;  ///< of the table; columns from here on are no part of the row
};

/// A law broken at one place.
struct Violation {
  std::string law = {};
  std::string builder = {};
  std::int64_t step = 0;  ///< index into the scenario's steps
  Place place;
  std::string expected;  ///< a value, or what may happen there
  std::string got;
  std::string why;  ///< one sentence in domain words
  std::optional<RowMap> map = {};
  std::string time_line = {};  ///< of queued work, line by line; empty where time plays no part
};

/// What laws get to see of one forward pass, and the means to run it again in other ways.
class Moment {
 public:
  static constexpr std::int32_t first_poison = static_cast<std::int32_t>(0xa5a5a5a5);  ///< negative, no page
  static constexpr std::int32_t second_poison = 0x5c5c5c5c;                            ///< positive, no page

  /// How to run the builder once more.
  struct Variant {
    const Batch* batch = nullptr;    ///< null: the batch of the moment
    const Extent* extent = nullptr;  ///< null: the extent of the moment
    const Zone* zone = nullptr;      ///< null: the zone of the moment
    std::uint64_t order = 0;
    bool keep_contents = false;  ///< run on what the image holds; only the status word is set
    std::uint32_t status = 0;    ///< what the status word holds before
  };

  const World& world() const { return *world_; }
  const Forward& forward() const { return world_->forward(); }
  const Batch& batch() const { return inputs_->batch(); }
  Inputs& inputs() const { return *inputs_; }
  const ImageLayout& layout() const { return *layout_; }
  const Extent& extent() const { return extent_; }
  const Zone& zone() const { return *zone_; }
  Reference& expected() const { return *expected_; }
  const Promise& promise() const { return expected_->promise(); }

  /// The builder's result on the two poisons.
  const Image& first() const { return *first_; }
  const Image& second() const { return *second_; }

  /// The builder under test, and a sound one that shares nothing with it but the contract's body; null where there is
  /// none besides the builder itself.
  Builder& builder() const { return *builder_; }
  Builder* peer() const { return peer_; }

  /// Runs `builder` on an image of the laws; returns it, poisoned with first_poison before unless contents are kept.
  const Image& rerun(Builder& builder, const Variant& variant);
  const Image& rerun(const Variant& variant) { return rerun(*builder_, variant); }

  /// The same on an image of the caller's.
  void rerun_on(Image& image, Builder& builder, const Variant& variant);

  /// The call that rerun_on would make.
  Call call(const Image& image, const Variant& variant) const;

 private:
  friend struct PassStand;
  friend class Scene;

  World* world_ = nullptr;
  Inputs* inputs_ = nullptr;
  const ImageLayout* layout_ = nullptr;
  Extent extent_;
  const Zone* zone_ = nullptr;
  Reference* expected_ = nullptr;
  Image* first_ = nullptr;
  Image* second_ = nullptr;
  Image* scratch_ = nullptr;
  Builder* builder_ = nullptr;
  Builder* peer_ = nullptr;
};

/// One law. Objects may keep state within a scenario, and none across scenarios.
class Law {
 public:
  virtual ~Law() = default;
  virtual std::string_view name() const = 0;

  /// One sentence for people.
  virtual std::string_view what() const = 0;

  /// A scenario begins.
  virtual void start(const World&, const ImageLayout&) {}

  /// The world stands after a step that changed something, batch or not; its events() are that step's. Where room was
  /// made in vain, the step's forward() has no rows. Comes before the builder runs.
  virtual std::optional<Violation> inspect(const World&) { return std::nullopt; }

  /// The scenario is over, everybody has finished and everything was given back.
  virtual std::optional<Violation> conclude(const World&) { return std::nullopt; }

  /// Whether the law is about the engine, whatever builder it has: then inspect() and conclude() judge, and judge() is
  /// not called.
  virtual bool is_about_engine() const { return false; }

  /// Whether the law says anything about this forward pass on this builder.
  virtual bool applies(const Moment&) const { return true; }

  virtual std::optional<Violation> judge(Moment&) { return std::nullopt; }

  /// Whether judge() runs a builder again that does not audit, besides the two runs that all laws share.
  virtual bool reruns() const { return false; }

  /// The same pass was not given to the builder, which did not promise to take it: what must be kept in step with the world
  /// follows it. Of the images only the write slots that the contract asks for are in first().
  virtual void pass_over(Moment&) {}

  /// The same two about an operation of the FlashAttention family, on a builder that has them.
  virtual bool applies_to_flash(const FlashMoment&) const { return false; }
  virtual std::optional<Violation> judge_flash(FlashMoment&) { return std::nullopt; }

  /// Whether a builder that syncs while its work is captured breaks this law, whenever that happens.
  virtual bool forbids_sync_in_capture() const { return false; }
};

}  // namespace pagestorm::sim
