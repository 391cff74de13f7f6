#include "stand.hpp"

#include "../law.hpp"

namespace pagestorm::sim {

const Forward& FlashMoment::forward() const { return world_->forward(); }

FlashCall FlashMoment::call(const Image& image, const Variant& variant) const {
  return call_on(image, layout_, zone_, variant);
}

FlashCall FlashMoment::call_on(const Image& image, const ImageLayout& layout, const Zone& zone,
                               const Variant& variant) const {
  return {.batch = variant.batch ? *variant.batch : batch_,
          .out = layout.bind_flash(image.region().base, layout_.section(Part::prefix_seqlens).cols,
                                   layout_.section(Part::cache_seqlens).cols),
          .inputs = inputs_->region(),
          .image = image.region(),
          .inputs_generation = inputs_->generation(),
          .changed = inputs_->changed(),
          .zone = zone.windows(),
          .order = variant.order,
          .capture = variant.capture};
}

const Image& FlashMoment::rerun(const Variant& variant) {
  scratch_.poison(layout_, variant.keep_contents ? std::span<const Range>() : zone_.judged(), Moment::first_poison);
  scratch_.words()[layout_.section(Part::status).first] = static_cast<std::int32_t>(variant.status);
  builder_->run(call(scratch_, variant));
  inputs_->forget_changes();
  return scratch_;
}

void FlashMoment::rerun_on(Image& image, const ImageLayout& layout, const Zone& zone) {
  image.poison(layout, {}, Moment::first_poison);
  builder_->run(call_on(image, layout, zone, {}));
  inputs_->forget_changes();
}

const Image& FlashMoment::rerun_ahead_of_lengths() {
  scratch_.poison(layout_, zone_.judged(), Moment::first_poison);
  arrays_->blank_lengths(batch_.rows);
  builder_->enqueue(call(scratch_, {.capture = builder_->capabilities().captures}));
  arrays_->stage(ask_, forward());
  builder_->complete();
  inputs_->forget_changes();
  return scratch_;
}

FlashStand::FlashStand(const World& world, Inputs& inputs, Builder& builder) : world_(&world) {
  moment_.world_ = &world;
  moment_.inputs_ = &inputs;
  moment_.builder_ = &builder;
  moment_.arrays_ = &arrays_;
  moment_.expected_.keep_reads(builder.capabilities().audits);
}

void FlashStand::start(const Config& config) {
  if (config.flash) arrays_.start(config, *moment_.inputs_);
}

std::vector<Ask> FlashStand::asks() const { return asks_of(world_->config(), world_->forward()); }

FlashMoment& FlashStand::run(const Ask& ask) {
  const Config& config = world_->config();
  const AskShape shape = shape_of(ask, config, world_->forward());
  moment_.ask_ = ask;
  moment_.batch_ = arrays_.stage(ask, world_->forward());
  moment_.layout_.lay_out_flash(config, shape.rows, shape.room, shape.width, shape.schedule);
  moment_.expected_.compute(moment_.batch_, shape.room, shape.width, shape.schedule);
  moment_.zone_.compute(moment_.layout_, moment_.expected_);
  for (Image* image : {&moment_.first_, &moment_.second_, &moment_.scratch_}) image->prepare(moment_.layout_);
  moment_.first_.poison(moment_.layout_, moment_.zone_.judged(), Moment::first_poison);
  moment_.builder_->run(moment_.call(moment_.first_, {}));
  moment_.inputs_->forget_changes();
  moment_.second_.poison(moment_.layout_, moment_.zone_.judged(), Moment::second_poison);
  moment_.builder_->run(moment_.call(moment_.second_, {}));
  return moment_;
}

}  // namespace pagestorm::sim
