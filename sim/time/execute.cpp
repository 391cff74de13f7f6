#include "execute.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "../rng.hpp"

namespace pagestorm::sim::time {
namespace {

/// One half of all memory: each operation reads and writes one half when it starts and the other when it ends.
class Memory {
 public:
  void write(const Access& access, std::int64_t generation) {
    Picture& picture = pictures_[key(access.resource)];
    Picture kept;
    for (const Part& part : picture) {
      if (part.span.first < access.span.first)
        kept.push_back({{part.span.first, std::min(part.span.end, access.span.first)}, part.generation});
      if (part.span.end > access.span.end)
        kept.push_back({{std::max(part.span.first, access.span.end), part.span.end}, part.generation});
    }
    kept.push_back({access.span, generation});
    std::sort(kept.begin(), kept.end(), [](const Part& a, const Part& b) { return a.span.first < b.span.first; });
    picture = std::move(kept);
  }

  Picture read(const Access& access) const {
    Picture seen;
    const auto found = pictures_.find(key(access.resource));
    if (found == pictures_.end()) return seen;
    for (const Part& part : found->second) {
      if (!part.span.meets(access.span)) continue;
      const Span cut{std::max(part.span.first, access.span.first), std::min(part.span.end, access.span.end)};
      const bool continues =
          !seen.empty() && seen.back().generation == part.generation && seen.back().span.end == cut.first;
      if (continues)
        seen.back().span.end = cut.end;
      else
        seen.push_back({cut, part.generation});
    }
    return seen;
  }

 private:
  static std::pair<int, std::int32_t> key(const Resource& resource) {
    return {static_cast<int>(resource.kind), resource.id};
  }

  std::map<std::pair<int, std::int32_t>, Picture> pictures_;
};

class Run {
 public:
  Run(const Queue& queue, const Order& order) : queue_(queue), order_(order), rng_(order.seed) {
    generations_ = number_writes(queue);
    first_.resize(queue.operations().size());
    second_.resize(queue.operations().size());
    for (std::size_t i = 0; i < queue.operations().size(); ++i) {
      const Operation& operation = queue.operations()[i];
      auto& actor = actors_[static_cast<std::size_t>(operation.actor)];
      if (actor.operations.empty()) actor.done = operation.tick - 1;
      actor.operations.push_back(i);
    }
  }

  void go() {
    while (const auto actor = choose()) advance(actors_[*actor]);
  }

  const std::vector<Picture>& first(std::size_t operation) const { return first_[operation]; }
  const std::vector<Picture>& second(std::size_t operation) const { return second_[operation]; }

 private:
  struct Line {
    std::vector<std::size_t> operations;
    std::size_t next = 0;
    std::uint32_t done = 0;  ///< the number of the last operation that has ended
    bool running = false;
  };

  bool may_go_on(const Line& line) const {
    if (line.next == line.operations.size()) return false;
    if (line.running) return true;
    const Operation& operation = queue_.operations()[line.operations[line.next]];
    for (std::size_t a = 0; a < actors_.size(); ++a) {
      const auto actor = static_cast<Actor>(a);
      if (actor != operation.actor && !actors_[a].operations.empty() && operation.clock[actor] > actors_[a].done)
        return false;
    }
    return true;
  }

  bool held_back(const Line& line) const {
    const std::int64_t number = queue_.first() + static_cast<std::int64_t>(line.operations[line.next]);
    return line.running ? order_.stretched == number : order_.delayed == number;
  }

  // The least is taken: who is not held back, and then by the pace.
  std::optional<std::size_t> choose() {
    std::optional<std::size_t> best;
    std::pair<bool, std::int64_t> least;
    for (std::size_t a = 0; a < actors_.size(); ++a) {
      if (!may_go_on(actors_[a])) continue;
      const auto number = static_cast<std::int64_t>(actors_[a].operations[actors_[a].next]);
      const std::int64_t rank = order_.pace == Pace::early  ? number
                                : order_.pace == Pace::late ? -number
                                                            : rng_.between(0, 1 << 20);
      const std::pair<bool, std::int64_t> here{held_back(actors_[a]), rank};
      if (best && !(here < least)) continue;
      best = a;
      least = here;
    }
    return best;
  }

  void advance(Line& line) {
    const std::size_t at = line.operations[line.next];
    const Operation& operation = queue_.operations()[at];
    touch(operation, at, line.running ? halves_[1] : halves_[0], line.running ? second_[at] : first_[at]);
    if (line.running) {
      ++line.next;
      line.done = operation.tick;
    }
    line.running = !line.running;
  }

  // Reads go before writes: an operation that does both replaces what it saw.
  void touch(const Operation& operation, std::size_t at, Memory& memory, std::vector<Picture>& seen) const {
    const auto accesses = queue_.accesses(operation);
    for (const Access& access : accesses) seen.push_back(access.writes ? Picture{} : memory.read(access));
    for (std::size_t i = 0; i < accesses.size(); ++i)
      if (accesses[i].writes) memory.write(accesses[i], generations_[at][i]);
  }

  const Queue& queue_;
  Order order_;
  Rng rng_;
  std::vector<std::vector<std::int64_t>> generations_;
  std::array<Line, actor_count> actors_;
  std::array<Memory, 2> halves_;
  std::vector<std::vector<Picture>> first_, second_;  ///< by operation and access
};

}  // namespace

std::vector<std::vector<std::int64_t>> number_writes(const Queue& queue) {
  std::map<std::pair<int, std::int32_t>, std::int64_t> last;
  std::vector<std::vector<std::int64_t>> numbers;
  for (const Operation& operation : queue.operations()) {
    std::vector<std::int64_t>& own = numbers.emplace_back();
    for (const Access& access : queue.accesses(operation)) {
      std::int64_t& of = last[{static_cast<int>(access.resource.kind), access.resource.id}];
      own.push_back(access.writes ? ++of : 0);
    }
  }
  return numbers;
}

std::vector<Sight> execute(const Queue& queue, const Order& order) {
  Run meant(queue, {});
  Run real(queue, order);
  meant.go();
  real.go();
  std::vector<Sight> wrong;
  for (std::size_t at = 0; at < queue.operations().size(); ++at) {
    const auto accesses = queue.accesses(queue.operations()[at]);
    for (std::size_t i = 0; i < accesses.size(); ++i) {
      const Picture& want = meant.first(at)[i];
      const Picture& first = real.first(at)[i];
      const Picture& second = real.second(at)[i];
      if (!accesses[i].writes && (first != want || second != want))
        wrong.push_back({queue.first() + static_cast<std::int64_t>(at), accesses[i], want, first, second});
    }
  }
  return wrong;
}

std::string show(const Picture& picture) {
  std::set<std::int64_t> all;
  for (const Part& part : picture) all.insert(part.generation);
  if (all.empty()) all.insert(0);
  if (all.size() <= 1) return fmt::format("generation {}", *all.begin());
  return fmt::format("generations {}", fmt::join(all, " and "));
}

std::string show(const Sight& sight) {
  const std::string then = sight.torn() ? " and then " + show(sight.second) : "";
  return fmt::format("{}{}; meant: {}", show(sight.first), then, show(sight.meant));
}

}  // namespace pagestorm::sim::time
