#pragma once
// A queue as a description that can be run on real streams, and what the reads of such a run should have seen.

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "execute.hpp"
#include "pagestorm/device_streams.hpp"
#include "queue.hpp"

namespace pagestorm::sim::time {

/// Operations, events, waits and replays of a queue, with resources cut into cells at every end of a span. Numbers of
/// operations are those of the queue.
class StreamPlan {
 public:
  /// The queue must have all its operations still, and outlive this. Throws std::invalid_argument when it has dropped some.
  explicit StreamPlan(const Queue& queue);

  const StreamWork& work() const { return work_; }

  /// The reads that saw something else than in the order of the queue.
  std::vector<Sight> wrong(const StreamSights& seen) const;

 private:
  /// Cells of one resource: cell `first` + i is positions [ends[i], ends[i + 1]).
  struct Cut {
    std::vector<std::int32_t> ends;
    std::int32_t first = 0;
  };
  using Key = std::pair<int, std::int32_t>;

  static Key key(const Resource& resource);
  void cut();
  void add_operations();
  void add_items();
  std::pair<std::int32_t, std::int32_t> cells_of(const Access& access) const;
  Picture picture(const Access& access, const std::int32_t* seen) const;

  const Queue& queue_;
  StreamWork work_;
  std::map<Key, Cut> cuts_;
  std::vector<std::int32_t> meant_;  ///< by touch; 0 for writes
};

}  // namespace pagestorm::sim::time
