#pragma once
// A pure model of the engine: who is alive, how long, which pages they own, what the prefix cache keeps. It tells the
// device memory what the engine would, and knows the truth that laws compare with.

#include <cstdint>
#include <deque>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "engine/events.hpp"
#include "engine/prefix_cache.hpp"
#include "engine/request.hpp"
#include "engine/rules.hpp"
#include "forward.hpp"
#include "inputs.hpp"
#include "pool.hpp"
#include "scenario.hpp"

namespace pagestorm::sim {

/// What became of a step.
enum class Outcome : std::uint8_t { no_op, changed, batch };

/// What a step cannot say for itself. A scenario's steps do without.
struct StepDetail {
  const Content* prompt = nullptr;              ///< of a new request, at least as long as the step's amount says
  std::span<const std::int64_t> accepted = {};  ///< of a verify, by row, 0 to N; further rows go by the step
};

/// What happened on the way, over a scenario.
struct WorldTally {
  std::int64_t retractions = 0;
  std::int64_t readmissions = 0;
  std::int64_t prefix_tokens = 0;  ///< of arrivals
  std::int64_t hit_tokens = 0;     ///< of them in the prefix cache
  std::int64_t deduplicated = 0;   ///< pages that the prefix cache had already
  std::int64_t tombstones = 0;     ///< SWA pages that the prefix cache gave back, keeping the full ones
  std::int64_t recoveries = 0;     ///< tombstones that got an SWA page again
  std::int64_t reclaimed = 0;      ///< full pages that the prefix cache gave back
  std::int64_t window_freed = 0;   ///< SWA pages that left the window of a request
};

class Overlap;

class World {
 public:
  World();
  ~World();
  World(World&&) noexcept;
  World& operator=(World&&) noexcept;

  /// Starts a scenario over `inputs`, which must outlive the world's use. `fault` bends the engine when it is one of
  /// the engine's.
  void start(const Config& config, Inputs& inputs, Fault fault = Fault::none);

  /// Applies one step. With Outcome::batch, forward() is what the device is asked for; the world already stands after
  /// it. A step that cannot apply changes nothing but what retraction did to make room. `detail` goes before the step.
  Outcome apply(const Step& step, const StepDetail& detail = {});

  /// Has a forward pass that no step led to, until the next step; nothing else changes.
  void pretend(Forward forward) { forward_ = std::move(forward); }

  /// The storm stops: all requests finish, nobody waits any longer, and the prefix cache gives everything back.
  void settle();

  const Config& config() const { return config_; }
  const Forward& forward() const { return forward_; }
  const std::vector<Request>& requests() const { return live_; }
  const std::deque<Request>& waiting() const { return waiting_; }
  const Inputs& inputs() const { return *inputs_; }
  const PagePool& pool(Pool which) const { return which == Pool::full ? full_ : swa_; }
  const PrefixCache& cache() const { return cache_; }
  std::int64_t free_rows() const { return static_cast<std::int64_t>(free_rows_.size()); }
  std::int64_t live_pages() const { return full_.pages() - full_.free(); }

  /// The step that was applied last.
  const Step& step() const { return step_; }

  /// Whether the last step left something other than it was, applied or not: pools, rows or the prefix cache.
  bool changed() const;

  /// What the last step did to the pools.
  std::span<const PoolEvent> events() const { return events_; }
  const WorldTally& tally() const { return tally_; }

  /// The work of all steps as it was queued; null where the engine does not overlap.
  const Overlap* overlap() const { return overlap_.get(); }

  /// Tokens that a speculative loop touches beyond the committed length.
  std::int64_t ahead() const;

  /// The first column that the window of a query behind `length` tokens reaches.
  std::int64_t first_windowed_column(std::int64_t length) const;

 private:
  Outcome perform(const Step& step);

  // requests: world.cpp
  bool admit(const Step& step);
  bool finish(std::int64_t who);
  bool puncture(std::int64_t who, std::int64_t page);
  Request& new_request(const Step& step);
  void start_living();

  // pages: world_pages.cpp
  std::int64_t first_seen_column(std::int64_t length, std::int64_t window) const;
  std::int64_t new_columns(const Request& request, std::int64_t tokens) const;
  std::int64_t new_swa_columns(const Request& request, std::int64_t tokens, std::int64_t base) const;
  void grow(Request& request, std::int64_t tokens, std::int64_t base);
  void take_pages(Request& request, std::int64_t added, std::int64_t windowed);
  void fence_off(std::int64_t row, std::int64_t positions);
  void fill_block_row(const Request& request, std::int64_t start, std::int64_t tokens);
  bool evict();
  bool evict(Request& request);
  void release(Request& request, bool frees);
  void free_page(std::int32_t page, std::int32_t swa_page);
  void give(Pool pool, std::int32_t page);
  void unmap(std::span<const std::int32_t> pages);

  // sharing: world_cache.cpp
  bool arrive(const Step& step);
  bool begin(Request& request);
  bool share(const Step& step);
  bool share(Request& request, std::int64_t tokens);
  bool reclaim(std::int64_t pages);
  bool tombstone(std::int64_t swa_pages);
  std::int64_t shareable(const Request& request) const;
  void settle_changes(const PrefixChanges& changes);
  void follow(std::span<const Remap> remaps);
  void draft_prompt(Request& request);
  void forget_drafts(Request& request, std::span<const Rewrite> rewrites);
  void unlock(Request& request);
  void unlock(const PrefixLock& lock);

  // scheduling: world_room.cpp
  bool make_room(const Step& step);
  bool find_room(std::int64_t full_pages, std::int64_t swa_pages);
  bool retract(std::int64_t who);
  bool readmit();

  // batches: world_forward.cpp
  bool run(const Step& step);
  bool idle(const Step& step);
  bool select(const Step& step);
  bool needs(const Step& step, std::int64_t& full_pages, std::int64_t& swa_pages) const;
  std::int64_t tokens_after(const Step& step, const Request& request, std::int64_t position) const;
  std::int64_t slots_after(const Step& step, const Request& request, std::int64_t tokens) const;
  std::int64_t accepted_in(const Step& step, std::int64_t position) const;
  void note_content(const Step& step, Request& request, const ForwardRow& row);
  void commit(const Step& step, Request& request, const ForwardRow& row, std::int64_t position);
  void add_row(const Step& step, std::size_t index, std::int64_t position);
  // rows that fill a batch up: world_rows.cpp
  void pad(std::int64_t to);
  std::int64_t ragged_share(std::int64_t row, std::int64_t to) const;
  bool covers(std::int64_t bucket) const;
  void make_odd(const Step& step);

  // drafts in branches, trees: world_flash.cpp
  void take_family(const Step& step);
  std::int64_t branch_reach(const Request& request) const;
  void branch(const Request& request, ForwardRow& row) const;
  void plant(const Request& request, ForwardRow& row) const;
  void note_branches(Request& request, const ForwardRow& row);
  void choose_path(Request& request, const ForwardRow& row);
  void compact(Request& request);
  void compact_all();
  void move_token(Request& request, Content& content, std::int64_t from, std::int64_t to, bool draft, bool really);

  Config config_;
  EngineRules rules_;
  Inputs* inputs_ = nullptr;
  PagePool full_, swa_;
  PrefixCache cache_;
  std::vector<Request> live_;
  std::deque<Request> waiting_;  ///< retracted, the first to come back in front
  std::vector<std::int64_t> free_rows_;
  std::vector<std::size_t> chosen_;
  std::vector<Request> spare_;  ///< finished requests, for their storage
  std::vector<std::int32_t> sinks_;
  std::int64_t admitted_ = 0;
  std::vector<PoolEvent> events_;
  WorldTally tally_;
  Step step_;
  StepDetail detail_;  ///< of step_, while it is applied
  Forward forward_;
  std::vector<ForwardRow> captured_;  ///< rows of the last batch, as graph inputs still hold them
  std::unique_ptr<Overlap> overlap_;
};

}  // namespace pagestorm::sim
