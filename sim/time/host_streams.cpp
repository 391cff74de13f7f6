#include "host_streams.hpp"

#include <algorithm>
#include <stdexcept>
#include <string>

#include "pagestorm/stream_complaint.hpp"

namespace pagestorm::sim::time {
namespace {

constexpr std::int64_t item_us = 5;  // what the host needs to enqueue one thing
constexpr std::int64_t half_us = 1;  // what half an operation takes

void refuse(const std::string& complaint) {
  if (!complaint.empty()) throw std::invalid_argument(complaint);
}

/// When half an operation touches its cells.
struct Half {
  std::int64_t time = 0;
  std::int32_t operation = 0;
  int which = 0;
};

/// Nobody waits for a value, so who does what when is known as soon as it is enqueued.
class Schedule {
 public:
  Schedule(const StreamWork& work, std::span<const StreamDelay> delays)
      : delays_(work.operations.size()),
        ready_(static_cast<std::size_t>(work.actors)),
        events_(static_cast<std::size_t>(work.events)) {
    for (const StreamDelay& delay : delays) delays_[static_cast<std::size_t>(delay.operation)] = delay;
    for (const StreamItem& item : work.items) take(item);
    std::stable_sort(halves_.begin(), halves_.end(), [](const Half& a, const Half& b) { return a.time < b.time; });
  }

  const std::vector<Half>& halves() const { return halves_; }

 private:
  void take(const StreamItem& item) {
    std::int64_t& host = ready_[0];
    std::int64_t& ready = ready_[static_cast<std::size_t>(item.actor)];
    host += item_us;
    ready = std::max(ready, host);
    const auto number = static_cast<std::size_t>(item.number);
    switch (item.kind) {
      case StreamItemKind::operation: run(item.number, ready); break;
      case StreamItemKind::record: events_[number] = ready; break;
      case StreamItemKind::wait: ready = std::max(ready, events_[number]); break;
      case StreamItemKind::begin_replay:
      case StreamItemKind::end_replay: break;  // a stream is in order, with a graph or without
    }
  }

  void run(std::int32_t operation, std::int64_t& ready) {
    const StreamDelay& delay = delays_[static_cast<std::size_t>(operation)];
    const std::int64_t first = ready + delay.before_us;
    const std::int64_t second = first + half_us + delay.between_us;
    halves_.push_back({first, operation, 0});
    halves_.push_back({second, operation, 1});
    ready = second + half_us;
  }

  std::vector<StreamDelay> delays_;   ///< by operation
  std::vector<std::int64_t> ready_;   ///< by actor
  std::vector<std::int64_t> events_;  ///< when each is done
  std::vector<Half> halves_;
};

class HostStreams final : public StreamRunner {
 public:
  void prepare(const StreamWork& work) override {
    refuse(complaint(work));
    work_ = work;
  }

  StreamSights run(std::span<const StreamDelay> delays) override {
    refuse(complaint(work_, delays));
    std::vector<std::int32_t> memory[2];
    for (auto& half : memory) half.assign(static_cast<std::size_t>(work_.cells), 0);
    StreamSights seen;
    for (auto* half : {&seen.first, &seen.second}) half->assign(work_.touches.size(), 0);
    const Schedule schedule(work_, delays);
    for (const Half& half : schedule.halves())
      touch(work_.operations[static_cast<std::size_t>(half.operation)], memory[half.which],
            half.which == 0 ? seen.first : seen.second);
    return seen;
  }

 private:
  void touch(const StreamOperation& operation, std::vector<std::int32_t>& memory,
             std::vector<std::int32_t>& seen) const {
    const auto first = static_cast<std::size_t>(operation.first);
    for (std::size_t i = first; i < first + static_cast<std::size_t>(operation.count); ++i) {
      const StreamTouch& touch = work_.touches[i];
      std::int32_t& cell = memory[static_cast<std::size_t>(touch.cell)];
      if (touch.generation == 0)
        seen[i] = cell;
      else
        cell = touch.generation;
    }
  }

  StreamWork work_;
};

}  // namespace

std::unique_ptr<StreamRunner> host_streams() { return std::make_unique<HostStreams>(); }

}  // namespace pagestorm::sim::time
