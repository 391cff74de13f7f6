#include "edge_pass.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

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

EdgePass::EdgePass(Builder& builder) : pass_(builder) {}

void EdgePass::draw(std::uint64_t seed, std::uint64_t twin) {
  const Promise& promise = pass_.capabilities.promise;
  Rng shapes(seed);
  Rng contents(sub_seed(seed, twin));
  const EdgeShape shape = edge_shape(shapes, promise);
  Config table = shape.config;
  table.context = shape.width * table.page_size;
  pass_.lay_out(table);
  pass_.world.start(shape.config, pass_.inputs);
  misfit_ = misfit(shape.config, promise);
  pass_.world.pretend(edge_contents(contents, shape, promise, twin == 0, pass_.inputs));
  pass_.stage();
}

std::optional<Excuse> EdgePass::excuse() { return misfit_ ? misfit_ : not_given(pass_.inputs.batch(), pass_.expected); }

Moment& EdgePass::run() {
  pass_.find_zone();
  pass_.run();
  return pass_.moment;
}

std::string EdgePass::describe() const {
  const Batch& batch = pass_.inputs.batch();
  std::string text =
      fmt::format("{}, page size {}, table width {}, {} positions and {} request rows, {}", name_of(batch.mode),
                  batch.page_size, pass_.outputs.width(), batch.req_to_token.cols, batch.req_to_token.rows,
                  pass_.outputs.swa ? fmt::format("a map of {} slots", batch.full_to_swa.size) : std::string("no SWA"));
  if (batch.mode == Mode::draft_decode) text += fmt::format(", draft step {}", grouped(batch.draft_step));
  if (batch.tokens_per_row > 1) text += fmt::format(", {} tokens a row", grouped(batch.tokens_per_row));
  text += fmt::format("; request rows{}; lengths{}", listed(batch.req_pool_indices), listed(batch.seq_lens));
  if (pass_.world.forward().counts_tokens()) text += fmt::format("; extend lengths{}", listed(batch.extend_seq_lens));
  return text;
}

}  // namespace pagestorm::sim
