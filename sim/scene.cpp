#include "scene.hpp"

#include <algorithm>

namespace pagestorm::sim {
namespace {

static_assert(Moment::first_poison == first_poison && Moment::second_poison == second_poison);
static_assert(ImageLayout::fence == 64 && Zone::margin == 32);

Plot plot_of(const Section& section) {
  return {section.first, section.rows, section.cols, section.row_stride, section.col_stride, section.cell_words};
}

ImageShape shape_of(const ImageLayout& layout) {
  const auto plot = [&](Part part) { return plot_of(layout.section(part)); };
  return {.status = plot(Part::status),
          .cache_seqlens = plot(Part::cache_seqlens),
          .cu_seqlens_q = plot(Part::cu_seqlens_q),
          .cu_seqlens_k = plot(Part::cu_seqlens_k),
          .swa_page_table = plot(Part::swa_page_table),
          .page_table = plot(Part::page_table),
          .swa_out_cache_loc = plot(Part::swa_out_cache_loc),
          .below = layout.below(),
          .words = layout.words(),
          .sweep = layout.sweeps()};
}

}  // namespace

Scene::Scene() { inputs_.track_changes(true); }

void Scene::start(const Config& config) {
  layout_.lay_out(config);
  Config untimed = config;  // what a device judges has no part in time
  untimed.timing = {};
  world_.start(untimed, inputs_);
  truth_.lay_out(config);
}

Outcome Scene::apply(const Step& step) {
  const Outcome outcome = world_.apply(step);
  if (outcome != Outcome::batch) return outcome;
  const Batch& batch = inputs_.stage(world_.forward());
  const std::int64_t room = std::max<std::int64_t>(0, batch.out_cache_loc.size + world_.config().layout.write_room);
  extent_ = {batch.rows, world_.config().swa ? room : 0};
  return outcome;
}

Seating Scene::seating() const {
  return {.inputs = inputs_.region(),
          .truth = layout_.swa() ? truth_.region() : Region{},
          .owned = truth_.owned(),
          .window = world_.config().window,
          .image = shape_of(layout_)};
}

// Only rows that were told nothing odd are held against the pages of their request.
void Scene::note_truth() {
  rows_.clear();
  if (!layout_.swa()) return;
  std::int64_t write = 0;
  for (const ForwardRow& row : world_.forward().rows) {
    RowTruth& truth = rows_.emplace_back();
    truth.start = row.start;
    truth.first_write = row.first_write;
    truth.writes = row.writes;
    truth.write_slot = write;
    write += row.writes;
    if (row.request >= 0 && row.odd == Odd::none)
      truth.owner = truth_.note(world_.requests()[static_cast<std::size_t>(row.request)]);
  }
}

std::int64_t Scene::pages_of_longest() const {
  std::int64_t tokens = 1;
  for (const ForwardRow& row : world_.forward().rows)
    tokens = std::max(tokens, row.first_write + row.writes - row.start);
  const std::int64_t pages = (tokens + world_.config().page_size - 1) / world_.config().page_size;
  return std::max<std::int64_t>(1, std::min(pages, world_.config().width()));
}

Pass Scene::pass(std::size_t seat) {
  note_truth();
  return {.seat = seat,
          .batch = inputs_.batch(),
          .write_slots = extent_.write_slots,
          .changed = inputs_.changed(),
          .truth_changed = truth_.changed(),
          .rows = rows_,
          .pages = pages_of_longest()};
}

void Scene::forget_changes() {
  inputs_.forget_changes();
  truth_.forget_changes();
}

std::span<const Window> Scene::zone() {
  expected_.compute(inputs_.batch(), world_.config().width(), extent_.write_slots);
  zone_.compute(layout_, extent_, expected_);
  for (Image* image : {&first_, &second_}) image->prepare(layout_);
  return zone_.windows();
}

std::vector<Violation> Scene::judge(std::span<const std::unique_ptr<Law>> laws, Builder& builder, std::int64_t step) {
  Moment moment;
  moment.world_ = &world_;
  moment.inputs_ = &inputs_;
  moment.layout_ = &layout_;
  moment.extent_ = extent_;
  moment.zone_ = &zone_;
  moment.expected_ = &expected_;
  moment.first_ = &first_;
  moment.second_ = &second_;
  moment.builder_ = &builder;
  std::vector<Violation> violations;
  for (const auto& law : laws) {
    if (!law->applies(moment)) continue;
    auto violation = law->judge(moment);
    if (!violation) continue;
    violation->law = law->name();
    violation->builder = builder.name();
    violation->step = step;
    violations.push_back(std::move(*violation));
  }
  return violations;
}

}  // namespace pagestorm::sim
