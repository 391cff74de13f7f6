#include "player.hpp"

#include <algorithm>
#include <cstring>

#include "fit.hpp"
#include "rng.hpp"

namespace pagestorm::sim {

Call Moment::call(const Image& image, const Variant& variant) const {
  const Extent& extent = variant.extent ? *variant.extent : extent_;
  const Zone& zone = variant.zone ? *variant.zone : *zone_;
  return {.batch = variant.batch ? *variant.batch : inputs_->batch(),
          .out = layout_->bind(image.region().base, extent),
          .inputs = inputs_->region(),
          .image = image.region(),
          .inputs_generation = inputs_->generation(),
          .changed = inputs_->changed(),
          .zone = zone.windows(),
          .order = variant.order};
}

void Moment::rerun_on(Image& image, Builder& builder, const Variant& variant) {
  const Zone& zone = variant.zone ? *variant.zone : *zone_;
  image.poison(*layout_, variant.keep_contents ? std::span<const Range>() : zone.judged(), first_poison);
  image.words()[layout_->section(Part::status).first] = static_cast<std::int32_t>(variant.status);
  builder.run(call(image, variant));
  if (&builder == builder_) inputs_->forget_changes();
}

const Image& Moment::rerun(Builder& builder, const Variant& variant) {
  rerun_on(*scratch_, builder, variant);
  return *scratch_;
}

bool is_about_failing(std::string_view law) {
  return law == does_not_crash || law == ends_in_time || law == takes_what_it_promised;
}

Player::Player(Builder& builder, Builder* peer, std::span<const std::unique_ptr<Law>> laws, Clock clock)
    : laws_(laws),
      clock_(clock),
      declared_(sim::declared(builder.capabilities())),
      pass_(builder, peer),
      flash_(pass_.world, pass_.inputs, builder),
      tallies_(laws.size()),
      judged_this_case_(laws.size()) {}

void Player::start(const Config& config) {
  pass_.lay_out(config);
  pass_.world.start(config, pass_.inputs, fault_);
  misfit_ = misfit(config, pass_.capabilities.promise);
  step_ = -1;
  std::fill(judged_this_case_.begin(), judged_this_case_.end(), false);
  for (const auto& law : laws_) law->start(pass_.world, pass_.layout);
  flash_.start(config);
  coverage_.start(config);
}

// Counts why it is not, or what it is spared.
bool Player::is_given() {
  if (declared_.none()) return true;
  const Batch& batch = pass_.inputs.batch();
  const std::optional<Excuse> excuse = misfit_ ? misfit_ : not_given(batch, pass_.expected);
  if (excuse)
    ++excuses_.not_given[static_cast<std::size_t>(*excuse)];
  else
    ExcuseTally::note(excuses_.milder, milder(declared_, batch, pass_.expected, pass_.moment.extent().write_slots));
  return !excuse;
}

void Player::pass_over() {
  put_write_slots();
  for (const auto& law : laws_) law->pass_over(pass_.moment);
}

// The engine translates what the builder did not.
void Player::put_write_slots() {
  const Section& writes = pass_.layout.section(Part::swa_out_cache_loc);
  for (std::int64_t i = 0; i < pass_.moment.extent().write_slots; ++i) {
    const std::int64_t slot = pass_.expected.write_slot(i);
    std::memcpy(pass_.first.words() + writes.at(0, i), &slot, sizeof slot);
  }
}

void Player::run_both() {
  pass_.find_zone();
  const std::uint64_t before = clock_ ? clock_() : 0;
  pass_.run();
  if (clock_) shared_nanoseconds_ += clock_() - before;
  if (!pass_.capabilities.promise.write_slots) put_write_slots();
}

void Player::inspect() {
  std::uint64_t before = clock_ ? clock_() : 0;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    auto violation = laws_[i]->inspect(pass_.world);
    if (laws_[i]->is_about_engine()) count(i, static_cast<std::int64_t>(pass_.world.requests().size()));
    note_time(i, before);
    if (violation) blame(i, std::move(*violation));
  }
}

// The one law with a run of its own that judges this pass; none where all do.
std::optional<std::size_t> Player::drawn_rerun() const {
  if (!draws_reruns_) return std::nullopt;
  std::vector<std::size_t> possible;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (laws_[i]->reruns() && laws_[i]->applies(pass_.moment)) possible.push_back(i);
  if (possible.empty()) return std::nullopt;
  Rng rng(sub_seed(pass_.world.config().pool_seed, static_cast<std::uint64_t>(step_)));
  return possible[rng.below(possible.size())];
}

void Player::judge() {
  std::uint64_t before = clock_ ? clock_() : 0;
  const std::optional<std::size_t> drawn = drawn_rerun();
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (laws_[i]->is_about_engine() || !laws_[i]->applies(pass_.moment)) continue;
    if (drawn && laws_[i]->reruns() && i != *drawn) continue;
    auto violation = laws_[i]->judge(pass_.moment);
    count(i, pass_.moment.batch().rows);
    note_time(i, before);
    if (violation) blame(i, std::move(*violation));
  }
}

// Further operations, for a builder that has them.
void Player::judge_family() {
  if (!pass_.world.config().flash) return;
  for (const Ask& ask : flash_.asks()) {
    coverage_.note_ask(ask, pass_.world.config(), pass_.capabilities.flash);
    if (!pass_.capabilities.flash) continue;
    FlashMoment& moment = flash_.run(ask);
    std::uint64_t before = clock_ ? clock_() : 0;
    for (std::size_t i = 0; i < laws_.size(); ++i) {
      if (!laws_[i]->applies_to_flash(moment)) continue;
      auto violation = laws_[i]->judge_flash(moment);
      count(i, moment.expected().rows());
      note_time(i, before);
      if (violation) blame(i, std::move(*violation));
    }
    if (!violations_.empty()) return;
  }
}

void Player::count(std::size_t law, std::int64_t rows) {
  LawTally& tally = tallies_[law];
  tally.cases += judged_this_case_[law] ? 0 : 1;
  judged_this_case_[law] = true;
  ++tally.steps;
  tally.rows += rows;
}

void Player::note_time(std::size_t law, std::uint64_t& before) {
  if (!clock_) return;
  const std::uint64_t now = clock_();
  tallies_[law].nanoseconds += now - before;
  before = now;
}

void Player::blame(std::size_t law, Violation violation) {
  ++tallies_[law].violated;
  violation.law = laws_[law]->name();
  violation.builder = pass_.builder->name();
  violation.step = step_;
  violations_.push_back(std::move(violation));
}

// A builder that always captures syncs in whichever run comes first, not only in the one that the law makes.
bool Player::synced_in_capture(const SyncInCapture& error) {
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (!laws_[i]->forbids_sync_in_capture()) continue;
    blame(i, {.place = {.text = "the host side of the call"},
              .expected = "no call that waits for the device",
              .got = error.what(),
              .why = "metadata is enqueued without reading device memory"});
    return true;
  }
  return false;
}

// The builder is in a process of its own: this one goes on.
void Player::failed(const BuilderFailed& error) {
  Violation violation{.place = {.text = "the call as a whole"}, .why = error.what()};
  switch (error.how()) {
    case BuilderFailed::How::crashed:
      violation.law = does_not_crash;
      violation.expected = "the call returns";
      violation.got = "its process ended";
      break;
    case BuilderFailed::How::hung:
      violation.law = ends_in_time;
      violation.expected = "the call returns in time";
      violation.got = "no end";
      break;
    case BuilderFailed::How::refused:
      violation.law = takes_what_it_promised;
      violation.expected = "the call is taken";
      violation.got = "an error";
      break;
  }
  violation.builder = pass_.builder->name();
  violation.step = step_;
  violations_.push_back(std::move(violation));
}

std::span<const Violation> Player::step(const Step& step, const StepDetail& detail) {
  violations_.clear();
  ++step_;
  const Outcome outcome = pass_.world.apply(step, detail);
  coverage_.note(step, outcome, pass_.world);
  if (outcome != Outcome::no_op || pass_.world.changed()) inspect();
  if (outcome == Outcome::batch && violations_.empty()) {
    try {
      pass_.stage();
      if (is_given()) {
        run_both();
        judge();
        if (violations_.empty()) judge_family();
      } else {
        pass_over();
      }
    } catch (const SyncInCapture& error) {
      if (!synced_in_capture(error)) throw;
    } catch (const BuilderFailed& error) {
      failed(error);
    }
  }
  return violations_;
}

std::span<const Violation> Player::settle() {
  violations_.clear();
  pass_.world.settle();
  for (std::size_t i = 0; i < laws_.size(); ++i)
    if (auto violation = laws_[i]->conclude(pass_.world)) blame(i, std::move(*violation));
  return violations_;
}

std::span<const Violation> Player::play(const Scenario& scenario) {
  return perform(scenario).empty() ? settle() : violations_;
}

std::span<const Violation> Player::perform(const Scenario& scenario) {
  start(scenario.config);
  violations_.clear();
  for (const Step& one : scenario.steps)
    if (!step(one).empty()) break;
  return violations_;
}

}  // namespace pagestorm::sim
