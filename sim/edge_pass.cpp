#include "edge_pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "element.hpp"
#include "fit.hpp"
#include "report.hpp"

namespace pagestorm::sim {
namespace {

std::string listed(const IntVector& vector) {
  std::string text;
  for (std::int64_t i = 0; i < vector.size; ++i) text += fmt::format(" {}", element(vector, i));
  return text;
}

}  // namespace

EdgePass::EdgePass(Builder& builder) : builder_(&builder), capabilities_(builder.capabilities()) {
  moment_.world_ = &world_;
  moment_.inputs_ = &inputs_;
  moment_.layout_ = &layout_;
  moment_.zone_ = &zone_;
  moment_.expected_ = &expected_;
  moment_.first_ = &first_;
  moment_.second_ = &second_;
  moment_.scratch_ = &scratch_;
  moment_.builder_ = builder_;
  inputs_.track_changes(capabilities_.device || capabilities_.mirrors);
}

void EdgePass::draw(std::uint64_t seed, std::uint64_t twin) {
  const Promise& promise = capabilities_.promise;
  Rng shapes(seed);
  Rng contents(sub_seed(seed, twin));
  const EdgeShape shape = edge_shape(shapes, promise);
  table_ = shape.config;
  table_.context = shape.width * table_.page_size;
  layout_.lay_out(table_);
  for (Image* image : {&first_, &second_, &scratch_}) image->prepare(layout_);
  world_.start(shape.config, inputs_);
  misfit_ = misfit(shape.config, promise);
  world_.pretend(edge_contents(contents, shape, promise, twin == 0, inputs_));
  const Batch& batch = inputs_.stage(world_.forward());
  const std::int64_t room = std::max<std::int64_t>(0, batch.out_cache_loc.size + table_.layout.write_room);
  moment_.extent_ = {batch.rows, table_.swa ? room : 0};
  expected_.compute(batch, table_.width(), moment_.extent_.write_slots, promise);
}

std::optional<Excuse> EdgePass::excuse() { return misfit_ ? misfit_ : not_given(inputs_.batch(), expected_); }

Moment& EdgePass::run() {
  zone_.compute(layout_, moment_.extent_, expected_);
  for (const auto& [image, poison] : {std::pair(&first_, Moment::first_poison), {&second_, Moment::second_poison}}) {
    image->poison(layout_, zone_.judged(), poison);
    builder_->run(moment_.call(*image, {}));
    inputs_.forget_changes();
  }
  return moment_;
}

std::string EdgePass::describe() const {
  const Batch& batch = inputs_.batch();
  std::string text =
      fmt::format("{}, page size {}, table width {}, {} positions and {} request rows, {}", name_of(batch.mode),
                  batch.page_size, table_.width(), batch.req_to_token.cols, batch.req_to_token.rows,
                  table_.swa ? fmt::format("a map of {} slots", batch.full_to_swa.size) : std::string("no SWA"));
  if (batch.mode == Mode::draft_decode) text += fmt::format(", draft step {}", grouped(batch.draft_step));
  if (batch.tokens_per_row > 1) text += fmt::format(", {} tokens a row", grouped(batch.tokens_per_row));
  text += fmt::format("; request rows{}; lengths{}", listed(batch.req_pool_indices), listed(batch.seq_lens));
  if (world_.forward().counts_tokens()) text += fmt::format("; extend lengths{}", listed(batch.extend_seq_lens));
  return text;
}

}  // namespace pagestorm::sim
