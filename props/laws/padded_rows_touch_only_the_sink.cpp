// What fills a captured batch size up names request row 0, which is nobody's and all zero, and writes to the sink.

#include <fmt/format.h>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::ForwardRow;
using sim::World;

class PaddedRowsTouchOnlyTheSink final : public sim::Law {
 public:
  std::string_view name() const override { return "padded_rows_touch_only_the_sink"; }
  std::string_view what() const override {
    return "padded rows have row 0, one token and the sink's slots, and row 0 is nobody's and stays zero";
  }
  bool is_about_engine() const override { return true; }

  std::optional<sim::Violation> inspect(const World& world) override {
    for (const sim::Request& request : world.requests())
      if (request.row == 0)
        return wrong(fmt::format("the row of {}", sim::letter(request.serial)), "1 or more", "0",
                     "padded rows read row 0");
    for (std::int64_t p = 0; p < std::min<std::int64_t>(world.config().columns(), looked_at); ++p)
      if (const std::int32_t slot = world.inputs().slot(0, p); slot != sink)
        return wrong(fmt::format("req_to_token, row 0, position {}", p), "slot 0", fmt::format("slot {}", slot),
                     "row 0 is nobody's and stays zero");
    if (!has_batch(world.step().kind)) return std::nullopt;
    for (std::size_t r = 0; r < world.forward().rows.size(); ++r)
      if (const ForwardRow& row = world.forward().rows[r]; row.request < 0 && row.odd == sim::Odd::none)
        if (auto violation = padded(row, r)) return violation;
    return std::nullopt;
  }

 private:
  static constexpr std::int64_t looked_at = 64;  ///< positions of row 0
  static constexpr std::int64_t fill = 1;        ///< contract, "Padded rows"

  static sim::Violation wrong(std::string place, std::string expected, std::string got, std::string why) {
    return {.place = {.text = std::move(place)},
            .expected = std::move(expected),
            .got = std::move(got),
            .why = std::move(why)};
  }

  static std::optional<sim::Violation> padded(const ForwardRow& row, std::size_t r) {
    const auto place = [&](const char* what) { return fmt::format("{} of padded row {}", what, r); };
    if (row.pool_row != 0)
      return wrong(place("req_pool_indices"), "0", fmt::format("{}", row.pool_row), "padded rows read row 0");
    // With branches the main tables are those of whole pages.
    if (row.committed != fill || row.length > fill)
      return wrong(place("seq_lens"), "1", fmt::format("{}", row.committed),
                   "a padded row has one token, at every step");
    if (row.owner != 0)
      return wrong(place("out_cache_loc"), "slot 0", fmt::format("slots of row {}", row.owner),
                   "padded rows write to the sink");
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> padded_rows_touch_only_the_sink() { return std::make_unique<PaddedRowsTouchOnlyTheSink>(); }

}  // namespace pagestorm::props
