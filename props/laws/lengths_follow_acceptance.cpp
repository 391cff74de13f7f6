// The committed length grows by what was accepted in the request's own row of the verify, and by nothing else.

#include <fmt/format.h>

#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::ForwardRow;
using sim::Request;
using sim::World;

class LengthsFollowAcceptance final : public sim::Law {
 public:
  std::string_view name() const override { return "lengths_follow_acceptance"; }
  std::string_view what() const override {
    return "a verify commits what its own row accepted, and the host never knows more";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const World& world) override {
    if (world.step().kind == sim::StepKind::verify || world.step().kind == sim::StepKind::ragged)
      for (std::int64_t r = 0; r < world.forward().real_rows; ++r)
        if (auto violation = judge(world, r)) return violation;
    for (const Request& request : world.requests())
      if (request.known_length > request.length)
        return wrong(request, fmt::format("{} at most", request.length), request.known_length,
                     "the host learns of tokens after the device has them");
    return std::nullopt;
  }

 private:
  static sim::Violation wrong(const Request& request, std::string expected, std::int64_t got, std::string why) {
    return {.place = {.text = fmt::format("the length of {}", sim::letter(request.serial))},
            .expected = std::move(expected),
            .got = fmt::format("{}", got),
            .why = std::move(why)};
  }

  static std::optional<sim::Violation> judge(const World& world, std::int64_t r) {
    const ForwardRow& row = world.forward().rows[static_cast<std::size_t>(r)];
    const Request& request = world.requests()[static_cast<std::size_t>(row.request)];
    const std::int64_t want = row.first_write + row.accepted;
    if (request.length == want) return std::nullopt;
    return wrong(request, fmt::format("{}", want), request.length,
                 fmt::format("row {} of the verify accepted {} tokens", r, want - row.first_write));
  }
};

}  // namespace

std::unique_ptr<sim::Law> lengths_follow_acceptance() { return std::make_unique<LengthsFollowAcceptance>(); }

}  // namespace pagestorm::props
