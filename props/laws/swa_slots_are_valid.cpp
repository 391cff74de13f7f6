// What SWA layers read belongs to the request that reads it. Compared with the pages that the world gave out, not with
// the map: the builder's formula does not appear here.

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

class SwaSlotsAreValid final : public sim::Law {
 public:
  std::string_view name() const override { return "swa_slots_are_valid"; }
  std::string_view what() const override {
    return "inside the window every SWA page and write slot is mapped, in range and owned by its request";
  }
  bool applies(const Moment& moment) const override { return moment.layout().swa(); }

  std::optional<sim::Violation> judge(Moment& moment) override {
    const auto& rows = moment.forward().rows;
    std::int64_t write = 0;
    for (std::size_t r = 0; r < rows.size(); ++r) {
      const sim::ForwardRow& row = rows[r];
      if (row.request >= 0 && row.odd == sim::Odd::none) {
        if (auto violation = judge_table(moment, static_cast<std::int64_t>(r))) return violation;
        if (auto violation = judge_writes(moment, row, write)) return violation;
      }
      write += row.writes;
    }
    return std::nullopt;
  }

 private:
  static const sim::Request& request_of(const Moment& moment, const sim::ForwardRow& row) {
    return moment.world().requests()[static_cast<std::size_t>(row.request)];
  }

  // What a builder makes of a mapping that was taken away.
  static bool is_promised(Becomes becomes, std::int32_t got) {
    return becomes == Becomes::anything || (becomes == Becomes::minus_one && got == absent_page);
  }

  static bool is_punctured(const sim::Request& request, std::int64_t column) {
    return std::find(request.punctured.begin(), request.punctured.end(), column) != request.punctured.end();
  }

  static std::optional<sim::Violation> judge_table(Moment& moment, std::int64_t r) {
    const sim::ForwardRow& row = moment.forward().rows[static_cast<std::size_t>(r)];
    const sim::Request& request = request_of(moment, row);
    const sim::Section& table = moment.layout().section(sim::Part::swa_page_table);
    const std::int64_t size = moment.world().config().page_size;
    const std::int64_t shift = row.start / size;
    const std::int64_t tokens = moment.forward().cascade ? row.length : row.first_write + row.writes;
    const auto columns = static_cast<std::int64_t>(request.swa_pages.size());
    const std::int64_t live = std::min({(tokens + size - 1) / size, columns, table.cols + shift});
    const std::int64_t window_start = row.first_write - moment.world().config().window;
    for (std::int64_t c = shift; c < live; ++c) {
      const std::int64_t word = table.at(r, c - shift);
      const std::int32_t got = moment.first().words()[word];
      const std::int32_t own = request.swa_pages[static_cast<std::size_t>(c)];
      const bool in_window = (c + 1) * size > window_start;
      if ((got == own && (got > 0 || !in_window)) || is_punctured(request, c)) continue;
      const char* why = in_window ? "a page that the window still reaches holds the SWA page that the request owns"
                                  : "a page that has left the window is the request's own, or the sink";
      if (!in_window && (got == sink || (own == sink && is_promised(moment.promise().tombstone, got)))) continue;
      return sim::at_word(moment, moment.first(), word, fmt::format("{}", own), sim::show(got), why);
    }
    return std::nullopt;
  }

  static std::optional<sim::Violation> judge_writes(Moment& moment, const sim::ForwardRow& row, std::int64_t first) {
    const sim::Request& request = request_of(moment, row);
    const sim::Section& writes = moment.layout().section(sim::Part::swa_out_cache_loc);
    const std::int64_t size = moment.world().config().page_size;
    for (std::int64_t j = 0; j < row.writes && first + j < moment.extent().write_slots; ++j) {
      const std::int64_t position = row.position(j);
      const std::int64_t column = position / size;
      if (column >= static_cast<std::int64_t>(request.swa_pages.size())) continue;
      if (position % size == 0 && is_punctured(request, column)) continue;
      const std::int64_t want = request.swa_pages[static_cast<std::size_t>(column)] * size + position % size;
      std::int64_t got = 0;
      std::memcpy(&got, moment.first().words() + writes.at(0, first + j), sizeof got);
      if (got == want && got >= size) continue;
      return sim::at_word(moment, moment.first(), writes.at(0, first + j), fmt::format("{}", want),
                          fmt::format("{}", got), "a token is written to the SWA slot that its request owns for it");
    }
    return std::nullopt;
  }
};

}  // namespace

std::unique_ptr<sim::Law> swa_slots_are_valid() { return std::make_unique<SwaSlotsAreValid>(); }

}  // namespace pagestorm::props
