#include "pack.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace pagestorm::sim {
namespace {

ImageLaw kind_of(std::string_view law) {
  for (const ImageLaw kind : image_laws)
    if (name_of(kind) == law) return kind;
  throw std::invalid_argument(fmt::format("law {}: needs more than images; no device judges by it", law));
}

std::uint32_t bit_of(ImageLaw law) { return static_cast<std::uint32_t>(law); }

std::string names_of(std::uint32_t laws) {
  std::vector<std::string_view> names;
  for (const ImageLaw law : image_laws)
    if ((laws & bit_of(law)) != 0) names.push_back(name_of(law));
  return names.empty() ? "no law is broken" : fmt::format("{}", fmt::join(names, ", "));
}

Violation disagreement(const Scene& scene, const Builder& builder, std::int64_t step, std::uint32_t host,
                       const Verdict& device) {
  Violation violation{.law = std::string(judges_agree), .builder = std::string(builder.name()), .step = step};
  violation.place.text = "the whole image";
  if (device.word != Verdict::nowhere) violation.place = scene.place(static_cast<std::int64_t>(device.word));
  violation.expected = names_of(host) + " (the host's laws)";
  violation.got = names_of(device.laws) + " (the device's judge)";
  violation.why = "the judge on the device says of two images what the host's laws say of them";
  return violation;
}

bool lacks_memory(const BuilderError& error) {
  return std::string_view(error.what()).starts_with("not enough device memory");
}

}  // namespace

Pack::Pack(DeviceJudge& judge, Builder& builder, std::span<const std::unique_ptr<Law>> laws, const PackOptions& options)
    : judge_(judge), builder_(builder), laws_(laws), compare_(options.compare), tallies_(laws.size()) {
  for (const auto& law : laws) {
    kinds_.push_back(kind_of(law->name()));
    mask_ |= bit_of(kinds_.back());
  }
  for (std::size_t i = 0; i <= std::max<std::size_t>(1, options.seats); ++i) seats_.push_back(std::make_unique<Seat>());
}

void Pack::play(const Next& next, const Found& found) {
  found_ = &found;
  going_ = true;
  run(0, far_seat(), compare_ ? 1 : DeviceJudge::rounds_max, next);
  for (PackCase& one : std::exchange(far_, {})) {
    bool given = false;
    if (!going_) break;
    run(far_seat(), seats_.size(), 1,
        [&] { return std::exchange(given, true) ? std::nullopt : std::optional(std::move(one)); });
  }
}

void Pack::run(std::size_t first, std::size_t last, std::size_t depth, const Next& next) {
  for (;;) {
    Round round = gather(first, last, next);
    if (round.empty()) break;
    judge_.start();
    under_way_.push_back(std::move(round));
    if (under_way_.size() == depth) settle();
  }
  while (!under_way_.empty()) settle();
}

Pack::Round Pack::gather(std::size_t first, std::size_t last, const Next& next) {
  Round round;
  for (std::size_t i = first; i < last && going_; ++i) {
    if (!advance(i, next)) continue;
    Seat& seat = *seats_[i];
    const Pass pass = seat.scene.pass(i);
    judge_.add(pass);
    round.push_back({i, seat.play, static_cast<std::int64_t>(seat.next_step) - 1, pass.batch.rows});
    seat.scene.forget_changes();
  }
  return round;
}

/// To the next pass of the seat; false when there is none.
bool Pack::advance(std::size_t i, const Next& next) {
  Seat& seat = *seats_[i];
  while (seat.play || open(i, next)) {
    const std::vector<Step>& steps = seat.play->one.scenario.steps;
    while (seat.next_step < steps.size() && !seat.play->over) {
      const Step& step = steps[seat.next_step++];
      const Outcome outcome = seat.scene.apply(step);
      seat.coverage.note(step, outcome, seat.scene.world());
      if (outcome == Outcome::batch) return true;
    }
    seat.play = nullptr;
  }
  return false;
}

/// Seats the next case; false when there is none.
bool Pack::open(std::size_t i, const Next& next) {
  Seat& seat = *seats_[i];
  while (std::optional<PackCase> one = next()) {
    const bool is_far = one->scenario.config.layout.far != Far::none;
    if (is_far && i != far_seat()) {
      far_.push_back(std::move(*one));
      continue;
    }
    seat.scene.start(one->scenario.config);
    try {
      judge_.seat(i, seat.scene.seating());
    } catch (const BuilderError& error) {
      if (!is_far || !lacks_memory(error)) throw;
      ++excused_far_;
      continue;
    }
    seat.coverage.start(one->scenario.config);
    seat.play = std::make_shared<Play>(Play{std::move(*one)});
    seat.next_step = 0;
    return true;
  }
  return false;
}

void Pack::settle() {
  const Round round = std::move(under_way_.front());
  under_way_.erase(under_way_.begin());
  const std::span<const Verdict> verdicts = judge_.take();
  if (!going_) return;
  if (compare_) return compare(round, verdicts);
  for (std::size_t i = 0; i < round.size() && going_; ++i) {
    if (round[i].play->over) continue;
    count(round[i]);
    if ((verdicts[i].laws & mask_) != 0) convict(round[i], verdicts[i]);
  }
}

void Pack::count(const Entry& entry) {
  const bool is_swa = entry.play->one.scenario.config.swa;
  ++steps_;
  for (std::size_t i = 0; i < laws_.size(); ++i) {
    if (kinds_[i] == ImageLaw::swa_slots_are_valid && !is_swa) continue;
    tallies_[i].cases += entry.play->judged ? 0 : 1;
    ++tallies_[i].steps;
    tallies_[i].rows += entry.rows;
  }
  entry.play->judged = true;
}

/// The world has moved on: the step is simulated again, and the images are those that the judge saw.
void Pack::convict(const Entry& entry, const Verdict& verdict) {
  const Scenario& scenario = entry.play->one.scenario;
  replayed_.start(scenario.config);
  for (std::int64_t s = 0; s <= entry.step; ++s) replayed_.apply(scenario.steps[static_cast<std::size_t>(s)]);
  const std::span<const Window> zone = replayed_.zone();
  const Wanted both[] = {{entry.seat, 0, zone, replayed_.image(0)}, {entry.seat, 1, zone, replayed_.image(1)}};
  judge_.fetch(both);
  weigh(entry, replayed_, verdict);
}

void Pack::compare(const Round& round, std::span<const Verdict> verdicts) {
  std::vector<Wanted> wanted;
  for (const Entry& entry : round) {
    Scene& scene = seats_[entry.seat]->scene;
    const std::span<const Window> zone = scene.zone();
    for (const int image : {0, 1}) wanted.push_back({entry.seat, image, zone, scene.image(image)});
  }
  judge_.fetch(wanted);
  for (std::size_t i = 0; i < round.size() && going_; ++i) {
    count(round[i]);
    weigh(round[i], seats_[round[i].seat]->scene, verdicts[i]);
  }
}

/// The host's laws on images that came back, and the device's verdict beside them.
void Pack::weigh(const Entry& entry, Scene& scene, const Verdict& verdict) {
  const std::vector<Violation> violations = scene.judge(laws_, builder_, entry.step);
  std::uint32_t host = 0;
  for (std::size_t i = 0; i < laws_.size(); ++i)
    for (const Violation& violation : violations)
      if (violation.law == laws_[i]->name()) {
        host |= bit_of(kinds_[i]);
        ++tallies_[i].violated;
      }
  const Verdict device{verdict.laws & mask_, 0, verdict.word};
  if (host == 0 && device.laws == 0) return;
  entry.play->over = true;
  going_ = host == device.laws ? (*found_)(entry.play->one, violations.front())
                               : (*found_)(entry.play->one, disagreement(scene, builder_, entry.step, host, device));
}

Coverage Pack::coverage() const {
  Coverage all;
  for (const auto& seat : seats_) all += seat->coverage;
  return all;
}

}  // namespace pagestorm::sim
