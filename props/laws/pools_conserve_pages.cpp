// Every page is free, or somebody's, and of one owner: nothing leaks, nothing is freed twice, nothing has two owners.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "holdings.hpp"
#include "pagestorm/ids.hpp"
#include "props/laws.hpp"
#include "sim/engine/page_set.hpp"

namespace pagestorm::props {
namespace {

using sim::Pool;
using sim::World;

std::string_view name_of(Pool pool) { return pool == Pool::full ? "full" : "SWA"; }

sim::Violation found(Pool pool, std::int64_t page, std::string expected, std::string got, std::string why) {
  return {.place = {.text = fmt::format("{} pool, page {}", name_of(pool), page)},
          .expected = std::move(expected),
          .got = std::move(got),
          .why = std::move(why)};
}

class PoolsConservePages final : public sim::Law {
 public:
  std::string_view name() const override { return "pools_conserve_pages"; }
  std::string_view what() const override {
    return "each page is free or has one owner, and when all have finished every page is back";
  }
  bool is_about_engine() const override { return true; }

  void start(const World&, const sim::ImageLayout&) override {
    holdings_.start();
    for (sim::PageSet& owned : owned_) owned.clear();
    count_ = {};
  }

  std::optional<sim::Violation> inspect(const World& world) override {
    if (auto violation = refused(world)) return violation;
    holdings_.update(world);
    for (const Pool pool : {Pool::full, Pool::swa})
      if (auto violation = account(world, pool)) return violation;
    return std::nullopt;
  }

  std::optional<sim::Violation> conclude(const World& world) override {
    if (auto violation = refused(world)) return violation;
    for (const Pool pool : {Pool::full, Pool::swa}) {
      const sim::PagePool& pages = world.pool(pool);
      if (pages.free() == pages.pages()) continue;
      return sim::Violation{.place = {.text = fmt::format("{} pool, after all requests finished", name_of(pool))},
                            .expected = fmt::format("{} free pages", pages.pages()),
                            .got = fmt::format("{} free pages", pages.free()),
                            .why = "what a request or the prefix cache had goes back when it ends"};
    }
    if (world.free_rows() == world.config().requests) return std::nullopt;
    return sim::Violation{.place = {.text = "request rows, after all requests finished"},
                          .expected = fmt::format("{} free rows", world.config().requests),
                          .got = fmt::format("{} free rows", world.free_rows()),
                          .why = "each request gives its row back once, and row 0 is nobody's"};
  }

 private:
  static std::optional<sim::Violation> refused(const World& world) {
    for (const sim::PoolEvent& event : world.events())
      if (event.kind == sim::EventKind::refused)
        return found(event.pool, event.page, "a page that is out", "a page that is free, or the sink",
                     "a page is given back once, by whoever has it");
    return std::nullopt;
  }

  std::optional<sim::Violation> account(const World& world, Pool pool) {
    const sim::PagePool& pages = world.pool(pool);
    for (const Holding& holding : holdings_.gone()) drop(pool, holding.in(pool));
    for (const Holding& holding : holdings_.come())
      if (holding.in(pool) != sink)
        if (auto violation = claim(pages, pool, holding)) return violation;
    // What nobody gave or took cannot have become free: pages come back by these events only.
    for (const sim::PoolEvent& event : world.events())
      if (event.kind == sim::EventKind::freed && event.pool == pool && !pages.is_out(event.page) &&
          owned(pool, event.page))
        return owned_and_free(pool, event.page, owner_of(world, pool, event.page));
    const std::int64_t out = pages.pages() - pages.free();
    const std::int64_t count = count_[index(pool)];
    if (count == out) return std::nullopt;
    return sim::Violation{.place = {.text = fmt::format("{} pool", name_of(pool))},
                          .expected = fmt::format("{} pages out", count),
                          .got = fmt::format("{} pages out", out),
                          .why = "a page that is not free has an owner"};
  }

  std::optional<sim::Violation> claim(const sim::PagePool& pages, Pool pool, const Holding& holding) {
    const std::int32_t page = holding.in(pool);
    if (page < 1 || page > pages.pages())
      return found(pool, page, "a page of the pool", "owned by " + owner_name(holding.owner),
                   "page 0 is nobody's, and no page lies beyond");
    if (!pages.is_out(page)) return owned_and_free(pool, page, holding.owner);
    if (owned(pool, page))
      return found(pool, page, "one owner", "owned by " + owner_name(holding.owner) + " and by somebody else",
                   "a page has one owner");
    owned_[index(pool)].insert(page);
    ++count_[index(pool)];
    return std::nullopt;
  }

  static std::int64_t owner_of(const World& world, Pool pool, std::int32_t page) {
    for (const sim::Request& request : world.requests()) {
      const auto& pages = pool == Pool::full ? request.pages : request.swa_pages;
      const auto at = std::ranges::find(pages, page) - pages.begin();
      if (at >= request.shared_columns && at < std::ssize(pages)) return request.serial;
    }
    return Holding::cache;
  }

  static sim::Violation owned_and_free(Pool pool, std::int32_t page, std::int64_t owner) {
    return found(pool, page, "one owner", "owned by " + owner_name(owner) + ", and free",
                 "a page is handed out before it is owned");
  }

  void drop(Pool pool, std::int32_t page) {
    if (page == sink || !owned(pool, page)) return;
    owned_[index(pool)].erase(page);
    --count_[index(pool)];
  }

  static std::size_t index(Pool pool) { return static_cast<std::size_t>(pool); }
  bool owned(Pool pool, std::int32_t page) const { return owned_[index(pool)].contains(page); }

  Holdings holdings_;
  std::array<sim::PageSet, 2> owned_;
  std::array<std::int64_t, 2> count_{};  ///< pages of each set
};

}  // namespace

std::unique_ptr<sim::Law> pools_conserve_pages() { return std::make_unique<PoolsConservePages>(); }

}  // namespace pagestorm::props
