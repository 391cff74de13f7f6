#include "run_hash.hpp"

#include <fmt/format.h>

#include <span>
#include <string_view>

namespace pagestorm::cli {

/// A law that holds, and remembers what it saw.
class HashingPlayer::Hash final : public sim::Law {
 public:
  std::string_view name() const override { return "run_hash"; }
  std::string_view what() const override { return "what a run came to, as a number"; }

  void start(const sim::World& world, const sim::ImageLayout&) override {
    value_ = 0xcbf29ce484222325u;
    add(world.config().width());
  }

  std::optional<sim::Violation> inspect(const sim::World& world) override {
    add(world.live_pages());
    for (const sim::Request& request : world.requests()) {
      add(request.serial);
      add(request.length);
    }
    for (const sim::PoolEvent& event : world.events()) add(event.page);
    return std::nullopt;
  }

  std::optional<sim::Violation> judge(sim::Moment& moment) override {
    for (const sim::Image* image : {&moment.first(), &moment.second()})
      for (const sim::Range& range : moment.zone().judged())
        for (std::int64_t word = range.first; word < range.last; ++word) add(image->words()[word]);
    return std::nullopt;
  }

  void add(std::int64_t number) { value_ = (value_ ^ static_cast<std::uint64_t>(number)) * 0x100000001b3u; }
  void add(std::string_view text) {
    for (const char c : text) add(static_cast<std::int64_t>(c));
  }
  std::uint64_t value() const { return value_; }

 private:
  std::uint64_t value_ = 0;
};

HashingPlayer::HashingPlayer(Builder& builder, Builder* peer, const std::vector<std::string>& laws, Fault fault,
                             const Reading& reading)
    : builder_(builder),
      laws_([&] {
        std::vector<std::unique_ptr<sim::Law>> all;
        auto hash = std::make_unique<Hash>();
        hash_ = hash.get();
        all.push_back(std::move(hash));
        for (auto& law : make_laws(laws, reading)) all.push_back(std::move(law));
        return all;
      }()),
      player_(builder, peer, laws_) {
  player_.bend(fault);
}

std::uint64_t HashingPlayer::hash_of(const sim::Scenario& scenario) {
  failed_.reset();
  for (const sim::Violation& violation : player_.play(scenario)) {
    if (sim::is_about_failing(violation.law)) failed_ = violation;
    hash_->add(violation.law);
    hash_->add(violation.step);
  }
  return hash_->value();
}

std::optional<sim::Violation> HashingPlayer::difference(const sim::Scenario& scenario, std::uint64_t& hash) {
  hash = hash_of(scenario);
  if (failed_) return failed_;
  const std::uint64_t again = hash_of(scenario);
  if (failed_) return failed_;
  if (hash == again) return std::nullopt;
  sim::Violation violation{.place = {.text = "two runs of the same scenario"},
                           .expected = fmt::format("the same run hash, {:#018x}", hash),
                           .got = fmt::format("{:#018x}", again),
                           .why = "a scenario is all that a run depends on"};
  violation.law = repeats_itself;
  violation.builder = builder_.name();
  violation.step = static_cast<std::int64_t>(scenario.steps.size()) - 1;
  return violation;
}

}  // namespace pagestorm::cli
