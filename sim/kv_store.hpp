#pragma once
// The KV pools themselves: every slot remembers whose token was written there last.

#include <array>
#include <cstdint>
#include <vector>

#include "engine/content.hpp"
#include "engine/events.hpp"
#include "memory.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// Target and draft model share slots and pages, but each has pools of its own.
enum class Model : std::uint8_t { target, draft };

/// Slots that get tokens, whoever keeps them.
class KvSlots {
 public:
  virtual ~KvSlots() = default;

  /// A slot of the pool gets the token of that id.
  virtual void write(Model model, Pool pool, std::int64_t slot, std::uint64_t id) = 0;

  /// `count` slots of one page, from `slot` on, get the tokens of `content` from `position` on; unknown ones are poison.
  virtual void write(Model model, Pool pool, std::int64_t slot, const Content& content, std::int64_t position,
                     std::int64_t count) = 0;

  /// A page goes back: what it holds is poison, for both models.
  virtual void forget(Pool pool, std::int64_t page) = 0;
};

class KvStore final : public KvSlots {
 public:
  static constexpr std::uint64_t poison = 0;  ///< nothing that a right reader ever meets
  static constexpr std::uint64_t lost = 1;    ///< a write that the engine asked for could not arrive here

  /// Everything is poison. Costs what the last scenario wrote.
  void start(const Config& config);

  /// The content ids of a page's slots; `page` must be one of the pool, or the sink.
  const std::uint64_t* page(Model model, Pool pool, std::int64_t page) const {
    return at(model, pool) + page * page_size_;
  }

  /// How often a page was written or forgotten.
  std::uint32_t version(Model model, Pool pool, std::int64_t page) const { return versions(index(model, pool))[page]; }

  void write(Model model, Pool pool, std::int64_t slot, std::uint64_t id) override;
  void write(Model model, Pool pool, std::int64_t slot, const Content& content, std::int64_t position,
             std::int64_t count) override;
  void forget(Pool pool, std::int64_t page) override;

  bool holds(Pool pool, std::int64_t page) const { return page >= 0 && page <= pages_[static_cast<std::size_t>(pool)]; }

 private:
  static std::size_t index(Model model, Pool pool) {
    return 2 * static_cast<std::size_t>(model) + static_cast<std::size_t>(pool);
  }
  std::uint64_t* at(Model model, Pool pool) const {
    return reinterpret_cast<std::uint64_t*>(ids_[index(model, pool)].base());
  }
  std::uint32_t* versions(std::size_t which) const { return reinterpret_cast<std::uint32_t*>(versions_[which].base()); }
  void touch(std::size_t which, std::int64_t page);

  std::int64_t page_size_ = 1;
  std::array<std::int64_t, 2> pages_{};
  std::array<Memory, 4> ids_;
  std::array<Memory, 4> versions_;                    ///< 0 = not written in this scenario
  std::array<std::vector<std::int32_t>, 4> written_;  ///< pages with another version, each once
};

}  // namespace pagestorm::sim
