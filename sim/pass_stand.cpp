#include "pass_stand.hpp"

#include <algorithm>
#include <utility>

namespace pagestorm::sim {

PassStand::PassStand(Builder& under_test, Builder* peer)
    : builder(&under_test), capabilities(under_test.capabilities()) {
  moment.world_ = &world;
  moment.inputs_ = &inputs;
  moment.layout_ = &layout;
  moment.zone_ = &zone;
  moment.expected_ = &expected;
  moment.first_ = &first;
  moment.second_ = &second;
  moment.scratch_ = &scratch;
  moment.builder_ = builder;
  moment.peer_ = peer;
  inputs.track_changes(capabilities.device || capabilities.mirrors);
}

void PassStand::lay_out(const Config& config) {
  outputs = config;
  layout.lay_out(config);
  for (Image* image : {&first, &second, &scratch}) image->prepare(layout);
}

void PassStand::stage() {
  const Batch& batch = inputs.stage(world.forward());
  const std::int64_t room = std::max<std::int64_t>(0, batch.out_cache_loc.size + outputs.layout.write_room);
  moment.extent_ = {batch.rows, outputs.swa ? room : 0};
  expected.compute(batch, outputs.width(), moment.extent_.write_slots, capabilities.promise);
}

void PassStand::find_zone() { zone.compute(layout, moment.extent_, expected); }

void PassStand::run() {
  for (const auto& [image, poison] : {std::pair(&first, Moment::first_poison), {&second, Moment::second_poison}}) {
    image->poison(layout, zone.judged(), poison);
    builder->run(moment.call(*image, {}));
    inputs.forget_changes();
  }
}

}  // namespace pagestorm::sim
