// Rows that only fill up a captured batch size change nothing for the others, and reach nothing but the sink.

#include <cstring>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

class PaddingIsInert final : public sim::Law {
 public:
  std::string_view name() const override { return "padding_is_inert"; }
  std::string_view what() const override {
    return "real rows are the same with and without padded rows, and padded rows reach only the sink";
  }
  bool applies(const Moment& moment) const override { return moment.forward().padded; }

  std::optional<sim::Violation> judge(Moment& moment) override {
    if (auto violation = reaches_beyond_sink(moment)) return violation;
    const std::int64_t real = moment.forward().real_rows;
    const Batch batch = moment.inputs().batch_of_first(moment.forward(), real);
    const sim::Extent extent{real, std::min(moment.extent().write_slots, batch.out_cache_loc.size)};
    bare_.compute(batch, moment.expected().width(), extent.write_slots);
    zone_.compute(moment.layout(), extent, bare_);
    const sim::Image& bare = moment.rerun({.batch = &batch, .extent = &extent, .zone = &zone_});
    return sim::differs_in_live(moment, zone_, bare, moment.first(), "a real row is the same when padded rows follow");
  }

 private:
  static std::optional<sim::Violation> reaches_beyond_sink(Moment& moment) {
    for (const sim::Part part : {sim::Part::page_table, sim::Part::swa_page_table}) {
      const sim::Section& table = moment.layout().section(part);
      if (table.rows == 0) continue;
      for (std::int64_t r = moment.forward().real_rows; r < moment.extent().rows; ++r) {
        if (moment.forward().rows[static_cast<std::size_t>(r)].odd != sim::Odd::none) continue;
        for (std::int64_t c = 0; c < moment.expected().live(r); ++c)
          if (const std::int32_t got = moment.first().words()[table.at(r, c)]; got != sink)
            return sim::at_word(moment, moment.first(), table.at(r, c), "0", sim::show(got),
                                "a padded row names the sink only");
      }
    }
    return std::nullopt;
  }

  sim::Reference bare_;
  sim::Zone zone_;
};

}  // namespace

std::unique_ptr<sim::Law> padding_is_inert() { return std::make_unique<PaddingIsInert>(); }

}  // namespace pagestorm::props
