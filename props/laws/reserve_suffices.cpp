// A forward pass has slots for all that it writes, even where the host knows less than the device, and writes to no page
// that others read.

#include <fmt/format.h>

#include <algorithm>

#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::ForwardRow;
using sim::Request;
using sim::World;

class ReserveSuffices final : public sim::Law {
 public:
  std::string_view name() const override { return "reserve_suffices"; }
  std::string_view what() const override {
    return "every position that a step writes has a slot that is reserved for its request alone";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const World& world) override {
    if (!has_batch(world.step().kind)) return std::nullopt;
    for (const ForwardRow& row : world.forward().rows)
      if (row.request >= 0)
        if (auto violation = judge(world, row)) return violation;
    return std::nullopt;
  }

 private:
  static std::optional<sim::Violation> judge(const World& world, const ForwardRow& row) {
    const Request& request = world.requests()[static_cast<std::size_t>(row.request)];
    const auto wrong = [&](const char* what, std::string expected, std::int64_t got, const char* why) {
      return sim::Violation{.place = {.text = fmt::format("{} of {}", what, sim::letter(request.serial))},
                            .expected = std::move(expected),
                            .got = fmt::format("{}", got),
                            .why = why};
    };
    const sim::StepKind kind = world.step().kind;
    const bool verifies = kind == sim::StepKind::verify || kind == sim::StepKind::ragged;
    const bool speculates = verifies || kind == sim::StepKind::draft || kind == sim::StepKind::block;
    // Before the step: a verify has moved the length on already.
    const std::int64_t before = verifies ? row.first_write : request.length;
    const std::int64_t touched = std::min(before + world.ahead(), world.config().columns());
    const std::int64_t needed = std::max(row.position(row.writes - 1) + 1, speculates ? touched : 0);
    if (request.allocated < needed)
      return wrong("reserved positions", fmt::format("at least {}", needed), request.allocated,
                   "the device may be a verify ahead of what the host knows");
    if (request.allocated > world.config().columns())
      return wrong("reserved positions", fmt::format("at most {}", world.config().columns()), request.allocated,
                   "req_to_token has no more columns");
    const std::int64_t shared = request.shared_columns * world.config().page_size;
    if (row.first_write < shared)
      return wrong("the first position written", fmt::format("{} or more", shared), row.first_write,
                   "pages of the prefix cache have other readers");
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> reserve_suffices() { return std::make_unique<ReserveSuffices>(); }

}  // namespace pagestorm::props
