// Rows that only fill up a captured batch size change nothing for the others, and reach nothing but the sink.

#include <cstring>

#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/checks.hpp"
#include "sim/flash/checks.hpp"

namespace pagestorm::props {
namespace {

using sim::Moment;

class PaddingIsInert final : public sim::Law {
 public:
  std::string_view name() const override { return "padding_is_inert"; }
  std::string_view what() const override {
    return "real rows are the same with and without padded rows, and padded rows reach only the sink";
  }
  bool reruns() const override { return true; }
  bool applies(const Moment& moment) const override { return moment.forward().padded; }

  std::optional<sim::Violation> judge(Moment& moment) override {
    if (auto violation = reaches_beyond_sink(moment)) return violation;
    const std::int64_t real = moment.forward().real_rows;
    const Batch batch = moment.inputs().batch_of_first(moment.forward(), real);
    const sim::Extent extent{real, std::min(moment.extent().write_slots, batch.out_cache_loc.size)};
    if (real == 0 && !moment.promise().empty_batch) return std::nullopt;
    bare_.compute(batch, moment.expected().width(), extent.write_slots, moment.promise());
    zone_.compute(moment.layout(), extent, bare_);
    const sim::Image& bare = moment.rerun({.batch = &batch, .extent = &extent, .zone = &zone_});
    return sim::differs_in_live(moment, zone_, bare, moment.first(), "a real row is the same when padded rows follow");
  }

  bool applies_to_flash(const sim::FlashMoment& moment) const override { return moment.forward().padded; }
  std::optional<sim::Violation> judge_flash(sim::FlashMoment& moment) override {
    FlashBatch batch = moment.batch();
    batch.rows = moment.forward().real_rows;
    const sim::Image& bare = moment.rerun({.batch = &batch});
    for (std::int64_t r = 0; r < moment.expected().rows(); ++r) {
      const std::int64_t owner = moment.expected().row_of(r);
      if (owner < 0) break;
      auto violation = owner < batch.rows ? differs_when_bare(moment, bare, r) : reaches_beyond_sink(moment, owner, r);
      if (violation) return violation;
    }
    return std::nullopt;
  }

 private:
  static std::optional<sim::Violation> differs_when_bare(const sim::FlashMoment& moment, const sim::Image& bare,
                                                         std::int64_t r) {
    const auto compare = [&](sim::Part part, std::int64_t row, std::int64_t column) -> std::optional<sim::Violation> {
      const std::int64_t word = moment.layout().section(part).at(row, column);
      if (bare.words()[word] == moment.first().words()[word]) return std::nullopt;
      return sim::at_word(moment, moment.first(), word, sim::show(bare.words()[word]),
                          sim::show(moment.first().words()[word]), "a real row is the same when padded rows follow");
    };
    if (auto violation = compare(sim::Part::cache_seqlens, 0, r)) return violation;
    if (auto violation = compare(sim::Part::cu_seqlens_q, 0, r + 1)) return violation;
    if (auto violation = compare(sim::Part::cu_seqlens_k, 0, r + 1)) return violation;
    for (std::int64_t c = 0; c < moment.expected().live(r); ++c)
      if (auto violation = compare(sim::Part::page_table, r, c)) return violation;
    return std::nullopt;
  }

  static std::optional<sim::Violation> reaches_beyond_sink(const sim::FlashMoment& moment, std::int64_t owner,
                                                           std::int64_t r) {
    if (moment.forward().rows[static_cast<std::size_t>(owner)].odd != sim::Odd::none) return std::nullopt;
    const sim::Section& table = moment.layout().section(sim::Part::page_table);
    for (std::int64_t c = 0; c < moment.expected().live(r); ++c)
      if (const std::int32_t got = moment.word(sim::Part::page_table, r, c); got != sink)
        return sim::at_word(moment, moment.first(), table.at(r, c), "0", sim::show(got),
                            "a padded row names the sink only");
    return std::nullopt;
  }

  // The sink's own mapping is 0, and what a 0 becomes may be promised.
  static bool is_promised(Moment& moment, sim::Part part, std::int64_t r, std::int64_t c) {
    const bool swa = part == sim::Part::swa_page_table;
    if (!swa || moment.promise().tombstone == Becomes::contract) return false;
    const std::int32_t got = moment.first().words()[moment.layout().section(part).at(r, c)];
    return moment.expected().is_open(r, c, swa) || got == moment.expected().page(r, c).swa;
  }

  static std::optional<sim::Violation> reaches_beyond_sink(Moment& moment) {
    for (const sim::Part part : {sim::Part::page_table, sim::Part::swa_page_table}) {
      const sim::Section& table = moment.layout().section(part);
      if (table.rows == 0) continue;
      for (std::int64_t r = moment.forward().real_rows; r < moment.extent().rows; ++r) {
        if (moment.forward().rows[static_cast<std::size_t>(r)].odd != sim::Odd::none) continue;
        for (std::int64_t c = 0; c < moment.expected().live(r); ++c)
          if (const std::int32_t got = moment.first().words()[table.at(r, c)];
              got != sink && !is_promised(moment, part, r, c))
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
