#pragma once
// An engine of nothing but pools, rows and a prefix cache, and beside it the naive answer: a map from each prefix of
// whole pages to its page. For tests of the cache.

#include <cstdint>
#include <map>
#include <vector>

#include "sim/engine/prefix_cache.hpp"
#include "sim/pool.hpp"
#include "sim/rng.hpp"

namespace pagestorm::sim {

/// The ids of all tokens up to the end of a page.
using Prefix = std::vector<std::uint64_t>;

struct CachedPage {
  std::int32_t page = 0;
  std::int32_t swa_page = 0;

  friend bool operator==(const CachedPage&, const CachedPage&) = default;
};

struct SmallRequest {
  Content content;
  std::vector<std::int32_t> pages;
  std::vector<std::int32_t> swa_pages;  ///< as the request last saw them; empty without SWA
  std::int64_t shared = 0;              ///< tokens that it has from the tree
  std::int64_t evicted = 0;             ///< columns below need no SWA page any more
  PrefixLock lock;
};

struct SmallConfig {
  std::int64_t page_size = 1;
  bool swa = false;
  std::int64_t window = 1;
  std::int64_t pages = 1;
  std::int64_t swa_pages = 1;
};

/// How often something happened.
struct SmallTally {
  std::int64_t matched = 0, shortened = 0, replaced = 0, adopted_again = 0, remapped = 0, evicted = 0, tombstoned = 0;
};

/// Every operation is compared with the naive answer; what differs is reported through GoogleTest.
class SmallEngine {
 public:
  SmallEngine(const SmallConfig& config, std::uint64_t seed);

  /// One random operation.
  void step(SmallTally& tally);

  /// Finishes all requests and clears the tree.
  void wind_down(SmallTally& tally);

  /// Whether every page has one owner, and rows, map and tree say the same of it.
  void check() const;

 private:
  using Tree = std::map<Prefix, CachedPage>;

  std::int64_t columns(std::int64_t tokens) const { return (tokens + config_.page_size - 1) / config_.page_size; }
  Prefix prefix(const Content& content, std::int64_t pages) const;
  std::int64_t lockers(const Prefix& prefix, bool for_swa = false) const;

  Content more_tokens(Content content);
  void admit(SmallTally& tally);
  void grow(SmallRequest& request, SmallTally& tally);
  bool extend(SmallRequest& request, SmallTally& tally);
  void slide(SmallRequest& request);
  PrefixInsert insert(SmallRequest& request, SmallTally& tally);
  void keep(SmallRequest& request, SmallTally& tally);
  void finish(std::size_t who, bool leave_pages, SmallTally& tally);
  void evict(std::int64_t pages, SmallTally& tally);
  void tombstone(std::int64_t pages, SmallTally& tally);
  void unlock(PrefixLock lock);
  void free_column(SmallRequest& request, std::int64_t column, bool swa_only);
  void apply(const PrefixChanges& changes, SmallRequest* request);

  std::int64_t longest(const Content& content, std::int64_t limit) const;
  bool may_go_on(const Content& content, std::int64_t pages) const;
  PrefixChanges expected_insert(const SmallRequest& request, std::int64_t& tokens);
  void forget(const PrefixChanges& changes);

  Tree flat() const;
  void check_request(const SmallRequest& request) const;
  void check_nodes() const;

  SmallConfig config_;
  Rng rng_;
  PagePool full_, swa_;
  PrefixCache cache_;
  std::map<std::int32_t, std::int32_t> map_;  ///< full page to SWA page, where that is not 0
  std::map<std::int32_t, Prefix> written_;    ///< what stands in a page that was filled
  std::vector<SmallRequest> live_;
  Tree tree_;  ///< the naive answer
};

}  // namespace pagestorm::sim
