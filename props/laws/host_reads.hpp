#pragma once
// Attention's eye on the host: what a pass reads from the KV store, walked page by page.

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "found_pages.hpp"
#include "pagestorm/device_reader.hpp"
#include "sim/kv_store.hpp"
#include "sim/law.hpp"

namespace pagestorm::props {

/// What a row must hold to be looked at: a request, told as it is.
inline bool is_looked_at(const sim::ForwardRow& row) { return row.request >= 0 && row.odd == sim::Odd::none; }

/// Whether the sums of a batch say how many queries each row has: odd rows bend those of their neighbours.
bool sums_say_queries(const sim::Forward& forward);

/// The KV store of one scenario at a time, and its reader.
class HostReads {
 public:
  void start(const sim::World& world);

  /// After every step of the engine.
  void follow(const sim::World& world);

  /// Stores the tokens of the pass; the first stray write, as write_all().
  std::optional<sim::Violation> write(sim::Moment& moment);

  /// What the pass misreads first. After write().
  KvMisread read(const sim::Moment& moment);

  /// What every slot holds.
  const sim::KvStore& store() const { return store_; }

 private:
  KvMisread read_lengths(const sim::Moment& moment, std::int64_t row, bool sums_count) const;
  KvMisread read_row(const sim::Moment& moment, std::int64_t row, sim::Model model);
  KvMisread read_pool(const sim::Moment& moment, std::int64_t row, sim::Model model, sim::Pool pool, FoundPages& found);
  KvMisread read_page(const sim::Moment& moment, std::int64_t row, sim::Model model, sim::Pool pool, std::int32_t page,
                      FoundPages::Range range) const;

  sim::KvStore store_;
  std::array<std::vector<FoundPages>, 2> found_;  ///< by model and request row
};

}  // namespace pagestorm::props
