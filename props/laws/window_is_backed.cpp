// Whatever a query may still look back at has an SWA page, and eviction leaves nothing but that.

#include <fmt/format.h>

#include <algorithm>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Request;
using sim::World;

class WindowIsBacked final : public sim::Law {
 public:
  std::string_view name() const override { return "window_is_backed"; }
  std::string_view what() const override {
    return "every page that the window reaches has an SWA page, and after an eviction no other page has one";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const World& world) override {
    if (!world.config().swa) return std::nullopt;
    for (const Request& request : world.requests()) {
      if (auto violation = unbacked(world, request)) return violation;
      if (world.step().kind != sim::StepKind::evict) continue;
      if (auto violation = kept(world, request)) return violation;
    }
    return std::nullopt;
  }

 private:
  // Tokens whose queries are done: what a verify accepted is queried once more, by the draft extend.
  static std::int64_t processed(const Request& request) { return request.verified.value_or(request.length); }

  static sim::Violation wrong(const Request& request, std::int64_t column, std::string expected, std::string got,
                              std::string why) {
    return {.place = {.text = fmt::format("{}, page {} of its sequence", sim::letter(request.serial), column)},
            .expected = std::move(expected),
            .got = std::move(got),
            .why = std::move(why)};
  }

  static std::optional<sim::Violation> unbacked(const World& world, const Request& request) {
    const std::int64_t size = world.config().page_size;
    const std::int64_t tokens = std::min(request.length, request.allocated);
    for (std::int64_t c = world.first_windowed_column(processed(request)); c * size < tokens; ++c)
      if (request.swa_pages[static_cast<std::size_t>(c)] == sink)
        return wrong(
            request, c, "an SWA page", "none",
            fmt::format("of {} tokens, the last {} are looked at again", processed(request), world.config().window));
    return std::nullopt;
  }

  static std::optional<sim::Violation> kept(const World& world, const Request& request) {
    const std::int64_t first = world.first_windowed_column(processed(request));
    const std::int64_t last = std::min(first, static_cast<std::int64_t>(request.swa_pages.size()));
    for (std::int64_t c = request.shared_columns; c < last; ++c)
      if (const std::int32_t page = request.swa_pages[static_cast<std::size_t>(c)]; page != sink)
        return wrong(request, c, "none", fmt::format("SWA page {}", page),
                     "an eviction gives back all that has left the window, so that a request is bounded by it");
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> window_is_backed() { return std::make_unique<WindowIsBacked>(); }

}  // namespace pagestorm::props
