// The full-to-SWA map says what the pools say: the slots of a full page go to the same offsets of the SWA page behind it,
// and slots that are free or have no SWA page behind them go nowhere. So no two slots share one, and none is left over.

#include <fmt/format.h>

#include <vector>

#include "holdings.hpp"
#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/memory.hpp"

namespace pagestorm::props {
namespace {

using sim::World;

// The SWA page behind each full page: the sink where nobody has one. Costs what is set.
class Backing {
 public:
  void start(std::int64_t pages) {
    if (used_) swa_pages_.forget();
    used_ = false;
    swa_pages_.reserve(0, (pages + 1) * static_cast<std::int64_t>(sizeof(std::int32_t)));
  }
  std::int32_t of(std::int64_t page) const { return at(page); }
  void set(std::int64_t page, std::int32_t swa_page) {
    at(page) = swa_page;
    used_ = true;
  }

 private:
  std::int32_t& at(std::int64_t page) const { return reinterpret_cast<std::int32_t*>(swa_pages_.base())[page]; }

  sim::Memory swa_pages_;
  bool used_ = false;
};

class SwaMapIsExact final : public sim::Law {
 public:
  std::string_view name() const override { return "swa_map_is_exact"; }
  std::string_view what() const override {
    return "the map sends the slots of a page to those of its SWA page, one to one, and no other slot anywhere";
  }
  bool is_about_engine() const override { return true; }

  void start(const World& world, const sim::ImageLayout&) override {
    holdings_.start();
    backing_.start(world.config().swa ? world.config().pages : 0);
    suspects_.assign(1, sink);
  }

  std::optional<sim::Violation> inspect(const World& world) override {
    if (!world.config().swa) return std::nullopt;
    holdings_.update(world);
    const std::int64_t pages = world.config().pages;
    const auto expect = [&](const Holding& holding, std::int32_t swa_page) {
      if (holding.page == sink || holding.page > pages) return;
      backing_.set(holding.page, swa_page);
      suspects_.push_back(holding.page);
    };
    for (const Holding& holding : holdings_.gone()) expect(holding, sink);
    for (const Holding& holding : holdings_.come()) expect(holding, holding.swa_page);
    const auto mapped = world.inputs().pages_mapped();
    suspects_.insert(suspects_.end(), mapped.begin(), mapped.end());
    for (const std::int32_t page : suspects_)
      if (auto violation = wrong(world, page, backing_.of(page))) return violation;
    suspects_.clear();
    return std::nullopt;
  }

  std::optional<sim::Violation> conclude(const World& world) override {
    if (!world.config().swa) return std::nullopt;
    for (const sim::PoolEvent& event : world.events())
      if (event.kind == sim::EventKind::freed && event.pool == sim::Pool::full)
        if (auto violation = wrong(world, event.page, sink)) return violation;
    return std::nullopt;
  }

 private:
  static std::optional<sim::Violation> wrong(const World& world, std::int64_t page, std::int64_t swa_page) {
    const std::int64_t size = world.config().page_size;
    for (std::int64_t j = 0; j < size; ++j) {
      const std::int64_t got = world.inputs().mapped(page * size + j);
      const std::int64_t want = swa_page == sink ? sink : swa_page * size + j;
      if (got == want) continue;
      return sim::Violation{.place = {.text = fmt::format("full_to_swa, slot {} (page {})", page * size + j, page)},
                            .expected = swa_page == sink ? std::string("0: no SWA page is behind it")
                                                         : fmt::format("{} (SWA page {})", want, swa_page),
                            .got = fmt::format("{}", got),
                            .why = "the map follows what the pools handed out and took back"};
    }
    return std::nullopt;
  }

  Holdings holdings_;
  Backing backing_;
  std::vector<std::int32_t> suspects_;  ///< full pages of which the owner, the SWA page or the mapping changed
};

}  // namespace

std::unique_ptr<sim::Law> swa_map_is_exact() { return std::make_unique<SwaMapIsExact>(); }

}  // namespace pagestorm::props
