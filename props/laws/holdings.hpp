#pragma once
// Who has which pages, followed from step to step: costs follow the live requests and what changed, not what is cached.

#include <algorithm>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "sim/world.hpp"

namespace pagestorm::props {

/// A full page that somebody has, and the SWA page behind it; 0 = none.
struct Holding {
  static constexpr std::int64_t cache = -1;

  std::int32_t page = 0;
  std::int32_t swa_page = 0;
  std::int64_t owner = cache;  ///< serial of a request, or the prefix cache

  std::int32_t in(sim::Pool pool) const { return pool == sim::Pool::full ? page : swa_page; }
  bool same_pages(const Holding& other) const { return page == other.page && swa_page == other.swa_page; }
};

/// How a report calls an owner.
std::string owner_name(std::int64_t owner);

class Holdings {
 public:
  /// A scenario begins: nobody has anything.
  void start();

  /// Compares what requests and the prefix cache have with what they had at the last call.
  void update(const sim::World& world);

  /// What somebody had and has there no longer, and what somebody has there now. Some of either hold no page.
  std::span<const Holding> gone() const { return gone_; }
  std::span<const Holding> come() const { return come_; }

 private:
  /// What one owner had at the last call.
  struct Row {
    std::vector<Holding> kept;  ///< by column; without pages where they are not the owner's
    std::vector<std::int32_t> pages, swa_pages;
    std::size_t first = 0;

    bool is(std::span<const std::int32_t> p, std::span<const std::int32_t> swa, std::size_t from) const {
      return from == first && std::ranges::equal(p, pages) && std::ranges::equal(swa, swa_pages);
    }
  };

  void follow(Row& row, std::span<const std::int32_t> pages, std::span<const std::int32_t> swa_pages, std::size_t first,
              std::int64_t owner);
  void leave(std::size_t row);

  std::vector<Row> nodes_;               ///< by node
  std::vector<Row> rows_;                ///< by request row
  std::vector<std::size_t> held_;        ///< rows with a live request, at the last call
  std::vector<std::uint64_t> last_met_;  ///< by request row: the call that met a live request there
  std::uint64_t calls_ = 0;
  std::vector<Holding> gone_;
  std::vector<Holding> come_;
};

}  // namespace pagestorm::props
