#pragma once
// What one step of the world means for queued work: what the scheduler wrote, and what a forward pass reads and writes.

#include <cstdint>
#include <string_view>
#include <vector>

#include "resource.hpp"

namespace pagestorm::sim::time {

/// Positions of a row of req_to_token, and whose row it is.
struct RowPart {
  std::int32_t row = 0;
  Span span = {};
  std::int32_t owner = -1;
};

/// All page ids are above 0: nobody cares for the sink.
struct StepWork {
  std::string_view name = {};  ///< of the step
  bool plans_batch = false;    ///< the scheduler prepares requests or a batch; else it processes results
  bool frees_by_window = false;

  // what the scheduler did
  std::vector<RowPart> rows_written = {};
  std::vector<std::int32_t> maps_written = {};  ///< full pages
  std::vector<std::int32_t> rows_issued = {};   ///< request rows that have a new owner

  // what was filled from elsewhere
  std::vector<RowPart> rows_loaded = {};
  std::vector<std::int32_t> pages_loaded = {};
  std::vector<std::int32_t> swa_pages_loaded = {};

  // what the forward pass does, if there is one
  bool has_forward = false;
  bool captured = false;  ///< as a graph that is replayed
  bool prefills = false;
  bool speculates = false;  ///< the device knows lengths that the host may not know
  bool may_plan = false;    ///< its tables may be built on the plan stream
  bool commits = false;     ///< it publishes new lengths
  bool ragged = false;      ///< of a verify whose rows have numbers of tokens of their own
  std::vector<RowPart> rows_read = {};
  std::vector<std::int32_t> relays = {};  ///< request rows of the batch
  std::vector<std::int32_t> maps_read = {};
  std::vector<std::int32_t> pages_read = {};
  std::vector<std::int32_t> swa_pages_read = {};
  std::vector<std::int32_t> pages_written = {};
  std::vector<std::int32_t> swa_pages_written = {};

  /// A step that does nothing; storage is kept.
  void clear();
};

}  // namespace pagestorm::sim::time
